"""earmark reconcile."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import StudyCommand, command
from earmark.cli.options import existing, given, options_for
from earmark.cli.talk import Voice
from earmark.task.options import merged, options_of
from earmark.task.task import Task
from earmark.values.errors import InputError

SHOWN = 10


def _options(task: Task) -> list[click.Option]:
    return options_for(task.reconcile.values())


class ReconcileCommand(StudyCommand):
    """A study's answers, or with --answers a bare file of them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """With --answers the options are those of bare files, and of --task's when it is named."""
        if "--answers" in args:
            ctx.meta["bare"] = _bare(
                args[args.index("--task") + 1] if "--task" in args[:-1] else ""
            )
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Add the options of the function that reads bare files."""
        own = super().get_params(ctx)
        bare = ctx.meta.get("bare")
        if bare is None:
            return own
        known = {param.name for param in own}
        return [*own, *(o for o in options_for(bare) if o.name not in known)]


def _bare(task: str) -> list[Callable[..., Any]]:
    """The function that reconciles bare files, and the ways whose options it hands on."""
    from earmark import tasks
    from earmark.reconcile.bare import reconcile_file

    if not task:
        return [reconcile_file]
    found = tasks.load(task)
    if found.reconcile_files is None:
        raise InputError(f"{task} reconciles no bare files", fix="leave --task out")
    return [found.reconcile_files, *found.reconcile.values()]


def reconcile_answers(voice: Voice, values: dict[str, Any]) -> None:
    """A table of answers in, a folder with the reference and the people out."""
    if values["out"] is None:
        raise InputError("bare files need a folder to write to", fix="pass --out DIR")
    functions = _bare(values["task"] or "")
    own = options_of(functions[0])
    told = {name: v for name, v in given(values, merged(functions)).items() if name != "by"}
    options: dict[str, Any] = {name: v for name, v in told.items() if name in own}
    if "options" in inspect.signature(functions[0]).parameters:
        options["options"] = {name: v for name, v in told.items() if name not in own}
    done = functions[0](
        existing(values["answers"]),
        by=values["by"] or "mace",
        out=values["out"],
        seed=values["seed"] or 0,
        **options,
    )
    lines = [f"{values['out']}: {done['items']} items from {done['people']} people"]
    if "labels" in done:
        lines.append("labels as given: " + _counted(done["labels"]))
    voice.result({"out": str(values["out"]), **done}, lambda: iter(lines))


def _counted(labels: dict[str, int]) -> str:
    """The labels with their counts, so that a misspelling is seen; `--json` has them all."""
    ranked = sorted(labels.items(), key=lambda pair: (-pair[1], pair[0]))
    rare = f", ... {len(ranked) - 2 * SHOWN} more ..." if len(ranked) > 2 * SHOWN else ""
    first, last = ranked[:SHOWN], ranked[SHOWN:][-SHOWN:]
    told = [", ".join(f"{label} {count}" for label, count in part) for part in (first, last)]
    return told[0] + rare + (f", {told[1]}" if last else "")


def handler(voice: Voice, values: dict[str, Any]) -> None:
    """Reconcile a study's answers, or a bare file of them."""
    from earmark.study import Study

    if values["answers"] is not None:
        reconcile_answers(voice, values)
        return
    if values["study"] is None:
        raise InputError(
            "reconcile needs a study, or a file of answers",
            fix="earmark reconcile STUDY, or --answers FILE --out DIR",
        )
    study = Study.open(values["study"], seed=values["seed"])
    options = given(values, merged(study.task.reconcile.values()))
    told = study.reconcile(values["by"], values["name"], **options)
    line = f"{told['reference']}: {told['items']} items from {told['people']} people"
    voice.result({"study": str(study.folder), **told}, lambda: iter([line]))


reconcile = command(
    "reconcile",
    "Make many answers one reference, with doubt.",
    "earmark reconcile street --by mace --trust 0.6 --share 0.8\n"
    "earmark reconcile --answers answers.csv --by mace --out reconciled",
    params=[
        click.Argument(
            ["study"], type=click.Path(path_type=Path), metavar="[STUDY]", required=False
        ),
        click.Option(
            ["--answers"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Answers without a study: columns item, person, label.",
        ),
        click.Option(["--task"], metavar="TASK", help="What the bare answers are about."),
        click.Option(
            ["--out", "-o"],
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="Where the reference of bare answers goes.",
        ),
        click.Option(["--by"], metavar="METHOD", help="How.  [the task's first way]"),
        click.Option(["--name"], metavar="NAME", help="What to call it.  [the method's name]"),
    ],
    handler=handler,
    kind=ReconcileCommand,
    task_options=_options,
)
