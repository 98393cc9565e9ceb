"""earmark score."""

from collections.abc import Iterator
from typing import Any

import click

from earmark.cli.choice_lines import choice_lines
from earmark.cli.commands import Offer, command, metric_options, study_argument, task_among
from earmark.cli.score_lines import exit_code, people_line, score_lines
from earmark.cli.terminal import Terminal
from earmark.score.table import notes_of
from earmark.task.task import Json


def run_score(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> int:
    """Score every system of a study; the exit code is 1 where every score is undefined."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    result = study.score(
        values["against"],
        resamples=values["resamples"],
        metrics=values["metric"] or None,
        people=values["people"],
        choices=values["choices"],
        **options,
    )
    terminal.result(result, lambda: _lines(study.task.name, result))
    return exit_code(
        result["systems"].values(),
        fix="check the reference and the outputs, or name another with --against",
    )


def _lines(task: str, result: Json) -> Iterator[str]:
    for system, row in result["systems"].items():
        yield f"# {system}"
        yield from score_lines(task, row["scores"], row["details"])
    if "people" in result:
        yield f"# people: {people_line(result['people'])}"
    for name, rows in result.get("choices", {}).items():
        yield from choice_lines(name, rows)
    if len(result["systems"]) > 1:
        rows = [{"metric": name, **row} for name, board in result["board"].items() for row in board]
        yield from notes_of(rows)


def offer(words: list[str]) -> Offer:
    """Return the options of the metrics of the study's task."""
    task = task_among(words)
    return Offer.of(f"scoring {task.name}", *task.score.values()) if task else Offer()


score = command(
    "score",
    "Score every system against a reference, with intervals, paired tests and a board; people are "
    "scored beside them where they answered, everybody on a reference that leaves them out.",
    "earmark score street --against mace --resamples 1000\n"
    "earmark score street --metric event_f1 --choices",
    params=[
        study_argument(),
        click.Option(["--against"], metavar="REFERENCE", help="Which reference.  [the truth]"),
        *metric_options(),
        click.Option(
            ["--people"],
            type=click.IntRange(0),
            default=30,
            metavar="N",
            help="People to score beside the systems at most, drawn at random; 0 for nobody.  [30]",
        ),
        click.Option(
            ["--choices"],
            is_flag=True,
            help="Rank also under every setting that the task declares (collar, limit, beta).",
        ),
    ],
    handler=run_score,
    offer=offer,
)
