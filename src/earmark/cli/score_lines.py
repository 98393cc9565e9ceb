"""Scores as lines for a terminal."""

from collections.abc import Iterable, Iterator

import click

from earmark.cli.terminal import DONE, NO
from earmark.task.task import Json
from earmark.values.errors import InputError


def score_lines(task: str, scores: Json, details: Json) -> Iterator[str]:
    """Yield two lines per metric, the number and its signature, and why there is none."""
    for name, score in scores.items():
        value = "undefined" if score["value"] is None else f"{score['value']:.3f}"
        interval = "" if score["low"] is None else f" [{score['low']:.3f}, {score['high']:.3f}]"
        items = "1 item" if score["items"] == 1 else f"{score['items']} items"
        yield f"{task}.{name} = {value}{interval}   {items}"
        yield score["signature"]
        if score["value"] is None and details.get(name, {}).get("undefined"):
            yield f"  {details[name]['undefined']}"
        if details.get(name, {}).get("no_interval"):
            yield f"  no interval: {details[name]['no_interval']}"


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
