"""What the page of a study shows: its boards, its pictures, its scores, how to repeat them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from earmark.report.charts import IntervalRow, interval_chart
from earmark.report.choices import choice_figures
from earmark.report.drawing import draw_pictures
from earmark.report.figure import Figure
from earmark.report.people import people_figures
from earmark.report.plan import plan_figure
from earmark.report.render import render, render_page
from earmark.report.tables import with_interval
from earmark.task.task import Json
from earmark.task.view import View
from earmark.values.errors import StudyError

# What the last column and the ranges of ranks mean where the reference was drawn from its doubt.
DRAWN = (
    " Ranks and the last column also allow for the doubt of the reference, which was drawn anew "
    "many times: an order must hold in 97.5 % of draws. Draws do not correct the level of the "
    "values, nor favour for a system that shares the reference's errors."
)


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

    columns: list[str]
    rows: list[list[str]]
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
    items = view.items()
    pictures = list(draw_pictures(view))
    boards, scores, people = view.boards(), view.scores(), view.people()
    if not (boards or scores or pictures or view.outputs()):
        raise StudyError(
            "there is nothing to report yet", at=view.name, fix="run a system and score it first"
        )
    return render_page(
        "earmark.report/study.html",
        pictures,
        title=view.name,
        task=view.task,
        seed=view.seed,
        cards=_cards(view, len(items), boards),
        boards=[*_board_figures(boards, people), *_choice_figures(view.choices()), *_plan(view)],
        pictures=pictures,
        tables=_score_tables(scores),
        signed=[*map(_signed, scores), *signed_people(people.values())],
        material=[(name, _option_text(value)) for name, value in _recipe(view).items()],
    )


def headline(boards: Mapping[str, Json]) -> Card | None:
    """Return the best system by the task's first metric, or None before anything was scored."""
    for reference, board in boards.items():
        for metric, rows in board["metrics"].items():
            if rows and rows[0]["value"] is not None:
                best = rows[0]
                below = f"{best['system']} against {reference}"
                return Card(f"Best by {metric}", f"{best['value']:.3f}", below)
    return None


def _cards(view: View, items: int, boards: Mapping[str, Json]) -> list[Card]:
    """Return a few large numbers."""
    ballots, references = view.ballots(), view.references()
    cards = [Card("Items", str(items), f"task {view.task.name}, seed {view.seed}")]
    if ballots and ballots.answers:
        people = f"from {len(ballots.people)} people"
        cards.append(Card("Answers", f"{len(ballots.answers):,}", people))
    reconciled = ", ".join(name for name in references if name != "truth")
    cards.append(Card("References", str(len(references)), reconciled or "the truth"))
    best = headline(boards)
    return [*cards, best] if best else cards


def _board_figures(boards: Mapping[str, Json], people: Mapping[str, Json]) -> list[Figure]:
    """Return for each reference the ranking by the first metric that has a value, and people."""
    figures = []
    for reference, board in boards.items():
        for metric, rows in board["metrics"].items():
            if any(row["value"] is not None for row in rows):
                figures.append(_board(reference, metric, rows))
                break
        if reference in people:
            figures += people_figures(reference, people[reference])
    return figures


def _plan(view: View) -> Iterator[Figure]:
    plan = view.planned()
    if plan is not None:
        yield plan_figure(plan, view.ballots())


def _choice_figures(choices: Mapping[str, Json]) -> Iterator[Figure]:
    for reference, own in choices.items():
        yield from choice_figures(reference, own)


def _board(reference: str, metric: str, rows: Sequence[Json]) -> Figure:
    title = f"{metric} against {reference}"
    systems = [
        IntervalRow(row["system"], row["value"], row["low"], row["high"])
        for row in rows
        if row["value"] is not None
    ]
    is_drawn = any("probability_best" in row for row in rows)
    ranking = [
        [_rank(row), row["system"], with_interval(row), _size(row["behind"]), _size(row["p"])]
        + ([f"{row['probability_best']:.0%}"] if is_drawn else [])
        for row in rows
    ]
    body = render(
        "earmark.report/board.html",
        chart=interval_chart(systems, x_title=metric, label=title),
        columns=["rank", "system", metric, "behind the best", "p (Holm)"]
        + (["best in"] if is_drawn else []),
        rows=ranking,
    )
    said = [row.get(key) for row in rows if row["value"] is not None for key in ("why", "advice")]
    note = DRAWN if is_drawn else ""
    note += "".join(f" {line[0].upper()}{line[1:]}." for line in dict.fromkeys(filter(None, said)))
    caption = (
        "Lines are 95 % intervals over resampled items. A system ranks below another only if "
        f"the paired difference is significant (p at most .05 after Holm's correction).{note}"
    )
    return Figure(title, body, caption, wide=True)


def _rank(row: Json) -> str:
    """Return the rank, a dash where there is none; boards of earlier versions have no `why`.

    Where the reference was drawn, it is the range of ranks.
    """
    if row["rank"] is None:
        return "-"
    low, high = row.get("rank_low", row["rank"]), row.get("rank_high", row["rank"])
    is_range = "probability_best" in row and low != high
    return f"{low} to {high}" if is_range else str(row["rank"])


def _size(value: float | None) -> str:
    return "" if value is None else f"{abs(value):.3f}"


def _score_tables(scores: Sequence[Json]) -> list[ScoreTable]:
    """Return for each reference a table of metrics by systems."""
    tables = []
    for reference in dict.fromkeys(row["reference"] for row in scores):
        columns = [row for row in scores if row["reference"] == reference]
        rows = [
            [metric, *(with_interval(c["scores"].get(metric, {"value": None})) for c in columns)]
            for metric in columns[0]["scores"]
        ]
        names = [f"against {reference}", *(column["system"] for column in columns)]
        tables.append(ScoreTable(names, rows, undefined_metrics(columns)))
    return tables


def undefined_metrics(scores: Sequence[Json]) -> list[Undefined]:
    """Return why metrics of these scores are undefined: each reason once, with its metrics."""
    reasons: dict[str, list[str]] = {}
    for row in scores:
        for metric, details in row["details"].items():
            reason = details.get("undefined") if isinstance(details, dict) else None
            if reason and metric not in reasons.setdefault(reason, []):
                reasons[reason].append(metric)
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


def _recipe(view: View) -> Mapping[str, object]:
    recipe: Mapping[str, object] = view.settings().get("make", {})
    return recipe


def _option_text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
