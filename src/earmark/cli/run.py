"""earmark run."""

from typing import Any

import click

from earmark.cli.commands import StudyCommand, command, study_argument
from earmark.cli.options import given, options_for
from earmark.cli.talk import Voice
from earmark.task.options import merged
from earmark.task.task import Task


def _options(task: Task) -> list[click.Option]:
    return options_for(task.run.values())


def handler(voice: Voice, values: dict[str, Any]) -> None:
    """Run one system."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    options = given(values, merged(study.task.run.values()))
    told = study.run(values["system"], name=values["name"], train_on=values["train_on"], **options)
    line = f"{told['system']}: {told['outputs']} outputs in {told['cost']['seconds']:.1f} s"
    voice.result({"study": str(study.folder), **told}, lambda: iter([line]))


run = command(
    "run",
    "Run a built-in system on a study, or take a file of outputs as a system.",
    "earmark run talk gru\nearmark run sounds captions.csv --name mine",
    params=[
        study_argument(),
        click.Argument(["system"], metavar="SYSTEM|FILE"),
        click.Option(["--name"], metavar="NAME", help="What to call it.  [the system's name]"),
        click.Option(["--train-on"], metavar="REFERENCE", help="Learn from this reference."),
    ],
    handler=handler,
    kind=StudyCommand,
    task_options=_options,
)
