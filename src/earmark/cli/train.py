"""earmark train."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import TaskGroup, command
from earmark.cli.options import given, options_for
from earmark.cli.talk import Voice
from earmark.task.options import merged, must_take
from earmark.task.task import Task
from earmark.values import checks


def handle(task: Task, voice: Voice, values: dict[str, Any]) -> None:
    """Do it for one task."""
    from earmark.study import Study

    name = checks.one_of(values["system"], task.train, what="trainable system", at=task.name)
    options = given(values, merged(task.train.values()))
    if values["study"]:
        study = Study.open(values["study"], seed=values["seed"])
        card = study.train(name, out=values["out"], train_on=values["train_on"], **options)
    else:
        must_take(task.train[name], options, what=f"training {name}")
        card = task.train[name](None, out=values["out"], seed=values["seed"] or 0, **options)
    document = {"task": task.name, "system": name, "model": str(values["out"]), "card": card}
    voice.result(document, lambda: iter([json.dumps(card, indent=2, ensure_ascii=False)]))


def build(task: Task) -> click.Command:
    """`earmark train TASK`."""
    return command(
        task.name,
        f"Train a system for {task.name}: {', '.join(task.train)}.",
        f"earmark train {task.name} {next(iter(task.train))} --study my-study --out model",
        params=[
            click.Argument(["system"], metavar="SYSTEM"),
            click.Option(
                ["--study"],
                type=click.Path(path_type=Path),
                metavar="STUDY",
                help="Learn from the reference of this study.",
            ),
            click.Option(
                ["--train-on"],
                metavar="REFERENCE",
                help="Which reference of the study.  [the truth]",
            ),
            click.Option(
                ["--out", "-o"],
                type=click.Path(path_type=Path),
                required=True,
                metavar="MODEL",
                help="Where the model goes.",
            ),
            *options_for(task.train.values()),
        ],
        handler=partial(handle, task),
    )


train = TaskGroup(
    "train",
    has=lambda task: task.train,
    build=build,
    help="Train a system from data named here; `run STUDY SYSTEM --model MODEL` uses it.",
)
