"""earmark audit."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import TaskGroup, command
from earmark.cli.options import given, options_for
from earmark.cli.talk import Voice
from earmark.report.tables import shown
from earmark.task.options import options_of
from earmark.task.task import Json, Task


def _audit(task: Task) -> Callable[..., Json]:
    if task.audit is None:
        raise TypeError(f"{task.name} has no audit")
    return task.audit


def handle(task: Task, voice: Voice, values: dict[str, Any]) -> None:
    """Do it for one task."""
    function = _audit(task)
    told = function(
        values["benchmark"],
        values["metric"],
        seed=values["seed"] or 0,
        **given(values, options_of(function)),
    )

    voice.result({"task": task.name, **told}, partial(lines, task, told))


def lines(task: Task, told: Json) -> Iterator[str]:
    """Every cell, and what the task tells besides."""
    for metric, cells in told["metrics"].items():
        for cell, score in cells.items():
            yield f"{metric:<16} {cell:<6} {shown(score)}   {score.get('pairs')} pairs"
    if task.describe:
        yield from task.describe(told["details"])


def build(task: Task) -> click.Command:
    """`earmark audit TASK`."""
    function = _audit(task)

    return command(
        task.name,
        f"How well does a metric agree with people, for {task.name}?",
        f"earmark audit {task.name} --benchmark pairs.json --metric {next(iter(task.score), 'M')}",
        params=[
            click.Option(
                ["--benchmark"],
                required=True,
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Pairs with people's preferences.",
            ),
            click.Option(
                ["--metric"],
                multiple=True,
                required=True,
                metavar="NAME",
                help="Which metric; may be given several times.",
            ),
            *options_for([function]),
        ],
        handler=partial(handle, task),
    )


audit = TaskGroup(
    "audit",
    has=lambda task: task.audit,
    build=build,
    help="How well does a metric agree with people?",
)
