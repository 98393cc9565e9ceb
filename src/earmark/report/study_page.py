"""What the page of a study shows: its boards, its pictures, its scores, how to repeat them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.report.board import BoardView, board_figure
from earmark.report.choices import choice_figures
from earmark.report.drawing import draw_pictures
from earmark.report.figure import Figure
from earmark.report.item_views import view_items
from earmark.report.items import ItemTable, has_values, item_figure
from earmark.report.metric_names import MetricNames
from earmark.report.people import people_figures
from earmark.report.plan import plan_figure
from earmark.report.render import item_anchor, render_page
from earmark.report.tables import Cell, score_cell, score_column, with_interval
from earmark.task.options import options_of
from earmark.task.task import Json
from earmark.task.view import View
from earmark.values.errors import StudyError
from earmark.values.names import counted

ITEM_PLACE = re.compile(r'id="(item-[^"]+)"')  # where a picture shows an item


@dataclass(frozen=True, slots=True)
class Card:
    """A small panel: a title, something large, a line below."""

    title: str
    big: str
    below: str


@dataclass(frozen=True, slots=True)
class Undefined:
    """Why metrics have no value."""

    metrics: list[str]
    reason: str


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Metrics by systems against one reference, and why some of them have no value."""

    title: str
    columns: list[str | Cell]
    rows: list[list[Cell]]
    undefined: list[Undefined]


@dataclass(frozen=True, slots=True)
class SignedScore:
    """One number with its signature."""

    metric: str
    value: str
    signature: str


@dataclass(frozen=True, slots=True)
class SignedScores:
    """All numbers of one system against one reference, or of one person without themselves."""

    system: str
    reference: str
    lines: list[SignedScore]


def page(view: View) -> str:
    """Return the page of a study as HTML; raise StudyError if there is nothing to report yet."""
    view.items()  # a study whose material is of another task is refused before anything is drawn
    pictures = list(draw_pictures(view))
    boards, scores, people = view.boards(), view.scores(), view.people()
    if not (boards or scores or pictures or view.outputs()):
        raise StudyError(
            "there is nothing to report yet", at=view.name, fix="run a system and score it first"
        )
    names = MetricNames(view.task)
    drawn = [board_of(view, reference, names) for reference in boards]
    return render_page(
        "earmark.report/study.html",
        pictures,
        title=view.name,
        task=view.task,
        seed=view.seed,
        cards=_cards(view, drawn),
        boards=[
            *_board_figures(drawn, people, names),
            *_choice_figures(view.choices()),
            *_plan(view),
        ],
        items=_item_figures(view, drawn, pictures),
        pictures=pictures,
        tables=score_tables(scores, names, {*view.references(), *view.task.reconcile}),
        signed=[_signed(row) for row in scores],
        signed_people=list(signed_people(people.values())),
        material=_material(view),
    )


def board_of(view: View, reference: str, names: MetricNames) -> BoardView:
    """Return the board of a reference as the page shows it."""
    details = {r["system"]: r["details"] for r in view.scores() if r["reference"] == reference}
    apart = {*view.references(), *view.task.reconcile}
    return BoardView(reference, view.boards()[reference]["metrics"], names, apart, details)


def headline(boards: Iterable[BoardView]) -> Card | None:
    """Return the best system by the first metric that has a value, None before scoring."""
    for board in boards:
        for metric in board.defined:
            rows = [row for row in board.systems(metric) if row["value"] is not None]
            best = (rows or board.references(metric))[0]
            name = board.names[metric]
            interval = with_interval(best).partition(" ")[2]
            below = [f"best: {best['system']} against {board.reference} {interval}".strip()]
            below += [name.better] if name.better else []
            below += ["too few to rank"] if "no test could" in (best.get("why") or "") else []
            return Card(name.with_arrow, f"{best['value']:.3f}", "; ".join(below))
    return None


def _cards(view: View, boards: Sequence[BoardView]) -> list[Card]:
    """Return a few large numbers."""
    ballots, references = view.ballots(), view.references()
    below = f"task {view.task.name}, seed {view.seed}"
    cards = [Card("Items", f"{len(view.items()):,}", below)]
    if ballots and ballots.answers:
        people = f"from {counted(len(ballots.people), 'person', 'people')}"
        cards.append(Card("Answers", f"{len(ballots.answers):,}", people))
    cards.append(Card("References", str(len(references)), ", ".join(references) or "none yet"))
    best = headline(boards)
    return [*cards, best] if best else cards


def _board_figures(
    boards: Sequence[BoardView], people: Mapping[str, Json], names: MetricNames
) -> list[Figure]:
    """Return the board of each reference, and people beside systems."""
    figures = []
    for board in boards:
        figure = board_figure(board)
        figures += [figure] if figure else []
        if board.reference in people:
            figures += people_figures(board.reference, people[board.reference], names, board.apart)
    return figures


def _plan(view: View) -> Iterator[Figure]:
    plan = view.planned()
    if plan is not None:
        yield plan_figure(plan, view.ballots())


def _choice_figures(choices: Mapping[str, Json]) -> Iterator[Figure]:
    for reference, own in choices.items():
        yield from choice_figures(reference, own)


def _item_figures(
    view: View, boards: Sequence[BoardView], pictures: Sequence[Figure]
) -> Iterator[Figure]:
    """Yield each reference's table of items, and views of items that have no picture."""
    tables = [(board, one) for board in boards if (one := _item_table(view, board))]
    pictured = {one for figure in pictures for one in ITEM_PLACE.findall(str(figure.body))}
    order = [
        item
        for board, items in tables
        for item in items.worst_first(items.metrics[0], board.names[items.metrics[0]].higher)
        if item_anchor(item) not in pictured
    ]
    views, viewed = view_items(view, order)
    figures = (item_figure(items, board.names, pictured | viewed) for board, items in tables)
    yield from (figure for figure in (*figures, views) if figure)


def _item_table(view: View, board: BoardView) -> ItemTable | None:
    values = view.item_values(board.reference)
    metrics = [m for m in board.defined if has_values(values, m)]
    if not metrics:
        return None
    rows = [*board.systems(metrics[0]), *board.references(metrics[0])]
    systems = tuple(row["system"] for row in rows if row["system"] in values)
    return ItemTable(board.reference, tuple(metrics), systems, values) if systems else None


def score_tables(
    scores: Sequence[Json], names: MetricNames, apart: Collection[str]
) -> list[ScoreTable]:
    """Return for each reference a table of metrics by systems, then by references scored alike."""
    tables = []
    for reference in dict.fromkeys(row["reference"] for row in scores):
        columns = [row for row in scores if row["reference"] == reference]
        columns.sort(key=lambda row: row["system"] in apart)
        systems = [row["system"] for row in columns if row["system"] not in apart]
        rows = [
            [
                Cell(names[metric].with_arrow, hint=names[metric].about),
                *(score_cell(c["scores"].get(metric, {"value": None})) for c in columns),
            ]
            for metric in columns[0]["scores"]
        ]
        heads: list[str | Cell] = ["metric"]
        for row in columns:
            is_reference = systems and row["system"] in apart
            heads.append(score_column(row["system"] + (" (reference)" if is_reference else "")))
        undefined = undefined_metrics(columns, names)
        tables.append(ScoreTable(f"Against {reference}", heads, rows, undefined))
    return tables


def undefined_metrics(scores: Sequence[Json], names: MetricNames) -> list[Undefined]:
    """Return why metrics of these scores are undefined: each reason once, with its metrics."""
    reasons: dict[str, list[str]] = {}
    for row in scores:
        for metric, details in row["details"].items():
            reason = details.get("undefined") if isinstance(details, dict) else None
            if reason and names[metric].title not in reasons.setdefault(reason, []):
                reasons[reason].append(names[metric].title)
    return [Undefined(metrics, reason) for reason, metrics in reasons.items()]


def _signed(row: Json) -> SignedScores:
    lines = [
        SignedScore(metric, with_interval(score), score["signature"])
        for metric, score in row["scores"].items()
    ]
    return SignedScores(row["system"], row["reference"], lines)


def signed_people(documents: Iterable[Json]) -> Iterator[SignedScores]:
    """Yield everybody's numbers with their signatures, reference by reference."""
    for people in documents:
        lines: dict[str, list[SignedScore]] = {}
        for metric, rows in people["metrics"].items():
            for name, one in rows["people"]["persons"].items():
                line = SignedScore(metric, with_interval(one), one["signature"])
                lines.setdefault(name, []).append(line)
        for name, own in sorted(lines.items()):
            yield SignedScores(name, f"{people['reference']}, {people['how']}", own)


def _material(view: View) -> list[tuple[str, str]]:
    """Return what the material was made with: the options of the maker, then the seed."""
    recipe: Mapping[str, object] = view.settings().get("make", {})
    maker = view.task.make.get(str(recipe.get("maker")))
    files = {name for name, one in (options_of(maker) if maker else {}).items() if one.kind is Path}
    rows = [
        (name.replace("_", " "), f"“{value}”" if name in files else _option_text(value))
        for name, value in recipe.items()
    ]
    return [*rows, ("seed", str(view.seed))]


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
