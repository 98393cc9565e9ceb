"""earmark measure."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from earmark.cli.commands import Offer, TaskGroup, command, metric_options
from earmark.cli.score_lines import exit_code, score_lines
from earmark.cli.terminal import Terminal
from earmark.task.task import Json, Task

if TYPE_CHECKING:
    from earmark.score.results import Board, ScoreSet


def run_measure(
    task: Task, terminal: Terminal, values: dict[str, Any], options: dict[str, Any]
) -> int:
    """Score one output, or several and rank them; exit with 1 if every score is undefined."""
    from earmark.score.measure import MeasureRequest, compare_outputs, measure, names_of

    request = MeasureRequest(
        task=task,
        references=values["reference"],
        metrics=values["metric"] or None,
        resamples=values["resamples"],
        seed=values["seed"] or 0,
        groups=values["groups"],
        options=options,
    )
    outputs = values["output"]
    result: Board | ScoreSet
    if len(outputs) > 1:
        result = compare_outputs(request, names_of(outputs))
    else:
        result = measure(request, next(iter(outputs), None))
    terminal.as_json |= values["format"] == "json"
    document = {"task": task.name, **result.as_json()}
    terminal.result(document, partial(_lines, task, result, values["format"]))
    scored = list(document["outputs"].values()) if "outputs" in document else [document]
    return exit_code(scored, fix="check what the files hold")


def _lines(task: Task, result: "Board | ScoreSet", form: str | None) -> Iterator[str]:
    """Yield a table if one was asked for or there are several outputs; lines if not."""
    from earmark.score.results import ScoreSet
    from earmark.score.table import WRITERS

    if form or not isinstance(result, ScoreSet):
        yield WRITERS[form or "table"](result.records()).rstrip("\n")
    if isinstance(result, ScoreSet):
        if not form:
            document = result.as_json()
            yield from score_lines(task.name, document["scores"], document["details"])
            yield from _notes(task, document["details"], document["scores"])
    elif form in (None, "table"):
        for name, scores in result.outputs.items():
            document = scores.as_json()
            for metric, score in scores.items():
                if score.why:
                    yield f"{metric} of {name}: {score.why}"
            notes = _notes(task, document["details"], document["scores"])
            yield from (f"{name}: {line}" for line in notes)


def _notes(task: Task, details: Json, scores: Json) -> Iterator[str]:
    """Yield notes about the files, and what the task explains besides."""
    for name, value in details.items():
        if isinstance(value, list | str | int | float) and name not in scores:
            parts = value if isinstance(value, list) else [value]
            yield from (f"{name.replace('_', ' ')}: {part}" for part in parts)
    if task.describe:
        yield from task.describe(details)


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
                multiple=True,
                metavar="PATH",
                type=click.Path(path_type=Path),
                help="What a system said; several are scored and ranked.",
            ),
            click.Option(
                ["--format"],
                type=click.Choice(["table", "csv", "md", "latex", "json"]),
                help="How the scores are printed.  [lines; a table for several outputs]",
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
    help="Score files, no study. Prints every metric of the task; several outputs are ranked.",
)
