"""Every option and argument of the command line that names a file or folder to be read."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from earmark import tasks
from earmark.cli.main import VERBS, cli
from earmark.task.options import Option, fields_of, options_of
from earmark.task.task import Task

# What is written and never read, or run by another program; everything else must be mutated.
NOT_READ = {
    "tour FILE": "a new folder",
    "export FILE": "a new folder",
    "kit FILE": "a new folder",
    "plan --picture": "a new file",
    "report --out": "a new file",
    "score --per-item": "a new file",
    "reconcile --out": "a new folder",
    "run FILE": "named for each task apart",
    "measure captions --jars": "programs that Java runs; Earmark reads nothing of them",
    "run events crnn --checkpoints": "the same files as `train events crnn --checkpoint`",
    "train context classifier --checkpoint": "read as that of `train events crnn`",
    "train context language-model --checkpoint": "read as that of `train events crnn`",
    "train captions parser --start": "spaCy reads it",
    "measure captions --encoder": "sentence-transformers reads it, or its name",
    "audit captions --encoder": "sentence-transformers reads it, or its name",
}
WRITTEN = ("--out", "--per-item")  # of any verb
# A text that may be the name of a file, by its help; URLs are not opened.
MAY_NAME_A_FILE = re.compile(r"\b(file|path|folder)\b", re.IGNORECASE)
PLACES = ("FILE", "PATH", "DIR", "FOLDER", "ZIP", "STUDY")


def file_options() -> set[str]:
    """Return them by the names that `options_read` gives: `make events --sounds`, `show STUDY`."""
    every = {*_own(), *_of_tasks(), *_of_records()}
    return {name for name in every if name not in NOT_READ and not name.endswith(WRITTEN)}


def _own() -> Iterator[str]:
    """Yield what commands themselves take."""
    context = click.Context(cli)
    for verb in VERBS:
        command = cli.get_command(context, verb)
        assert command is not None
        if isinstance(command, click.Group):
            for task in command.list_commands(context):
                one = command.get_command(context, task)
                assert one is not None
                yield from (f"{verb} {task} {name}" for name in _places(one) if name != "STUDY")
        else:
            yield from (f"{verb} {name}" for name in _places(command))


def _places(command: click.Command) -> Iterator[str]:
    for param in command.params:
        metavar = str(param.metavar or "")
        if isinstance(param.type, click.Path) or any(place in metavar for place in PLACES):
            if isinstance(param, click.Option):
                yield next(name for name in param.opts if name.startswith("--"))
            else:
                yield "STUDY" if param.name == "study" else "FILE"


def _of_tasks() -> Iterator[str]:
    """Yield what the words of a task bring along."""
    for name in tasks.names():
        task = tasks.load(name)
        for verb, functions in _functions(task).items():
            for function in functions.values():
                yield from (f"{verb} {name} --{one.flag}" for one in _files(options_of(function)))
        for verb in ("run", "train"):
            for system, function in getattr(task, verb).items():
                for one in _files(options_of(function)):
                    yield f"{verb} {name} {system} --{one.flag}"
        if task.outputs:
            yield f"run {name} FILE"


def _functions(task: Task) -> Mapping[str, Mapping[str, Any]]:
    """Return a task's functions with options, by verb."""
    asked = {"units": task.ask.units, "answers": task.ask.read_answers} if task.ask else {}
    return {
        "make": task.make,
        "measure": {**task.score, **({"": task.measure} if task.measure else {})},
        "audit": {"": task.audit} if task.audit else {},
        "reconcile": {**task.reconcile, **_only(task.reconcile_files)},
        "ask": asked,
        "run": _only(task.outputs),
        "export": {name: exporter.write for name, exporter in _exporters(task).items()},
    }


def _exporters(task: Task) -> Mapping[str, Any]:
    return task.export


def _only(function: object | None) -> dict[str, object]:
    return {} if function is None else {"": function}


def _of_records() -> Iterator[str]:
    """Yield what asking takes, for each task that asks."""
    from earmark.study.ask import AskOptions

    asking = [name for name in tasks.names() if tasks.load(name).ask]
    for one in _files(fields_of(AskOptions)):
        for name in asking:
            question = tasks.load(name).ask
            simulates = question is not None and question.simulate is not None
            if one.name != "crowd" or simulates:
                yield f"ask {name} --{one.flag}"


def _files(options: Mapping[str, Option]) -> Iterator[Option]:
    for one in options.values():
        texts = one.kind is str and not one.choices and "URL" not in one.help
        if one.kind is Path or (texts and MAY_NAME_A_FILE.search(one.help)):
            yield one
