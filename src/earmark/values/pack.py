"""Values as plain JSON and back, so that a study's files can be read without Earmark."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Protocol, Union, get_args, get_origin, get_type_hints, runtime_checkable

from earmark.values.errors import InputError


@runtime_checkable
class ArrayOfNumbers(Protocol):
    """A NumPy array, which this room does not import."""

    def tolist(self) -> list[object]:
        """Return the numbers in nested lists."""
        ...


# What is JSON as it is; most values are, and asking for their class alone is quick.
PLAIN = frozenset((str, int, float, bool, type(None)))


def pack(value: object) -> object:
    """Return the value as JSON: a record becomes `{"is": its class, field: value, ...}`.

    Fields that hold None are left out; sets are written sorted, so that equal values give equal
    bytes.
    """
    if type(value) in PLAIN:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        named = {f.name: getattr(value, f.name) for f in fields(value)}
        packed = {name: pack(part) for name, part in named.items() if part is not None}
        return {"is": type(value).__name__, **packed}
    if isinstance(value, frozenset | set):
        return sorted(pack(part) for part in value)  # type: ignore[type-var]
    if isinstance(value, tuple | list):
        return [pack(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): pack(part) for key, part in value.items()}
    if isinstance(value, ArrayOfNumbers):
        return value.tolist()
    return value


@cache
def _plain_fields(kind: type) -> Mapping[str, tuple[type, ...]]:
    """Return the classes that a record's fields may have, for those that declare plain ones."""
    try:
        hints = get_type_hints(kind)
    except (NameError, TypeError):  # a name that is imported for type checkers only
        return {}
    plain = {name: _classes(hint) for name, hint in hints.items()}
    return {name: classes for name, classes in plain.items() if classes is not None}


def _classes(hint: object) -> tuple[type, ...] | None:
    """Return the classes of a type, or None if it is none that is checked."""
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        parts = [_classes(part) for part in get_args(hint)]
        return None if None in parts else tuple(one for part in parts if part for one in part)
    if hint is float:
        return (float, int)
    if hint in (str, int, bool, type(None)):
        return (hint,) if isinstance(hint, type) else None
    if get_origin(hint) is tuple:
        return (tuple,)
    if get_origin(hint) in (dict, Mapping):
        return (dict,)
    return (hint,) if isinstance(hint, type) and is_dataclass(hint) else None


def _check_fields(kind: type, parts: Mapping[str, object]) -> None:
    """Raise InputError if a field of a record holds another kind of value than it declares."""
    plain = _plain_fields(kind)
    for name, part in parts.items():
        allowed = plain.get(name)
        if allowed is None:
            continue
        # to Python, true is a whole number
        is_odd_bool = isinstance(part, bool) and bool not in allowed
        if is_odd_bool or not isinstance(part, allowed):
            raise InputError(f"{name} of a {kind.__name__} is of another kind", got=part)


def unpack(value: object, kinds: Iterable[type]) -> object:
    """Return the value that `pack` wrote, given the classes that may appear in it.

    Lists come back as tuples; a class that wants a set says so in its own constructor.
    """
    return _unpack(value, {kind.__name__: kind for kind in kinds})


def _unpack(value: object, kinds: Mapping[str, type]) -> object:
    if isinstance(value, list):
        return tuple(_unpack(part, kinds) for part in value)
    if not isinstance(value, dict):
        return value
    parts = {key: _unpack(part, kinds) for key, part in value.items() if key != "is"}
    if "is" not in value:
        return parts
    if not isinstance(value["is"], str) or value["is"] not in kinds:
        raise InputError(
            "a file holds a kind of value that this task does not know",
            got=value["is"],
            want=", ".join(sorted(kinds)),
        )
    kind = kinds[value["is"]]
    _check_fields(kind, parts)
    try:
        return kind(**parts)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"a {value['is']} has other fields", got=str(error)) from error
