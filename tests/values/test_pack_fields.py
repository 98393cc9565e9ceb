"""Records whose fields are declared by names that exist for type checkers alone."""

from dataclasses import dataclass

import pytest

from earmark.values.errors import InputError
from earmark.values.pack import pack, unpack


@dataclass(frozen=True)
class Mystery:
    """A record with a field of a kind that cannot be looked up."""

    thing: "Nowhere"  # type: ignore[name-defined]  # noqa: F821


@dataclass(frozen=True)
class Named:
    """A record with a plain field and one that is not."""

    name: str
    inner: Mystery


def test_a_field_of_an_unknown_kind_is_taken_as_it_is():
    assert unpack(pack(Mystery(3)), [Mystery]) == Mystery(3)


def test_a_plain_field_of_another_kind_is_refused_and_others_are_not_looked_at():
    value = Named("a", Mystery("b"))
    assert unpack(pack(value), [Mystery, Named]) == value
    packed = pack(Named(7, Mystery("b")))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="name of a Named is of another kind"):
        unpack(packed, [Mystery, Named])
