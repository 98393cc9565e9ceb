"""Options of a task's functions as options of commands."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from earmark.task.options import Option
from earmark.values.errors import InputError

METAVARS = {int: "N", float: "X", Path: "PATH"}


def as_click(option: Option) -> click.Option:
    """Return the option for click; its default is None, so that only what was given is passed."""
    shown = option.help + _default(option)
    names = [f"--{option.flag}", option.name]
    if option.kind is bool:
        names = [f"--{option.flag}/--no-{option.flag}", option.name]
        return click.Option(names, default=None, help=shown)
    kind: Any = click.Choice(option.choices) if option.choices else _kind(option.kind)
    return click.Option(
        names,
        type=kind,
        default=None,
        multiple=option.many,
        help=shown,
        metavar=None if option.choices else METAVARS.get(option.kind, "TEXT"),
    )


def _default(option: Option) -> str:
    if option.default in (None, (), "", False):
        return ""
    shown = option.default
    if isinstance(shown, bool):
        shown = "yes"
    elif isinstance(shown, tuple):
        shown = " ".join(map(str, shown))
    return f"  [{shown}]"


def _kind(kind: type) -> Any:
    if kind is Path:
        return click.Path(path_type=Path)
    return kind if kind in (int, float, str) else str


def given_options(values: Mapping[str, Any], options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the values of those options that the user gave."""
    return {
        name: values[name]
        for name in options
        if values.get(name) is not None and values[name] != ()
    }


def existing(path: Path) -> Path:
    """Return the path; raise InputError if nothing is there."""
    if not path.exists():
        raise InputError("there is no such file", at=path, fix="check the name")
    return path
