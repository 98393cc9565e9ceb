"""What the commands that score take and print alike."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from earmark.cli.terminal import DONE, NO
from earmark.score.table import arrow
from earmark.score.text_table import aligned
from earmark.task.task import Json
from earmark.values.errors import InputError
from earmark.values.names import counted


def format_option() -> click.Option:
    """Return the option of how scores are printed."""
    return click.Option(
        ["--format"],
        type=click.Choice(["table", "csv", "md", "latex", "json"]),
        help="How the scores are printed.  [table]",
    )


def table_options() -> list[click.Option]:
    """Return the options of what is printed of scores, for the commands that score."""
    return [
        click.Option(
            ["--by-label"], is_flag=True, help="Print each label's (or speaker's) value too."
        ),
        click.Option(
            ["--signatures"],
            is_flag=True,
            help="Print the line that lets a stranger repeat each number; --json always has it.",
        ),
        click.Option(
            ["--per-item"],
            type=click.Path(path_type=Path),
            metavar="F.csv",
            help="Write each item's own value of each metric to a table.",
        ),
        click.Option(
            ["--worst"],
            type=click.IntRange(1),
            metavar="N",
            help="Print the N worst items by each metric named, or by the first.",
        ),
    ]


def worst_lines(worst: Json, higher: Mapping[str, bool], *, of: str = "") -> Iterator[str]:
    """Yield the worst items by each metric, worst first, and how many have no value."""
    for metric, own in worst.items():
        system = f" of {of}" if of else ""
        yield from ["", f"worst{system} by {arrow(metric, higher)}"]
        yield from aligned([[item, f"{value:.3f}"] for item, value in own["items"].items()])
        if own["undefined"]:
            yield f"undefined: {counted(own['undefined'], 'item')}"


def people_line(people: Json) -> str:
    """Return people beside systems by the first metric that has a value, in one line."""
    count = f"{people['scored']} of {people['people']} {people['who']}"
    reasons = "".join(f"; {n} left out: {reason}" for reason, n in people["left_out"].items())
    for name, rows in people["metrics"].items():
        systems = ", ".join(
            f"{system} {_mean(row)}"
            for system, row in rows["systems"].items()
            if row["value"] is not None
        )
        own = f"{count}, {name} {_mean(rows['people'])}"
        return f"{own}; systems on the same references: {systems}{reasons}"
    return f"{count}, none with a value{reasons}"


def _mean(row: Json) -> str:
    interval = "" if row["low"] is None else f" [{row['low']:.3f}, {row['high']:.3f}]"
    return f"{row['value']:.3f}{interval}"


def exit_code(results: Iterable[Json], *, fix: str) -> int:
    """Return 0; or 1, with the reasons on stderr, if no metric has a value in any of the results.

    A script that reads numbers would otherwise take a page of nothing for success.
    """
    rows = [(name, score, result) for result in results for name, score in result["scores"].items()]
    if any(score["value"] is not None for _, score, _ in rows):
        return DONE
    reasons: dict[str, list[str]] = {}
    for name, _, result in rows:
        reason = result["details"].get(name, {}).get("undefined", "undefined")
        reasons.setdefault(reason, []).append(name)
    click.echo(str(InputError("every score is undefined", fix=fix)), err=True)
    for reason, names in reasons.items():
        click.echo(f"  {', '.join(dict.fromkeys(names))}: {reason}", err=True)
    return NO
