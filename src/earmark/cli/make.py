"""earmark make."""

from functools import partial
from typing import Any

import click

from earmark.cli.commands import Offer, TaskGroup, command, study_argument, value_among
from earmark.cli.terminal import Terminal
from earmark.task.task import Task
from earmark.values.names import counted

OF_EVERY_COMMAND = {"--seed", "--json", "--quiet", "--help"}


def run_make(
    task: Task, terminal: Terminal, values: dict[str, Any], options: dict[str, Any]
) -> None:
    """Make a study's material."""
    from earmark.study import Study

    study = Study.create(values["study"], task=task.name, seed=values["seed"] or 0)
    summary = study.make(values["maker"], **options)
    document = {"study": str(study.folder), "task": task.name, **summary}
    line = f"{study.name}: {counted(summary['items'], 'item')} made"
    terminal.result(document, lambda: iter([line]))


def offer(task: Task, words: list[str]) -> Offer:
    """Return the options of the maker that is named, or of the first that has those given.

    For --help, and where no maker has them all, it is the options of all makers.
    """
    maker = value_among(words, "--maker")
    if maker is not None:
        return Offer.of(f"the maker {maker}", task.make[maker]) if maker in task.make else Offer()
    flags = {word.partition("=")[0] for word in words if word.startswith("--")} - OF_EVERY_COMMAND
    wants_help = "--help" in words or "-h" in words
    for name in task.make if not wants_help else ():
        one = Offer.of(f"the maker {name}", task.make[name])
        own = {f"--{option.flag}" for option in one.options.values()}
        if flags <= own | {flag.replace("--", "--no-", 1) for flag in own}:
            return one
    return Offer.of(f"making {task.name}", *task.make.values())


def build(task: Task) -> click.Command:
    """Return `earmark make TASK`."""
    makers = list(task.make)
    return command(
        task.name,
        f"Make material for {task.name}. {task.title}.",
        task.examples.get("make", f"earmark make {task.name} my-study --seed 7"),
        params=[
            study_argument(),
            click.Option(
                ["--maker"],
                type=click.Choice(makers),
                default=None,
                hidden=len(makers) < 2,
                help="Which maker; `--maker NAME --help` shows its options alone.  [the first that "
                "has the options given]",
            ),
        ],
        handler=partial(run_make, task),
        offer=partial(offer, task),
    )


make = TaskGroup(
    "make",
    has=lambda task: task.make,
    build=build,
    help="Make material, and the truth when it is known. The first verb; it names the task.",
)
