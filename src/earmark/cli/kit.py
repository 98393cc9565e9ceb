"""earmark kit."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import command, study_argument
from earmark.cli.terminal import Terminal
from earmark.values.names import counted


def run_kit(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Write the starting kit of a challenge."""
    from earmark.study import Study
    from earmark.study.kit import write_kit

    study = Study.open(values["study"], seed=values["seed"])
    document = write_kit(study.snapshot(), values["folder"], values["practice"])

    def lines() -> Iterator[str]:
        baselines = ", ".join(document["baselines"]) or "none"
        yield f"{document['kit']}: {counted(document['items'], 'item')}, baselines: {baselines}"
        yield f"try it: bash {document['kit']}/try.sh"

    terminal.result(document, lines)


kit = command(
    "kit",
    "Write the starting kit of a challenge: practice data with labels, the rules with the budgets "
    "filled in, a sample submission that passes, the baselines as submissions, and try.sh, which "
    "runs and scores them as the platform will. The practice data are never those that a phase is "
    "scored on.",
    "earmark kit wake kit\nearmark kit wake kit --practice rehearsal",
    params=[
        study_argument(),
        click.Argument(["folder"], type=click.Path(path_type=Path), metavar="DIR"),
        click.Option(
            ["--practice"],
            type=click.Path(path_type=Path),
            metavar="STUDY",
            help="The study of the practice data.  [that of the phase practice, or STUDY itself]",
        ),
    ],
    handler=run_kit,
)
