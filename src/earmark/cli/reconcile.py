"""earmark reconcile."""

from typing import Any

import click

from earmark.cli.commands import StudyCommand, command, study_argument
from earmark.cli.options import given, options_for
from earmark.cli.talk import Voice
from earmark.values.options import merged
from earmark.values.task import Task


def _options(task: Task) -> list[click.Option]:
    return options_for(task.reconcile.values())


def handler(voice: Voice, values: dict[str, Any]) -> None:
    """Reconcile a study's answers."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    options = given(values, merged(study.task.reconcile.values()))
    told = study.reconcile(values["by"], values["name"], **options)
    line = f"{told['reference']}: {told['items']} items from {told['people']} people"
    voice.result({"study": str(study.folder), **told}, lambda: iter([line]))


reconcile = command(
    "reconcile",
    "Make many answers one reference, with doubt.",
    "earmark reconcile street --by mace --trust 0.6 --share 0.8",
    params=[
        study_argument(),
        click.Option(["--by"], metavar="METHOD", help="How.  [the task's first way]"),
        click.Option(["--name"], metavar="NAME", help="What to call it.  [the method's name]"),
    ],
    handler=handler,
    kind=StudyCommand,
    task_options=_options,
)
