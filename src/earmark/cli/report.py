"""earmark report."""

from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import command, study_argument
from earmark.cli.terminal import Terminal


def run_report(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Write the page of a study."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    path = study.report(values["out"])
    terminal.result({"study": str(study.folder), "page": str(path)}, lambda: iter([str(path)]))
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
    handler=run_report,
)
