"""earmark score."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from earmark.cli.challenge import database_option
from earmark.cli.choice_lines import choice_lines
from earmark.cli.commands import Offer, command, metric_options, study_argument, task_among
from earmark.cli.score_lines import (
    exit_code,
    format_option,
    people_line,
    table_options,
    worst_lines,
)
from earmark.cli.terminal import Terminal
from earmark.task.task import Json

if TYPE_CHECKING:
    from earmark.study.score_documents import ItemValues


def run_score(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> int:
    """Score every system of a study; the exit code is 1 where every score is undefined."""
    from earmark.score.build import build_metrics
    from earmark.study import Study

    if values["phase"]:
        from earmark.cli.phase_board import print_board

        return print_board(terminal, values)
    study = Study.open(values["study"], seed=values["seed"])
    names = values["metric"] or None
    result = study.score(
        values["against"],
        resamples=values["resamples"],
        draws=values["draws"],
        metrics=names,
        groups=values["groups"],
        people=values["people"],
        choices=values["choices"],
        **options,
    )
    built = build_metrics(study.task, names, options)
    higher = {name: metric.higher_is_better for name, metric in built.items()}
    if values["per_item"] or values["worst"]:
        _look_at_items(study.item_values(values["against"]), result, higher, values)
    terminal.as_json |= values["format"] == "json"
    terminal.result(result, lambda: _lines(result, higher, values))
    return exit_code(
        result["systems"].values(),
        fix="check the reference and the outputs, or name another with --against",
    )


def _look_at_items(
    items: "ItemValues", result: Json, higher: Mapping[str, bool], values: dict[str, Any]
) -> None:
    """Write the values of items to a table, and add the worst to the details of each system."""
    from earmark.score.per_item import write_items
    from earmark.score.results import worst_of

    if values["per_item"]:
        write_items(values["per_item"], items)
    if values["worst"]:
        for system, own in items.items():
            defined = [m for m in own if not all(map(math.isnan, own[m].values()))]
            chosen = values["metric"] or defined[:1]
            worst = {m: worst_of(own[m], values["worst"], higher[m]) for m in chosen}
            result["systems"][system]["details"]["worst"] = worst


def _lines(result: Json, higher: Mapping[str, bool], values: dict[str, Any]) -> Iterator[str]:
    """Yield the board against the reference; people are summed up in a line."""
    from earmark.score.table import WRITERS
    from earmark.score.text_table import BoardText

    if values["format"] in WRITERS:
        rows = [{"metric": name, **row} for name, rows in result["board"].items() for row in rows]
        yield WRITERS[values["format"]](rows, higher).rstrip("\n")
        return
    systems, people = result["systems"], result.get("people")
    yield f"against {result['details']['reference']}"
    text = BoardText(
        board=result["board"],
        details={name: row["details"] for name, row in systems.items()},
        higher=higher,
    )
    yield from text.lines(by_label=values["by_label"], signatures=values["signatures"])
    if people:
        yield f"people: {people_line(people)}"
    if "draws" in result:
        yield from _draw_lines(result)
    for name, rows in result.get("choices", {}).items():
        yield from choice_lines(name, rows)
    for name, row in systems.items():
        yield from worst_lines(row["details"].get("worst", {}), higher, of=name)


def _draw_lines(result: Json) -> Iterator[str]:
    """Yield what draws of the reference say about the order of the systems."""
    drawn, against = result["draws"], result["details"]["reference"]
    yield (
        f"{drawn['draws']} draws of {against}: {drawn['items_in_doubt']} of {drawn['items']} "
        "items are in doubt"
    )
    for metric, rows in result["board"].items():
        for row in rows:
            if row["value"] is not None:
                ranks = _ranks(row)
                yield f"{metric}: {row['system']} {ranks}, best in {row['probability_best']:.0%}"


def _ranks(row: Json) -> str:
    if row["rank"] is None:
        return "not ranked"
    low, high = row["rank_low"], row["rank_high"]
    return f"rank {low}" if low == high else f"rank {low} to {high}"


def offer(words: list[str]) -> Offer:
    """Return the options of the metrics of the study's task."""
    task = task_among(words)
    return Offer.of(f"scoring {task.name}", *task.score.values()) if task else Offer()


score = command(
    "score",
    "Score every system against a reference, with intervals, paired tests and a board; people are "
    "scored beside them where they answered, everybody on a reference that leaves them out.",
    "earmark score street --against mace --resamples 1000\n"
    "earmark score street --metric event_f1 --choices\n"
    "earmark score wake --phase feedback",
    params=[
        study_argument(),
        click.Option(["--against"], metavar="REFERENCE", help="Which reference.  [the truth]"),
        click.Option(
            ["--draws"],
            type=click.IntRange(0),
            default=0,
            metavar="N",
            help="Draw the reference so often from what people's answers leave open, and rank by "
            "items and draws together; 200 is a good number.  [0]",
        ),
        *metric_options(),
        format_option(),
        *table_options(),
        click.Option(
            ["--people"],
            type=click.IntRange(0),
            default=30,
            metavar="N",
            help="People to score beside the systems at most, drawn at random; 0 for nobody.  [30]",
        ),
        click.Option(
            ["--choices"],
            is_flag=True,
            help="Rank also under every setting that the task declares (collar, limit, beta).",
        ),
        click.Option(
            ["--phase"],
            metavar="NAME",
            help="The board of a challenge's phase, written as page, CSV and JSON.",
        ),
        database_option(),
    ],
    handler=run_score,
    offer=offer,
)
