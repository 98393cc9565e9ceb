"""earmark measure."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import TaskGroup, command
from earmark.cli.options import given, options_for
from earmark.cli.score import score_lines
from earmark.cli.talk import Voice
from earmark.task.options import merged
from earmark.task.task import Json, Task


def _functions(task: Task) -> list[Callable[..., Any]]:
    return [f for f in (task.measure, *task.score.values()) if f]


def handle(task: Task, voice: Voice, values: dict[str, Any]) -> None:
    """Do it for one task."""
    functions = _functions(task)
    from earmark.score.measure import measure

    told = measure(
        task,
        values["reference"],
        values["output"],
        metrics=values["metric"] or None,
        resamples=values["resamples"],
        seed=values["seed"] or 0,
        options=given(values, merged(functions)),
    )
    voice.result(told, partial(lines, task, told))


def lines(task: Task, told: Json) -> Iterator[str]:
    """The scores, what a reader should know about the files, and what the task tells besides."""
    yield from score_lines(task.name, told["scores"], told["details"])
    for name, value in told["details"].items():
        if isinstance(value, list | str | int | float) and name not in told["scores"]:
            parts = value if isinstance(value, list) else [value]
            yield from (f"{name.replace('_', ' ')}: {part}" for part in parts)
    if task.describe:
        yield from task.describe(told["details"])


def build(task: Task) -> click.Command:
    """`earmark measure TASK`."""
    functions = _functions(task)

    return command(
        task.name,
        f"Score files for {task.name}, no study. {task.title}.",
        f"earmark measure {task.name} --reference a --output b --json",
        params=[
            click.Option(
                ["--reference"],
                multiple=True,
                required=True,
                metavar="PATH",
                type=click.Path(path_type=Path),
                help="What is held to be right.",
            ),
            click.Option(
                ["--output", "-o"],
                metavar="PATH",
                type=click.Path(path_type=Path),
                help="What a system said.",
            ),
            click.Option(["--metric"], multiple=True, metavar="NAME", help="Only these.  [all]"),
            click.Option(
                ["--resamples"],
                type=click.IntRange(0),
                default=1000,
                metavar="N",
                help="Bootstrap resamples; 0 for no intervals.  [1000]",
            ),
            *options_for(functions),
        ],
        handler=partial(handle, task),
    )


measure = TaskGroup(
    "measure",
    has=lambda task: task.measure,
    build=build,
    help="Score two files, no study. Prints every metric of the task with its signature.",
)
