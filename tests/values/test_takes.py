"""Options that several functions share: declared once as a record, or described once."""

import inspect
import pickle
from dataclasses import dataclass
from typing import Literal, get_type_hints

import pytest

from earmark.task.options import described_like, options_of, takes
from earmark.values.errors import InputError

Mill = Literal["stone", "steel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grinding:
    """How grain is ground.

    Parameters
    ----------
    mill
        What grinds it.
    passes
        How often.
    """

    mill: Mill = "stone"
    passes: "int | None" = None

    def __post_init__(self) -> None:
        if self.passes == 0:
            raise InputError("grain passes at least once", got=self.passes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baking(Grinding):
    """How bread is baked.

    Parameters
    ----------
    passes
        How often at least.
    heat
        How hot.
    """

    heat: float = 230.0


@takes(Grinding)
def flour(options: Grinding) -> str:
    """Ground grain.

    It keeps.

    Definition
    ----------
    What the mill gives.
    """
    return f"{options.mill} {options.passes}"


@takes(Baking)
def bread(options: Baking) -> Baking:
    """Baked flour."""
    return options


def test_the_fields_look_like_keywords_that_the_function_declared_itself() -> None:
    def declared(*, mill: Mill = "stone", passes: int | None = None) -> str:
        return f"{mill} {passes}"

    assert inspect.signature(flour) == inspect.signature(declared)
    assert get_type_hints(flour) == get_type_hints(declared)
    assert flour() == declared()
    assert flour(mill="steel", passes=2) == declared(mill="steel", passes=2)


def test_the_fields_are_described_after_the_summary_and_before_the_other_sections() -> None:
    described = "Parameters\n----------\nmill\n    What grinds it.\npasses\n    How often.\n\n"
    text = inspect.getdoc(flour) or ""
    assert text.startswith("Ground grain.\n\nIt keeps.\n\n" + described + "Definition\n")
    assert options_of(flour)["mill"].choices == ("stone", "steel")


def test_inherited_fields_come_first_and_keep_their_lines_unless_said_anew() -> None:
    lines = {name: option.help for name, option in options_of(bread).items()}
    assert list(lines) == ["mill", "passes", "heat"]
    assert list(lines.values()) == ["What grinds it.", "How often at least.", "How hot."]


def test_an_option_that_is_not_a_field_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"^flour\(\) got an unexpected keyword argument 'mil'$"):
        flour(mil="steel")  # type: ignore[call-arg]


def test_options_have_no_place_but_a_name() -> None:
    with pytest.raises(TypeError, match=r"^flour\(\) too many positional arguments$"):
        flour("steel")  # type: ignore[call-arg]


def test_the_record_checks_its_values() -> None:
    with pytest.raises(InputError, match="grain passes at least once"):
        bread(passes=0)


def test_a_function_that_takes_a_record_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(flour)) is flour


def test_a_function_described_like_another_has_its_lines_in_the_order_of_its_own_options() -> None:
    @described_like(flour)
    def dough(grain: str, *, passes: int = 1, water: float, mill: Mill = "steel") -> str:
        """Wet flour.

        Parameters
        ----------
        water
            How much.
        passes
            How often it is kneaded.

        Definition
        ----------
        What sticks.
        """
        return f"{grain} {passes} {water} {mill}"

    own = "passes\n    How often it is kneaded.\nwater\n    How much.\n"
    lines = f"Parameters\n----------\n{own}mill\n    What grinds it.\n\n"
    assert dough.__doc__ == f"Wet flour.\n\n{lines}Definition\n----------\nWhat sticks."
    assert dough("rye", water=0.7) == "rye 1 0.7 steel"
