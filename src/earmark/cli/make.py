"""earmark make."""

from functools import partial
from typing import Any

import click

from earmark.cli.commands import Offer, TaskGroup, command, study_argument, value_among
from earmark.cli.terminal import Terminal
from earmark.task.task import Task
from earmark.values.names import counted


def run_make(
    task: Task, terminal: Terminal, values: dict[str, Any], options: dict[str, Any]
) -> None:
    """Make a study's material."""
    from earmark.study import Study

    study = Study.create(values["study"], task=task.name, seed=values["seed"] or 0)
    summary = study.make(values["maker"], **options)
    document = {"study": str(study.folder), "task": task.name, **summary}
    line = f"{study.name}: {counted(summary['items'], 'item')} made"
    terminal.result(document, lambda: iter([line]))


def offer(task: Task, words: list[str]) -> Offer:
    """Return the options of the maker that is named, or of the first."""
    maker = value_among(words, "--maker") or next(iter(task.make))
    return Offer.of(f"the maker {maker}", task.make[maker]) if maker in task.make else Offer()


def build(task: Task) -> click.Command:
    """Return `earmark make TASK`."""
    makers = list(task.make)
    return command(
        task.name,
        f"Make material for {task.name}. {task.title}.",
        task.examples.get("make", f"earmark make {task.name} my-study --seed 7"),
        params=[
            study_argument(),
            click.Option(
                ["--maker"],
                type=click.Choice(makers),
                default=None,
                hidden=len(makers) < 2,
                help=f"Which maker; each has options of its own.  [{makers[0]}]",
            ),
        ],
        handler=partial(run_make, task),
        offer=partial(offer, task),
    )


make = TaskGroup(
    "make",
    has=lambda task: task.make,
    build=build,
    help="Make material, and the truth when it is known. The first verb; it names the task.",
)
