"""earmark audit."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import Offer, TaskGroup, command
from earmark.cli.terminal import Terminal
from earmark.report.tables import with_interval
from earmark.task.options import call_with
from earmark.task.task import Json, Task
from earmark.values.names import counted


def run_audit(
    task: Task, terminal: Terminal, values: dict[str, Any], options: dict[str, Any]
) -> None:
    """Compare metrics with people's preferences."""
    result = call_with(
        _audit(task),
        values["benchmark"],
        values["metric"],
        seed=values["seed"] or 0,
        options=options,
    )
    terminal.result({"task": task.name, **result}, partial(_lines, task, result))


def _audit(task: Task) -> Callable[..., Json]:
    if task.audit is None:
        raise TypeError(f"{task.name} has no audit")
    return task.audit


def _lines(task: Task, result: Json) -> Iterator[str]:
    """Yield every cell, and what the task explains besides."""
    for metric, cells in result["metrics"].items():
        for cell, score in cells.items():
            yield f"{metric:<16} {cell:<6} {with_interval(score)}   {_pairs(score)}"
    if task.describe:
        yield from task.describe(result["details"])


def _pairs(score: Json) -> str:
    pairs = score.get("pairs")
    return counted(pairs, "pair") if isinstance(pairs, int) else ""


def build(task: Task) -> click.Command:
    """Return `earmark audit TASK`."""
    return command(
        task.name,
        f"How well does a metric agree with people, for {task.name}?",
        task.examples.get(
            "audit",
            f"earmark audit {task.name} --benchmark pairs.json --metric {next(iter(task.score))}",
        ),
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
        ],
        handler=partial(run_audit, task),
        offer=lambda words: Offer.of(f"auditing {task.name}", _audit(task)),
    )


audit = TaskGroup(
    "audit",
    has=lambda task: task.audit,
    build=build,
    help="How well does a metric agree with people?",
)
