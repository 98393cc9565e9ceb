"""earmark make."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import TaskGroup, command
from earmark.cli.options import given, options_for
from earmark.cli.talk import Voice
from earmark.task.options import merged
from earmark.task.task import Task


def handle(task: Task, voice: Voice, values: dict[str, Any]) -> None:
    """Do it for one task."""
    from earmark.study import Study

    study = Study.create(values["study"], task=task.name, seed=values["seed"] or 0)
    options = given(values, merged(task.make.values()))
    made = study.make(values["maker"], **options)
    document = {"study": str(study.folder), "task": task.name, **made}
    voice.result(document, lambda: iter([f"{study.name}: {made['items']} items made"]))


def build(task: Task) -> click.Command:
    """`earmark make TASK`."""
    makers = list(task.make)
    return command(
        task.name,
        f"Make material for {task.name}. {task.title}.",
        f"earmark make {task.name} my-study --seed 7",
        params=[
            click.Argument(["study"], type=click.Path(path_type=Path), metavar="STUDY"),
            click.Option(
                ["--maker"],
                type=click.Choice(makers),
                default=None,
                hidden=len(makers) < 2,
                help=f"Which maker.  [{makers[0]}]",
            ),
            *options_for(task.make.values()),
        ],
        handler=partial(handle, task),
    )


make = TaskGroup(
    "make",
    has=lambda task: task.make,
    build=build,
    help="Make material, and the truth when it is known. The first verb; it names the task.",
)
