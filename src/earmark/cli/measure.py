"""earmark measure."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import Offer, TaskGroup, command, metric_options
from earmark.cli.score_lines import exit_code, score_lines
from earmark.cli.terminal import Terminal
from earmark.task.task import Json, Task


def run_measure(
    task: Task, terminal: Terminal, values: dict[str, Any], options: dict[str, Any]
) -> int:
    """Score files of one task; the exit code is 1 where every score is undefined."""
    from earmark.score.measure import measure

    result = measure(
        task,
        values["reference"],
        values["output"],
        metrics=values["metric"] or None,
        resamples=values["resamples"],
        seed=values["seed"] or 0,
        options=options,
    )
    terminal.result(result, partial(_lines, task, result))
    return exit_code([result], fix="check what the two files hold")


def _lines(task: Task, result: Json) -> Iterator[str]:
    """Yield the scores, notes about the files, and what the task explains besides."""
    yield from score_lines(task.name, result["scores"], result["details"])
    for name, value in result["details"].items():
        if isinstance(value, list | str | int | float) and name not in result["scores"]:
            parts = value if isinstance(value, list) else [value]
            yield from (f"{name.replace('_', ' ')}: {part}" for part in parts)
    if task.describe:
        yield from task.describe(result["details"])


def build(task: Task) -> click.Command:
    """Return `earmark measure TASK`."""
    functions = [function for function in (task.measure, *task.score.values()) if function]
    return command(
        task.name,
        f"Score files for {task.name}, no study. {task.title}.",
        task.examples.get(
            "measure", f"earmark measure {task.name} --reference a --output b --json"
        ),
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
            *metric_options(),
        ],
        handler=partial(run_measure, task),
        offer=lambda words: Offer.of(f"measuring {task.name}", *functions),
    )


measure = TaskGroup(
    "measure",
    has=lambda task: task.measure,
    build=build,
    help="Score two files, no study. Prints every metric of the task with its signature.",
)
