"""Which reference is drawn, and with which systems."""

from types import SimpleNamespace
from typing import Any

from earmark.tasks.boundaries.report.sides import sides_of
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.output import Output
from earmark.values.reference import Reference

TWO_UNITS = Boundaries(4, frozenset({1, 3}))
PANEL = Panel((TWO_UNITS, TWO_UNITS), ("ana", "bo"))


def view(references: dict[str, Any], outputs: dict[str, Any]) -> Any:
    named = {name: Reference(name, values) for name, values in references.items()}
    return SimpleNamespace(references=lambda: named, outputs=lambda: outputs)


def test_a_panel_is_drawn_before_a_reconciled_reference_and_that_before_the_truth() -> None:
    one, panel = {"talk": TWO_UNITS}, {"talk": PANEL}
    for references, drawn in (
        ({"truth": one, "vote": one, "zoo": panel}, "zoo"),
        ({"truth": one, "vote": one}, "vote"),
        ({"truth": one}, "truth"),
    ):
        sides = sides_of(view(references, {}))
        assert sides is not None and sides.name == drawn
    assert sides_of(view({}, {})) is None


def test_a_system_without_some_of_the_items_is_left_out() -> None:
    reference = {"a": TWO_UNITS, "b": TWO_UNITS}
    whole = {item: Output("whole", item, TWO_UNITS) for item in reference}
    part = {"a": Output("part", "a", TWO_UNITS)}
    sides = sides_of(view({"truth": reference}, {"whole": whole, "part": part}))
    assert sides is not None and list(sides.systems) == ["whole"]
