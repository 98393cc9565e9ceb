"""Options of tasks' functions as options of commands."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from earmark.task.options import Option, merged
from earmark.values.errors import InputError


def as_click(option: Option) -> click.Option:
    """One option for the command line; only what the user gives is handed on."""
    flag = "--" + option.name.replace("_", "-")
    shown = option.help + _default(option)
    if option.kind is bool:
        return click.Option([f"{flag}/--no-{flag[2:]}"], default=None, help=shown)
    kind: Any = click.Choice(option.choices) if option.choices else _kind(option.kind)
    return click.Option(
        [flag],
        type=kind,
        default=None,
        multiple=option.many,
        help=shown,
        metavar=None if option.choices else _word(option),
    )


def _default(option: Option) -> str:
    if option.default in (None, (), ""):
        return ""
    shown = option.default
    if isinstance(shown, bool):
        shown = "yes" if shown else "no"
    elif isinstance(shown, tuple):
        shown = " ".join(map(str, shown))
    return f"  [{shown}]"


def _kind(kind: type) -> Any:
    if kind is Path:
        return click.Path(path_type=Path)
    return kind if kind in (int, float, str) else str


def _word(option: Option) -> str:
    return {int: "N", float: "X", Path: "PATH"}.get(option.kind, "TEXT")


def options_for(functions: Iterable[Callable[..., Any]]) -> list[click.Option]:
    """The options of several functions, each once."""
    return [as_click(option) for option in merged(functions).values()]


def given(options: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Those of the named options that the user gave."""
    wanted = set(names)
    return {
        name: value
        for name, value in options.items()
        if name in wanted and value is not None and value != ()
    }


def existing(path: Path) -> Path:
    """The path, when something is there."""
    if not path.exists():
        raise InputError("there is no such file", at=path, fix="check the name")
    return path
