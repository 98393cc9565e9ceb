"""earmark tour."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import command
from earmark.cli.talk import DONE, NO, Voice
from earmark.task.progress import listening
from earmark.values import checks


def handler(voice: Voice, values: dict[str, Any]) -> int:
    """Walk the road of every task."""
    from earmark.study import tour as walks

    for name in values["task"]:
        checks.one_of(name, walks.stops(), what="tour of a task")
    told = walks.tour(
        values["folder"],
        seed=values["seed"] or 0,
        processes=values["processes"],
        only=values["task"],
        listener=listening(),
    )

    def lines() -> Iterator[str]:
        for name, one in told["tasks"].items():
            yield f"{name:<12} {one['seconds']:6.1f} s   {'FAILED' if one['problem'] else 'done'}"
            if one["problem"]:
                yield one["problem"]
        yield str(told["page"])

    voice.result(told, lines)
    return DONE if told["ok"] else NO


tour = command(
    "tour",
    "Walk the whole road for every task on material that Earmark makes itself, offline, and end in "
    "one HTML page with pictures, sound and scores.",
    "earmark tour /tmp/tour",
    params=[
        click.Argument(
            ["folder"], type=click.Path(path_type=Path), default=Path("tour"), metavar="[DIR]"
        ),
        click.Option(["--task"], multiple=True, metavar="NAME", help="Only these tasks.  [all]"),
        click.Option(
            ["--processes"],
            type=click.IntRange(1),
            default=2,
            metavar="N",
            help="How many tasks at once.  [2]",
        ),
    ],
    handler=handler,
)
