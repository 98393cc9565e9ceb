"""A function's keyword-only parameters as options: names, types, defaults and help lines.

The command line is built from these, and a study hands options on by them, so an option is
written once: as a parameter of the function that uses it.
"""

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.values import checks
from earmark.values.errors import InputError

RESERVED = frozenset({"seed", "train_on", "out", "options"})


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
    found = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}$|\Z)", docstring, re.M | re.S)
    if not found:
        return {}
    blocks = re.split(r"^(?=\S)", found[1], flags=re.M)
    named = [block.partition("\n") for block in blocks if block.strip()]
    return {name.partition(":")[0].strip(): " ".join(text.split()) for name, _, text in named}


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
