"""earmark report."""

from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import command, study_argument
from earmark.cli.talk import Voice


def handler(voice: Voice, values: dict[str, Any]) -> None:
    """Write the page."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    path = study.report(values["out"])
    voice.result({"study": str(study.folder), "page": str(path)}, lambda: iter([str(path)]))
    if values["open"]:
        click.launch(str(path))


report = command(
    "report",
    "Write one HTML page that needs nothing else: board, pictures, scores, how to repeat them.",
    "earmark report street --open",
    params=[
        study_argument(),
        click.Option(
            ["--out", "-o"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Where to.  [STUDY/6-report/index.html]",
        ),
        click.Option(["--open"], is_flag=True, help="Show it in the browser."),
    ],
    handler=handler,
)
