"""earmark ask."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import StudyCommand, command, study_argument
from earmark.cli.options import existing, given, options_for
from earmark.cli.talk import Voice
from earmark.values.options import options_of
from earmark.values.task import Task


def _options(task: Task) -> list[click.Option]:
    return options_for([task.ask.units]) if task.ask else []


def handler(voice: Voice, values: dict[str, Any]) -> None:
    """Plan the questions; take or simulate answers."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    options = given(values, options_of(study.question().units))
    if values["import_from"]:
        options["import_from"] = existing(values["import_from"])
    if values["simulate"]:
        options["simulate"] = True
        crowd = None if values["crowd"] is None else Path(values["crowd"])
        options["crowd"] = existing(crowd) if crowd else None
    terms = ("people", "apart", "pay", "fee", "more")
    options |= {name: values[name] for name in terms if values[name] is not None}
    told = study.ask(**options)

    def lines() -> Iterator[str]:
        yield f"{told['units']} questions, {told['opinions']} opinions, {told['hours']} hours"
        yield f"{told['batches']} batches; {told['money']:.2f} with the market's fee"
        yield f"{told['answers']} answers from {told['answered_by']} people"

    voice.result({"study": str(study.folder), **told}, lines)


ask = command(
    "ask",
    "Cut the material into unit questions; say what asking costs; take or simulate answers. "
    "Without --import or --simulate it asks nobody: it plans.",
    "earmark ask street --people 5\nearmark ask street --simulate --seed 7\n"
    "earmark ask street --import answers.csv",
    params=[
        study_argument(),
        click.Option(
            ["--people"],
            type=click.IntRange(1),
            metavar="N",
            help="Opinions wanted for every question.  [5]",
        ),
        click.Option(
            ["--apart"],
            type=click.FloatRange(0),
            metavar="X",
            help="Seconds between neighbours of one batch.  [15]",
        ),
        click.Option(
            ["--pay"], type=click.FloatRange(0), metavar="X", help="Pay for one answer.  [0.10]"
        ),
        click.Option(
            ["--fee"],
            type=click.FloatRange(0),
            metavar="X",
            help="The share that a crowd market adds.  [0.20]",
        ),
        click.Option(
            ["--more"],
            type=click.IntRange(1),
            metavar="N",
            help="Ask again about N questions, where the doubt is greatest.",
        ),
        click.Option(
            ["--import", "import_from"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Take answers that people gave elsewhere.",
        ),
        click.Option(["--simulate"], is_flag=True, help="Answer with a simulated crowd."),
        click.Option(
            ["--crowd"],
            type=click.Path(path_type=Path),
            metavar="TOML",
            help="What the simulated crowd is like.",
        ),
    ],
    handler=handler,
    kind=StudyCommand,
    task_options=_options,
)
