"""earmark run."""

from typing import Any

import click

from earmark.cli.commands import Offer, chosen_among, command, study_argument, task_among
from earmark.cli.terminal import Terminal
from earmark.values.names import counted

FLAGS = ("--json", "--quiet", "--help")  # options that take no value


def run_run(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Run one system on a study."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    result = study.run(
        values["system"], name=values["name"], train_on=values["train_on"], **options
    )
    outputs = counted(result["outputs"], "output")
    line = f"{result['system']}: {outputs} in {result['cost']['seconds']:.1f} s"
    terminal.result({"study": str(study.folder), **result}, lambda: iter([line]))


def offer(words: list[str]) -> Offer:
    """Return the options of the system that is named, or those of reading outputs."""
    task = task_among(words)
    system = chosen_among(_positional(words)[1:], task.run) if task else None
    if task and system:
        return Offer.of(f"the system {system}", task.run[system])
    return Offer.of("a file of outputs", task.outputs) if task and task.outputs else Offer()


def _positional(words: list[str]) -> list[str]:
    """Return the words that are no options and no values of them: the study, the system."""
    return [
        word
        for before, word in zip(["", *words], [*words, "-"], strict=True)
        if not word.startswith("-")
        and (not before.startswith("--") or "=" in before or before in FLAGS)
    ]


run = command(
    "run",
    "Run a built-in system on a study, or take a file or folder of outputs as a system. "
    "`earmark run STUDY SYSTEM --help` shows the options of that system, "
    "`earmark run STUDY --help` those of reading outputs.",
    "earmark run talk gru\nearmark run sounds captions.csv --name mine",
    params=[
        study_argument(),
        click.Argument(["system"], metavar="SYSTEM|FILE|FOLDER"),
        click.Option(["--name"], metavar="NAME", help="What to call it.  [the system's name]"),
        click.Option(["--train-on"], metavar="REFERENCE", help="Learn from this reference."),
    ],
    handler=run_run,
    offer=offer,
)
