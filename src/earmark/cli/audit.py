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
from earmark.values.options import options_of
from earmark.values.task import Json, Task


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

    voice.result({"task": task.name, **told}, partial(lines, told))


def lines(told: Json) -> Iterator[str]:
    """Every cell; every pair of metrics; how often padding pays, when that was asked."""
    for metric, cells in told["metrics"].items():
        for cell, score in cells.items():
            yield f"{metric:<16} {cell:<6} {shown(score)}   {score.get('pairs')} pairs"
    for found in told["details"].get("differences", ()):
        one, other = found["metrics"]
        value = shown({**found, "value": found["difference"]})
        chance = found["mcnemar_p"]
        yield f"{one} - {other}   {value}   {f'p {chance:.4f}' if chance >= 1e-4 else 'p < 0.0001'}"
    judges = told["details"].get("one_judge_against_the_rest")
    if judges:
        yield f"one judge against the rest: {min(judges):.3f} to {max(judges):.3f}"
    attacks = told["details"].get("attacks")
    if attacks:
        yield "share of captions whose score rises when padded"
        for name, shares in attacks.items():
            told_by = "   ".join(f"{metric} {share:.2f}" for metric, share in shares.items())
            yield f"  {name:<24} {told_by}"


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
