"""Options of a task's functions: declared once, as the fields of a frozen, keyword-only dataclass.

A maker, method, system, trainer, reader or metric that has options takes them as one record, in a
parameter named `options` whose annotation is the record's class. Each field of the record is
declared with `option(default, help)`. From these records the command line builds its flags and
help, Python callers get names, types and defaults, and a study stores what was chosen.

Examples
--------
>>> @dataclass(frozen=True, kw_only=True)
... class GrindOptions:
...     grain: int = option(1, "Size of a grain in millimetres.")
>>> def grind(source: str, options: GrindOptions = GrindOptions()) -> str:
...     return f"{source} of grain {options.grain}"
>>> options_of(grind)["grain"].help
'Size of a grain in millimetres.'
>>> call_with(grind, "flour", options={"grain": 2})
'flour of grain 2'
"""

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from earmark.values import checks
from earmark.values.errors import InputError

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `kind` is its plain type, `choices` its allowed words, `many` if repeatable.

    `flag` is its name on the command line, without hyphens in front. `of_output` is for an option
    that describes one output, and so cannot be given with several.
    """

    name: str
    kind: type
    default: Any
    help: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False
    flag: str = ""
    of_output: bool = False


def option(default: Any, help: str, *, flag: str = "", of_output: bool = False) -> Any:
    """Declare a field of an options record: its default, and one line of help.

    `flag` is for a field whose name on the command line is a reserved word of Python; `of_output`
    for one that describes one output.
    """
    metadata = {"help": help, "flag": flag, "of_output": of_output}
    return dataclasses.field(default=default, metadata=metadata)


def record_of(function: Callable[..., Any]) -> type | None:
    """Return the options record that a function takes, or None if it has no options."""
    record = typing.get_type_hints(function).get("options")
    return record if isinstance(record, type) and dataclasses.is_dataclass(record) else None


def options_of(function: Callable[..., Any]) -> dict[str, Option]:
    """Return a function's options by name, in the order in which its record declares them."""
    record = record_of(function)
    return fields_of(record) if record else {}


def fields_of(record: type) -> dict[str, Option]:
    """Return the options that a record declares, by name."""
    hints = typing.get_type_hints(record)
    return {field.name: _option(field, hints[field.name]) for field in dataclasses.fields(record)}


def _option(field: "dataclasses.Field[Any]", hint: Any) -> Option:
    many = typing.get_origin(hint) is tuple
    if many:
        hint = typing.get_args(hint)[0]
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        hint = next(part for part in typing.get_args(hint) if part is not types.NoneType)
    choices: tuple[str, ...] = ()
    if typing.get_origin(hint) is typing.Literal:
        choices, hint = tuple(map(str, typing.get_args(hint))), str
    about = field.metadata
    return Option(
        name=field.name,
        kind=hint,
        default=field.default,
        help=about.get("help", ""),
        choices=choices,
        many=many,
        flag=about.get("flag") or field.name.replace("_", "-"),
        of_output=about.get("of_output", False),
    )


def call_with(
    function: Callable[..., Any],
    *args: Any,
    options: Mapping[str, Any],
    what: str = "this",
    **named: Any,
) -> Any:
    """Call a function with its options record built from a mapping.

    Raises
    ------
    InputError
        If an option is given that the function does not have; `what` names the function.
    """
    reject_unknown(function, options, what=what)
    record = record_of(function)
    if record is None:
        return function(*args, **named)
    return function(*args, options=record(**options), **named)


def changed(options: Record, changes: Mapping[str, Any]) -> Record:
    """Return the options with some fields changed; raise InputError for a name it does not have.

    Examples
    --------
    >>> changed(Option("grain", int, 1), {"default": 3}).default
    3
    """
    known = [field.name for field in dataclasses.fields(options)]  # type: ignore[arg-type]
    for name in changes:
        checks.one_of(name, known, what="option", at=type(options).__name__)
    return dataclasses.replace(options, **changes)  # type: ignore[type-var]


def merged(functions: Iterable[Callable[..., Any]]) -> dict[str, Option]:
    """Return the options of several functions; a name that two share means the same in both."""
    options: dict[str, Option] = {}
    for function in functions:
        for name, own in options_of(function).items():
            if name not in options or (own.help and not options[name].help):
                options[name] = own
    return options


def reject_unknown(function: Callable[..., Any], options: Mapping[str, Any], *, what: str) -> None:
    """Raise InputError if an option is given that the function does not have."""
    own = options_of(function)
    for name in options:
        if name not in own:
            raise InputError(
                f"{what} has no option --{name.replace('_', '-')}",
                want=", ".join("--" + o.replace("_", "-") for o in own) or "no options",
            )
