"""earmark export."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import Offer, command, study_argument, task_among, value_among
from earmark.cli.terminal import Terminal
from earmark.task.export import EVERYTHING, NOUNS
from earmark.task.task import Json

FILES_NAMED = 5  # of an export's files, in the line for a person; --json has them all


def run_export(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Write part of a study in another format."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    named = {name: values[name] for name in ("what", "reference", "system")}
    result = study.export(values["folder"], values["to"], **named, **options)
    terminal.result({"study": str(study.folder), **result}, lambda: _lines(result))


def _lines(result: Json) -> Iterator[str]:
    one, several = NOUNS[result["what"]]
    count, files = result["count"], result["files"]
    of = f" of {result['name']}" if result["what"] in ("references", "outputs") else ""
    shown = ", ".join(files[:FILES_NAMED]) + (", ..." if len(files) > FILES_NAMED else "")
    plural = "file" if len(files) == 1 else "files"
    yield (
        f"{result['out']}: {count} {one if count == 1 else several}{of} as {result['format']}, "
        f"{len(files)} {plural}: {shown}"
    )
    yield from result["notes"]


def offer(words: list[str]) -> Offer:
    """Return the options of the format that `--to` names."""
    from earmark.export import FORMATS
    from earmark.study.export import exporter

    task, to = task_among(words), value_among(words, "--to")
    if task is None or to is None or not (to in task.export or to in FORMATS):
        return Offer()
    return Offer.of(f"the format {to}", exporter(task, to).write)


export = command(
    "export",
    "Write part of a study in the field's own formats, to a new folder. Every task has csv, tsv, "
    "jsonl and parquet; docs/formats.md lists the others of each task. "
    "`earmark export STUDY DIR --to FORMAT --help` shows the options of that format.",
    "earmark export street batch --to mturk --url https://example.org/sounds\n"
    "earmark export street events --to dcase --reference mace\n"
    "earmark export street answers --to csv --what answers",
    params=[
        study_argument(),
        click.Argument(["folder"], type=click.Path(path_type=Path), metavar="DIR"),
        click.Option(["--to"], required=True, metavar="FORMAT", help="The format."),
        click.Option(
            ["--what"],
            type=click.Choice(EVERYTHING),
            default=None,
            help="What of the study.  [what the format is mostly used for]",
        ),
        click.Option(
            ["--reference"], metavar="NAME", help="Which reference.  [truth, or the only]"
        ),
        click.Option(["--system"], metavar="NAME", help="Whose outputs.  [the only system's]"),
    ],
    handler=run_export,
    offer=offer,
)
