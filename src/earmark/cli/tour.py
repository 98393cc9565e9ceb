"""earmark tour."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import command
from earmark.cli.terminal import DONE, NO, Terminal
from earmark.task.progress import current_listener


def run_tour(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> int:
    """Run the tour of every task."""
    from earmark.study.tour import tour as run_all

    result = run_all(
        values["folder"],
        seed=values["seed"] or 0,
        processes=values["processes"],
        only=values["task"],
        listener=current_listener(),
    )

    def lines() -> Iterator[str]:
        for name, task in result["tasks"].items():
            state = "FAILED" if task["problem"] else "done" if task["page"] else "left out"
            yield f"{name:<12} {task['seconds']:6.1f} s   {state}"
            if task["problem"]:
                yield task["problem"]
            yield from (f"  without {line}" for line in task["left_out"])
        yield str(result["page"])

    terminal.result(result, lines)
    return DONE if result["ok"] else NO


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
    handler=run_tour,
)
