"""Options are declared once, as the fields of a record, and reach shell and Python from there."""

import inspect
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from earmark import events
from earmark.task.options import (
    call_with,
    changed,
    merged,
    option,
    options_of,
    record_of,
    reject_unknown,
)
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class GrindOptions:
    """How corn is ground."""

    grain: int = option(1, "Size of a grain.")
    stone: Literal["soft", "hard"] = option("hard", "Which stone.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BakeOptions(GrindOptions):
    """How bread is baked from it."""

    seeds: tuple[str, ...] = option((), "What is strewn over it.")
    book: Path | None = option(None, "A book of recipes.", flag="from")


def bread(corn: str, options: BakeOptions = BakeOptions(), *, seed: int = 0) -> str:
    return f"{corn} {options.grain} {options.stone} {seed}"


def plain(corn: str) -> str:
    return corn


def test_the_options_of_a_function_are_the_fields_of_its_record_inherited_ones_first() -> None:
    options = options_of(bread)
    assert list(options) == ["grain", "stone", "seeds", "book"]
    assert record_of(bread) is BakeOptions and record_of(plain) is None
    assert (options["grain"].kind, options["grain"].default) == (int, 1)
    assert options["grain"].help == "Size of a grain."
    assert options["stone"].choices == ("soft", "hard")
    assert options["seeds"].many and options["seeds"].kind is str
    assert (options["book"].kind, options["book"].flag) == (Path, "from")


def test_a_function_is_called_with_a_record_built_from_what_was_given() -> None:
    assert call_with(bread, "rye", options={"grain": 3}, seed=7) == "rye 3 hard 7"
    assert call_with(plain, "rye", options={}) == "rye"


def test_an_option_that_a_function_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(InputError, match="the mill has no option --grian\n  want: --grain, --sto"):
        reject_unknown(bread, {"grian": 2}, what="the mill")
    with pytest.raises(InputError, match="has no option --grain\n  want: no options"):
        call_with(plain, "rye", options={"grain": 2}, what="the mill")


def test_a_changed_record_is_another_record() -> None:
    options = BakeOptions(grain=2)
    assert changed(options, {"stone": "soft"}) == BakeOptions(grain=2, stone="soft")
    assert options == BakeOptions(grain=2)
    with pytest.raises(FrozenInstanceError):
        options.grain = 5  # type: ignore[misc]


def test_a_misspelt_option_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError, match="there is no option 'grian'"):
        changed(BakeOptions(), {"grian": 2})
    with pytest.raises(InputError, match="did you mean seconds"):
        events.segment_f1(secnds=2.0)


def test_options_of_several_functions_are_merged_each_once() -> None:
    def mill(options: GrindOptions = GrindOptions()) -> None: ...

    assert list(merged([mill, bread])) == ["grain", "stone", "seeds", "book"]


def test_go_to_source_of_a_metric_lands_in_its_own_file() -> None:
    function: Any = events.segment_f1
    assert Path(inspect.getsourcefile(function) or "").name == "segments.py"
    assert list(inspect.signature(function).parameters) == ["options", "changes"]
