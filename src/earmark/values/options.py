"""A function's keyword-only parameters as options: names, types, defaults and help lines.

The command line is built from these, and a study hands options on by them, so an option is
written once: as a parameter of the function that uses it, or, where several functions have the
same options, as a field of the record that each of them `takes`. Its help line, too, is written
once: an option that means the same in another function may be `described_like` there.
"""

import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from earmark.values import checks
from earmark.values.errors import InputError

RESERVED = frozenset({"seed", "train_on", "out", "options"})
HEADING = r"^\S[^\n]*\n-{3,}$"
PARAMETERS = rf"^Parameters\n-+\n(.*?)(?={HEADING}|\Z)"
P = ParamSpec("P")
Record = TypeVar("Record")
Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `kind` is its plain type, `choices` its allowed words, `many` if repeatable."""

    name: str
    kind: type
    default: Any
    help: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False


def options_of(function: Callable[..., Any]) -> dict[str, Option]:
    """The keyword-only parameters of a function, except those that the house fills in."""
    hints = typing.get_type_hints(function)
    lines = parameter_lines(inspect.getdoc(function) or "")
    return {
        name: _option(parameter, hints.get(name, str), lines.get(name, ""))
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name not in RESERVED
    }


def _option(parameter: inspect.Parameter, hint: Any, help_line: str) -> Option:
    default = None if parameter.default is inspect.Parameter.empty else parameter.default
    many = typing.get_origin(hint) is tuple
    if many:
        hint = typing.get_args(hint)[0]
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        hint = next(part for part in typing.get_args(hint) if part is not types.NoneType)
    choices: tuple[str, ...] = ()
    if typing.get_origin(hint) is typing.Literal:
        choices, hint = tuple(map(str, typing.get_args(hint))), str
    return Option(parameter.name, hint, default, help_line, choices, many)


def parameter_lines(docstring: str) -> dict[str, str]:
    """Each parameter's description from the Parameters section of a NumPy docstring."""
    blocks = _parameter_blocks(docstring)
    return {name: " ".join(block.partition("\n")[2].split()) for name, block in blocks.items()}


def _parameter_blocks(docstring: str) -> dict[str, str]:
    found = re.search(PARAMETERS, docstring, re.M | re.S)
    blocks = re.split(r"^(?=\S)", found[1], flags=re.M) if found else []
    return {
        re.split("[:\n]", block)[0].strip(): block.rstrip() for block in blocks if block.strip()
    }


def takes(
    record: Callable[P, Record],
) -> Callable[[Callable[[Record], Result]], Callable[P, Result]]:
    """Let a function of one record be called with the record's fields as its options.

    The record is a frozen, keyword-only dataclass that describes its fields under Parameters. The
    function then has their names, types, defaults and help lines, as if it had declared them.

    Examples
    --------
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Grinding:
    ...     grain: int = 1
    >>> @takes(Grinding)
    ... def flour(options: Grinding) -> str:
    ...     return f"flour of grain {options.grain}"
    >>> flour(grain=2), str(inspect.signature(flour))
    ('flour of grain 2', '(*, grain: int = 1) -> str')
    """
    fields = inspect.signature(record)
    hints = typing.get_type_hints(record)
    parameters = [field.replace(annotation=hints[n]) for n, field in fields.parameters.items()]

    def declare(function: Callable[[Record], Result]) -> Callable[P, Result]:
        @functools.wraps(function)
        def taking(*args: P.args, **options: P.kwargs) -> Result:
            try:
                fields.bind(*args, **options)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(record(*args, **options))

        whole = inspect.signature(function).replace(parameters=parameters)
        taking.__dict__["__signature__"] = whole
        taking.__annotations__ = {**hints, "return": whole.return_annotation}
        taking.__doc__ = _described(taking, reversed(typing.cast(type, record).__mro__))
        return taking

    return declare


def described_like(other: Callable[..., Any]) -> Callable[[Function], Function]:
    """Let a function's docstring leave out those options that another has already described."""

    def declare(function: Function) -> Function:
        function.__doc__ = _described(function, (other,))
        return function

    return declare


def _described(function: Callable[..., Any], others: Iterable[object]) -> str:
    """The docstring with all parameters before its other sections; the last to describe one counts.

    So what a record inherits is described by the record that declared it, unless it says it anew.
    """
    blocks: dict[str, str] = {}
    for one in (*others, function):
        blocks |= _parameter_blocks(inspect.cleandoc(one.__doc__ or ""))
    lines = [blocks[name] for name in inspect.signature(function).parameters if name in blocks]
    rest = re.sub(PARAMETERS, "", inspect.getdoc(function) or "", flags=re.M | re.S)
    summary, *sections = re.split(f"(?={HEADING})", rest, maxsplit=1, flags=re.M)
    section = "\n".join(("Parameters\n----------", *lines))
    return "\n\n".join((summary.rstrip(), section, *sections))


def merged(functions: Iterable[Callable[..., Any]]) -> dict[str, Option]:
    """The options of several functions; a name that two share means the same in both."""
    found: dict[str, Option] = {}
    for function in functions:
        for name, option in options_of(function).items():
            if name not in found or (option.help and not found[name].help):
                found[name] = option
    return found


def given_to(
    function: Callable[..., Any], options: Mapping[str, Any], *, known: Iterable[str] = ()
) -> dict[str, Any]:
    """The options that the function takes; an error for one that neither it nor `known` has."""
    own = options_of(function)
    for name in options:
        checks.one_of(name, [*own, *known], what="option")
    return {name: value for name, value in options.items() if name in own}


def must_take(function: Callable[..., Any], options: Mapping[str, Any], *, what: str) -> None:
    """Nothing, unless an option is given that the function does not have."""
    own = options_of(function)
    for name in options:
        if name not in own:
            raise InputError(
                f"{what} has no option --{name.replace('_', '-')}",
                want=", ".join("--" + o.replace("_", "-") for o in own) or "no options",
            )
