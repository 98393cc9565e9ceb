"""earmark measure."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from earmark.cli.commands import Offer, TaskGroup, command, metric_options
from earmark.cli.score_lines import exit_code, format_option, table_options, worst_lines
from earmark.cli.terminal import Terminal
from earmark.task.progress import notify
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
        worst=values["worst"] or 0,
        explain=values.get("explain", False),
        groups=values["groups"],
        options=options,
    )
    outputs = values["output"]
    result: Board | ScoreSet
    if len(outputs) > 1:
        result = compare_outputs(request, names_of(outputs))
    else:
        result = measure(request, next(iter(outputs), None))
    if values["per_item"]:
        _write_items(values["per_item"], result, outputs)
    terminal.as_json |= values["format"] == "json"
    document = {"task": task.name, **result.as_json()}
    terminal.result(document, partial(_lines, task, result, values))
    scored = list(document["outputs"].values()) if "outputs" in document else [document]
    return exit_code(scored, fix="check what the files hold")


def _write_items(path: Path, result: "Board | ScoreSet", outputs: Sequence[Path]) -> None:
    """Write each item's own value of each metric, for each output by its name."""
    from earmark.score.per_item import write_items
    from earmark.score.results import ScoreSet

    if isinstance(result, ScoreSet):
        scored = {outputs[0].stem if outputs else "output": result}
    else:
        scored = dict(result.outputs)
    write_items(
        path,
        {name: {metric: own.per_item(metric) for metric in own} for name, own in scored.items()},
    )


def _lines(task: Task, result: "Board | ScoreSet", values: dict[str, Any]) -> Iterator[str]:
    """Yield the scores in the form that was asked for; for a person, notes and reasons too."""
    from earmark.score.results import ScoreSet
    from earmark.score.table import WRITERS

    form, by_label = values["format"], values["by_label"]
    if form in WRITERS:
        records = result.records(by_label=by_label)
        yield WRITERS[form](records, result.higher_is_better).rstrip("\n")
        for note in result.notes:
            notify(note)  # not among the rows, which others read
        return
    yield from result.lines(by_label=by_label, signatures=values["signatures"])
    outputs = {"": result} if isinstance(result, ScoreSet) else result.outputs
    for name, scores in outputs.items():
        document = scores.as_json()
        notes = list(_notes(task, document["details"], document["scores"]))
        yield from (f"{name}: {line}" if name else line for line in notes)
        worst = document["details"].get("worst", {})
        yield from worst_lines(worst, result.higher_is_better, of=name)


def _notes(task: Task, details: Json, scores: Json) -> Iterator[str]:
    """Yield notes about the files, and what the task explains besides."""
    for name, value in details.items():
        if isinstance(value, list | str | int | float) and name not in scores:
            parts = value if isinstance(value, list) else [value]
            yield from (f"{name.replace('_', ' ')}: {part}" for part in parts)
    if task.describe:
        yield from task.describe(details)


def _explain_option(task: Task) -> list[click.Option]:
    if not task.explain:
        return []
    text = "Say what each item's scores are made of, worst items first; --worst N for N of them."
    return [click.Option(["--explain"], is_flag=True, help=text)]


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
            format_option(),
            *metric_options(),
            *table_options(),
            *_explain_option(task),
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
