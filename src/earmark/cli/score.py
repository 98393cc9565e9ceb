"""earmark score."""

from collections.abc import Iterator
from typing import Any

import click

from earmark.cli.commands import StudyCommand, command, study_argument
from earmark.cli.options import given, options_for
from earmark.cli.talk import Voice
from earmark.task.options import merged
from earmark.task.task import Json, Task


def _options(task: Task) -> list[click.Option]:
    return options_for(task.score.values())


def score_lines(task: str, scores: Json, details: Json) -> Iterator[str]:
    """Two lines a metric, ready to paste: the number, and its signature; why there is none."""
    for name, score in scores.items():
        value = "undefined" if score["value"] is None else f"{score['value']:.3f}"
        interval = "" if score["low"] is None else f" [{score['low']:.3f}, {score['high']:.3f}]"
        items = "1 item" if score["items"] == 1 else f"{score['items']} items"
        yield f"{task}.{name} = {value}{interval}   {items}"
        yield score["signature"]
        if score["value"] is None and details.get(name, {}).get("undefined"):
            yield f"  {details[name]['undefined']}"


def handler(voice: Voice, values: dict[str, Any]) -> None:
    """Score every system of a study."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    options = given(values, merged(study.task.score.values()))
    told = study.score(
        values["against"],
        resamples=values["resamples"],
        metrics=values["metric"] or None,
        **options,
    )

    def lines() -> Iterator[str]:
        for system, found in told["systems"].items():
            yield f"# {'person ' if found['human'] else ''}{system}"
            yield from score_lines(study.task.name, found["scores"], found["details"])

    voice.result(told, lines)


score = command(
    "score",
    "Score every system against a reference, with intervals, paired tests and a board; people are "
    "scored beside them where they answered.",
    "earmark score street --against mace --resamples 1000",
    params=[
        study_argument(),
        click.Option(["--against"], metavar="REFERENCE", help="Which reference.  [the truth]"),
        click.Option(
            ["--resamples"],
            type=click.IntRange(0),
            default=1000,
            metavar="N",
            help="Bootstrap resamples; 0 for no intervals.  [1000]",
        ),
        click.Option(["--metric"], multiple=True, metavar="NAME", help="Only these.  [all]"),
    ],
    handler=handler,
    kind=StudyCommand,
    task_options=_options,
)
