"""earmark train."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import Offer, TaskGroup, chosen_among, command
from earmark.cli.terminal import Terminal
from earmark.task.options import call_with
from earmark.task.task import Task
from earmark.values import checks


def run_train(
    task: Task, terminal: Terminal, values: dict[str, Any], options: dict[str, Any]
) -> None:
    """Train one system of a task."""
    from earmark.files.models import models_explained
    from earmark.study import Study

    name = checks.one_of(values["system"], task.train, what="trainable system", at=task.name)
    if values["study"]:
        study = Study.open(values["study"], seed=values["seed"])
        card = study.train(name, out=values["out"], train_on=values["train_on"], **options)
    else:
        with models_explained():
            card = call_with(
                task.train[name], None, out=values["out"], seed=values["seed"] or 0, options=options
            )
    document = {"task": task.name, "system": name, "model": str(values["out"]), "card": card}
    terminal.result(document, lambda: iter([json.dumps(card, indent=2, ensure_ascii=False)]))


def offer(task: Task, words: list[str]) -> Offer:
    """Return the options of the system that is named, or of all when none is."""
    name = chosen_among(words, task.train)
    if name is None:
        return Offer.of(f"training for {task.name}", *task.train.values())
    return Offer.of(f"training {name}", task.train[name])


def build(task: Task) -> click.Command:
    """Return `earmark train TASK`."""
    return command(
        task.name,
        f"Train a system for {task.name}: {', '.join(task.train)}.",
        task.examples.get(
            "train",
            f"earmark train {task.name} {next(iter(task.train))} --study my-study --out model",
        ),
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
        ],
        handler=partial(run_train, task),
        offer=partial(offer, task),
    )


train = TaskGroup(
    "train",
    has=lambda task: task.train,
    build=build,
    help="Train a system from data named here; `run STUDY SYSTEM --model MODEL` uses it.",
)
