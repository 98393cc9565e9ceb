"""earmark reconcile."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from earmark import tasks
from earmark.cli.commands import Offer, command, task_among, value_among
from earmark.cli.options import existing
from earmark.cli.terminal import Terminal
from earmark.task.options import options_of, record_of
from earmark.task.task import Json
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.names import counted

LABELS_NAMED = 10  # at either end of the list: the usual ones, and the rare ones that may be typos


def run_reconcile(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Reconcile a study's answers, or a file of answers without a study."""
    from earmark.study import Study

    if values["answers"] is not None:
        _reconcile_file(terminal, values, options)
        return
    if values["study"] is None:
        raise InputError(
            "reconcile needs a study, or a file of answers",
            fix="earmark reconcile STUDY, or --answers FILE --out DIR",
        )
    study = Study.open(values["study"], seed=values["seed"])
    result = study.reconcile(values["by"], values["name"], **options)
    line = f"{result['reference']}: {_from_people(result)}"
    terminal.result({"study": str(study.folder), **result}, lambda: iter([line]))


def _reconcile_file(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Reconcile a table of answers: a folder with the reference and the people is written."""
    if values["out"] is None:
        raise InputError("answers without a study need a folder to write to", fix="pass --out DIR")
    function, methods = _file_functions(values["task"])
    by = checks.one_of(values["by"] or next(iter(methods)), methods, what="way of reconciling")
    reading = options_of(function)
    record = record_of(function)
    chosen = {name: value for name, value in options.items() if name in reading}
    result = function(
        existing(values["answers"]),
        **({"options": record(**chosen)} if record else {}),
        by=by,
        how={name: value for name, value in options.items() if name not in reading},
        out=values["out"],
        seed=values["seed"] or 0,
    )
    terminal.result({"out": str(values["out"]), **result}, lambda: _lines(values["out"], result))


def _file_functions(
    task: str | None,
) -> tuple[Callable[..., Json], Mapping[str, Callable[..., Any]]]:
    """Return the function that reconciles files of answers, and its methods by name."""
    from earmark.reconcile.bare import METHODS, reconcile_file

    if not task:
        return reconcile_file, METHODS
    named = tasks.load(task)
    if named.reconcile_files is None:
        raise InputError(f"{task} reconciles no files without a study", fix="leave --task out")
    return named.reconcile_files, named.reconcile


def _from_people(result: Json) -> str:
    people = counted(result["people"], "person", "people")
    return f"{counted(result['items'], 'item')} from {people}"


def _lines(out: Path, result: Json) -> Iterator[str]:
    yield f"{out}: {_from_people(result)}"
    if "labels" in result:
        yield "labels as given: " + _counted(result["labels"])


def _counted(labels: dict[str, int]) -> str:
    """Return the labels with their counts, so that a misspelling is seen; `--json` has them all."""
    ranked = sorted(labels.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = [f"{label} {count}" for label, count in ranked]
    if len(shown) > 2 * LABELS_NAMED:
        between = f"... {len(shown) - 2 * LABELS_NAMED} more ..."
        shown = [*shown[:LABELS_NAMED], between, *shown[-LABELS_NAMED:]]
    return ", ".join(shown)


def offer(words: list[str]) -> Offer:
    """Return the options of the method that `--by` names, or of the first, and no others."""
    reading: tuple[Callable[..., Any], ...] = ()
    if any(word == "--answers" or word.startswith("--answers=") for word in words):
        function, methods = _file_functions(value_among(words, "--task"))
        reading = (function,)
    else:
        task = task_among(words)
        methods = task.reconcile if task else {}
    by = value_among(words, "--by") or next(iter(methods), None)
    if by is None or by not in methods:
        return Offer()
    return Offer.of(f"reconciling by {by}", *reading, methods[by])


reconcile = command(
    "reconcile",
    "Make many answers one reference, with doubt. "
    "`earmark reconcile STUDY --by METHOD --help` shows the options of that method.",
    "earmark reconcile street --by mace --share 0.8\n"
    "earmark reconcile --answers answers.csv --by mace --out reconciled\n"
    "earmark reconcile --answers tags.csv --out reconciled "
    "--columns item=Input.clip,person=WorkerId,label=Answer.tag",
    params=[
        click.Argument(
            ["study"], type=click.Path(path_type=Path), metavar="[STUDY]", required=False
        ),
        click.Option(
            ["--answers"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Answers without a study: columns item, person, label, or as --columns says.",
        ),
        click.Option(["--task"], metavar="TASK", help="What answers without a study are about."),
        click.Option(
            ["--out", "-o"],
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="Where the reference of answers without a study goes.",
        ),
        click.Option(["--by"], metavar="METHOD", help="How.  [the task's first way]"),
        click.Option(["--name"], metavar="NAME", help="What to call it.  [the method's name]"),
    ],
    handler=run_reconcile,
    offer=offer,
)
