"""What a study holds against which its systems are drawn."""

from collections.abc import Mapping

from earmark.task.view import View
from earmark.tasks.boundaries.values import Boundaries, Panel


def held_reference(view: View) -> tuple[str, Mapping[str, Panel | Boundaries]] | None:
    """The reference to draw: the panel where there is one, else what was reconciled, or truth."""
    found = dict(view.references())
    ranked = sorted(
        found,
        key=lambda name: (
            not any(isinstance(one, Panel) for one in found[name].values.values()),
            name == "truth",
            name,
        ),
    )
    if not ranked:
        return None
    return ranked[0], found[ranked[0]].values


def system_outputs(view: View, items: set[str]) -> dict[str, dict[str, Boundaries]]:
    """The systems that spoke of all these items."""
    return {
        system: {item: outputs[item].value for item in sorted(items)}
        for system, outputs in view.outputs().items()
        if items <= set(outputs)
    }
