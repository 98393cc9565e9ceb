"""earmark ask."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import StudyCommand, command, study_argument
from earmark.cli.options import existing, given, options_for
from earmark.cli.talk import Voice
from earmark.task.options import options_of
from earmark.task.task import Task

NAMED = 8
TERMS = ("people", "apart", "pay", "fee", "more", "cap", "trials", "pass_share")


def _options(task: Task) -> list[click.Option]:
    return options_for([task.ask.units]) if task.ask else []


def handler(voice: Voice, values: dict[str, Any]) -> None:
    """Plan the questions; take or simulate answers."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    options = given(values, options_of(study.question().units))
    if values["import_from"]:
        options["import_from"] = existing(values["import_from"])
    for name in ("crowd", "known"):
        if values[name] is not None:
            options[name] = existing(values[name])
    if values["simulate"]:
        options["simulate"] = True
    options |= {name: values[name] for name in TERMS if values[name] is not None}
    told = study.ask(**options)
    voice.result({"study": str(study.folder), **told}, lambda: _lines(told))


def _lines(told: dict[str, Any]) -> Iterator[str]:
    yield f"{told['units']} questions, {told['opinions']} opinions, {told['hours']} hours"
    yield f"{told['batches']} batches; {told['money']:.2f} with the market's fee"
    if "cap" in told:
        yield f"at most {told['cap']} answers each: at least {told['people_at_least']} people"
    if "trials" in told:
        tried = f"{told['trials']} trial questions each, for {told['people_at_least']} people"
        yield f"{tried}, are in it; everyone who fails adds {told['each_failure']:.2f}"
    yield f"{told['answers']} answers from {told['answered_by']} people"
    if told["answers"] and told["unanswered"]:
        yield f"questions that nobody has answered yet: {told['unanswered']}"
    if "failed_trial" in told:
        yield f"left out, {told['answers_left_out']} answers: " + _named(
            "failed the trial", told["failed_trial"]
        )
    if "over_cap" in told:
        yield _named("gave more answers than the cap, which count all the same", told["over_cap"])


def _named(what: str, people: dict[str, Any]) -> str:
    """How many people did what, and the first of them by name; `--json` has them all."""
    names = [f"{name} ({count})" for name, count in people.items()]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{len(names)} people {what}: {', '.join(names[:NAMED])}{more}"


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
            ["--cap"],
            type=click.IntRange(1),
            metavar="N",
            help="Answers that one person may give; whoever gave more is noted.",
        ),
        click.Option(
            ["--trials"],
            type=click.IntRange(0),
            metavar="N",
            help="Trial questions with known answers before the real ones.",
        ),
        click.Option(
            ["--pass-share"],
            type=click.FloatRange(0, 1),
            metavar="X",
            help="The share of trials to get right; others are left out, and named.  [0.75]",
        ),
        click.Option(
            ["--known"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Right answers to the trial questions, as an answer file.",
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
            help="What the simulated crowd is like; its cap and trial hold unless given here.",
        ),
    ],
    handler=handler,
    kind=StudyCommand,
    task_options=_options,
)
