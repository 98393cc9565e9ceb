"""Options that several functions share, declared once as a record."""

import inspect
import pickle
from dataclasses import dataclass
from typing import Literal, get_type_hints

import pytest

from earmark.values.errors import InputError
from earmark.values.options import options_of, takes

Mill = Literal["stone", "steel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grinding:
    """How grain is ground.

    Parameters
    ----------
    mill
        What it is
        ground by.
    passes
        How often.

    Notes
    -----
    None of the function's business.
    """

    mill: Mill = "stone"
    passes: int | None = None

    def __post_init__(self) -> None:
        if self.passes is not None and self.passes < 1:
            raise InputError("grain passes at least once", got=self.passes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baking(Grinding):
    """How bread is baked.

    Parameters
    ----------
    heat
        How hot.
    passes
        How often at least.
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


def declared(*, mill: Mill = "stone", passes: int | None = None) -> str:
    """Ground grain.

    It keeps.

    Parameters
    ----------
    mill
        What it is
        ground by.
    passes
        How often.

    Definition
    ----------
    What the mill gives.
    """
    return f"{mill} {passes}"


def test_it_looks_as_if_the_function_had_declared_the_fields_itself() -> None:
    assert inspect.signature(flour) == inspect.signature(declared)
    assert get_type_hints(flour) == get_type_hints(declared)
    assert inspect.getdoc(flour) == inspect.getdoc(declared)
    assert options_of(flour) == options_of(declared)
    assert (flour.__name__, flour.__module__) == ("flour", __name__)


def test_it_is_called_with_the_fields_as_keywords() -> None:
    assert flour() == declared() == "stone None"
    assert flour(mill="steel", passes=2) == "steel 2"


def test_inherited_fields_come_first_and_keep_their_lines_unless_said_anew() -> None:
    found = options_of(bread)
    assert list(found) == ["mill", "passes", "heat"]
    lines = [option.help for option in found.values()]
    assert lines == ["What it is ground by.", "How often at least.", "How hot."]
    assert bread(heat=200.0, passes=1) == Baking(heat=200.0, passes=1)


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
