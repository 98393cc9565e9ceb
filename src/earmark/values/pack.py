"""Values as plain JSON and back, so that a study's files can be read without Earmark."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass

from earmark.values.errors import InputError


def pack(value: object) -> object:
    """Return the value as JSON: a record becomes `{"is": its class, field: value, ...}`.

    Fields that hold None are left out; sets are written sorted, so that equal values give equal
    bytes.
    """
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
    return value


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
    try:
        return kinds[value["is"]](**parts)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"a {value['is']} has other fields", got=str(error)) from error
