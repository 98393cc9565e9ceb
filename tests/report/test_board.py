"""The board on a page."""

from typing import Any

from earmark import tasks
from earmark.report.board import BoardView, board_figure, rank_text
from earmark.report.metric_names import MetricNames
from earmark.task.task import Json

NAMES = MetricNames(tasks.load("events"))


def row(system: str, value: float | None, groups: str = "", **more: Any) -> Json:
    """Return a row of a board; without letters nothing is ranked."""
    ranks = dict.fromkeys(("rank", "rank_low", "rank_high"), 1 if groups else None)
    none = dict.fromkeys(("low", "high", "behind", "p"))
    return {"system": system, "value": value, "groups": groups, **ranks, **none, **more}


def body(metrics: dict[str, list[Json]], **more: Any) -> str:
    figure = board_figure(BoardView("truth", metrics, NAMES, **more))
    assert figure is not None
    return " ".join(figure.body.split()) + figure.caption


def test_a_rank_is_a_range_where_the_data_leave_it_open() -> None:
    assert rank_text(row("x", 1.0, "a", rank=2, rank_low=2, rank_high=4)) == "2–4"
    assert rank_text(row("x", 1.0, "a")) == "1"
    assert rank_text({"rank": 3}) == "3", "a board of an older version"


def test_every_metric_with_a_value_has_a_panel_that_says_which_way_is_better() -> None:
    html = body(
        {
            "segment_f1": [row("x", 0.9, "a", behind=None)],
            "segment_error_rate": [row("x", 0.2, "a")],
            "psds": [row("x", None)],
        }
    )
    assert html.count('<details class="panel"') == 2 and html.count(" open>") == 1
    assert "Segment F1 ↑" in html and "↑ higher is better" in html
    assert "Segment error rate ↓" in html and "↓ lower is better" in html
    assert "Without a value: PSDS 1" in html and "segment_f1</" not in html


def test_ways_of_reconciling_are_apart_from_systems_and_have_no_rank() -> None:
    rows = [row("x", 0.8, "a"), row("mace", 0.9, why="references are no systems")]
    html = body({"segment_f1": rows}, apart={"mace", "truth"})
    ranking, _, references = html.partition("References, scored in the same way")
    assert "<td>x</td>" in ranking and "<td>mace</td>" not in ranking
    assert "<td>mace</td>" in references and "<td>x</td>" not in references
    assert html.count("They are no systems, and have no rank") == 1
    assert "references are no systems" not in html.lower(), "said once, in the words of the page"


def test_references_alone_are_compared_as_systems() -> None:
    html = body(
        {"segment_f1": [row("mace", 0.9, "a"), row("share", 0.8, "a")]}, apart={"mace", "share"}
    )
    ranking, _, references = html.partition("References, scored in the same way")
    assert "<td>mace</td>" in ranking and "<td>share</td>" in ranking and not references


def test_a_board_of_two_recordings_ranks_nothing_and_says_why() -> None:
    why = "2 recordings: no test could separate 2 systems; at least 6 are needed"
    html = body({"segment_f1": [row("x", 0.9, why=why), row("y", 0.7, why=why)]})
    assert f"Too few to rank: {why}." in html and html.count(why) == 1
    assert "ties</th>" not in html and "A rank is" not in html


def test_advice_and_ties_are_shown() -> None:
    advice = "about 12 more recordings would separate x from y"
    html = body({"segment_f1": [row("x", 0.9, "a"), row("y", 0.7, "a", advice=advice)]})
    assert "About 12 more recordings would separate x from y." in html
    assert "ties</th>" in html and 'class="tie"' in html


def test_intervals_are_spoken_of_only_where_there_are_some() -> None:
    assert "95 %" not in body({"segment_f1": [row("x", 0.9)]})
    assert "Lines are 95 % intervals" in body({"segment_f1": [row("x", 0.9, low=0.8, high=1.0)]})
    details: Json = {"x": {"segment_f1": {"no_interval": "a label occurs in 2 groups"}}}
    html = body({"segment_f1": [row("x", 0.9)]}, details=details)
    assert "No interval: a label occurs in 2 groups." in html


def test_a_board_without_any_value_is_not_drawn() -> None:
    assert board_figure(BoardView("truth", {"psds": [row("x", None)]}, NAMES)) is None
