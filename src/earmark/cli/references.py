"""earmark references."""

from collections.abc import Iterator
from typing import Any

import click

from earmark.cli.commands import Offer, command, metric_options, study_argument, task_among
from earmark.cli.terminal import Terminal
from earmark.task.task import Json
from earmark.values.names import counted


def run_references(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Score the same outputs against several references, and compare."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    result = study.compare_references(
        against=values["against"],
        systems=values["system"],
        rows=values["row"],
        metrics=values["metric"] or None,
        groups=values["groups"],
        resamples=values["resamples"],
        **options,
    )
    terminal.result({"study": str(study.folder), **result}, lambda: _lines(result))


def _lines(result: Json) -> Iterator[str]:
    for metric, own in result["metrics"].items():
        width = max(len(row["system"]) for rows in own["rows"] for row in rows)
        other = max(len(name) for name in result["references"])
        for rows in own["rows"]:
            yield f"{metric}, differences to {rows[0]['system']} against {rows[0]['reference']}"
            for row in rows:
                words = f"{row['system']:<{width}}  against {row['reference']:<{other}}"
                difference = _value(row.get("difference"), sign="+")
                yield f"  {words}  {_value(row)}  {difference}".rstrip()
        yield f"{metric}, the order of {counted(len(result['systems']), 'system')}"
        for row in own["orders"]:
            yield from _order_lines(row, other)


def _value(row: Json | None, *, sign: str = "") -> str:
    if row is None:
        return ""
    if row["value"] is None:
        return "undefined"
    interval = "" if row["low"] is None else f" [{row['low']:{sign}.3f}, {row['high']:{sign}.3f}]"
    return f"{row['value']:{sign}.3f}{interval}"


def _order_lines(row: Json, width: int) -> Iterator[str]:
    yield f"  {row['reference']:<{width}}  {' > '.join(row['order'])}"
    swapped = ", ".join(" and ".join(pair) for pair in row["swapped"])
    if swapped:
        pairs = counted(len(row["swapped"]), "pair")
        yield f"  {'':<{width}}  {pairs} of {row['pairs']} turned round: {swapped}"
    if "resampled" in row:
        own = row["resampled"]
        yield (
            f"  {'':<{width}}  in resamples: order changed {own['order_changed']:.0%}, "
            f"another best {own['another_is_best']:.0%}, pairs turned {own['pairs_swapped']:.2f}"
        )


def offer(words: list[str]) -> Offer:
    """Return the options of the metrics of the study's task."""
    task = task_among(words)
    return Offer.of(f"scoring {task.name}", *task.score.values()) if task else Offer()


references = command(
    "references",
    "Score the same outputs against several references: how far scores differ, with intervals, and "
    "how often the order of systems changes. Nothing is written.",
    "earmark references street --metric segment_f1\n"
    "earmark references street --row energy@truth --row energy@mace",
    params=[
        study_argument(),
        click.Option(
            ["--against"],
            multiple=True,
            metavar="REFERENCE",
            help="Which references, the one to compare with first.  [all, the truth first]",
        ),
        click.Option(["--system"], multiple=True, metavar="NAME", help="Only these.  [all]"),
        click.Option(
            ["--row"],
            multiple=True,
            metavar="SYSTEM@REFERENCE",
            help="A row of the table, compared with the first row.  [each system by itself]",
        ),
        *metric_options(),
    ],
    handler=run_references,
    offer=offer,
)
