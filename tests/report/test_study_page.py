"""What the page of a study shows."""

import json
from pathlib import Path

import pytest

from earmark import tasks
from earmark.report.board import BoardView
from earmark.report.metric_names import MetricNames
from earmark.report.study_page import headline, score_tables, undefined_metrics
from earmark.study import Study
from earmark.task.task import Json
from earmark.values.errors import StudyError


@pytest.fixture
def coins(sixth: Path, tmp_path: Path) -> Study:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=30)
    return study


def test_an_undefined_metric_is_explained_once_with_all_that_share_its_reason() -> None:
    why = {"undefined": "needs Java"}
    rows: list[Json] = [
        {"details": {"meteor": why, "spice": why, "system": "x"}},
        {"details": {"spice": why}},
    ]
    names = MetricNames(tasks.load("captions"))
    (one,) = undefined_metrics(rows, names)
    assert (one.metrics, one.reason) == (["METEOR", "SPICE"], "needs Java")
    assert undefined_metrics([{"details": {}}], names) == []


def test_the_headline_is_the_best_system_by_the_first_metric_that_has_a_value() -> None:
    def row(system: str, value: float | None) -> Json:
        return {"system": system, "value": value, "rank": None, "groups": ""}

    metrics = {
        "empty": [],
        "psds": [row("a", None)],
        "segment_error_rate": [row("mace", 0.1), row("a", 0.5)],
    }
    names = MetricNames(tasks.load("events"))
    card = headline([BoardView("truth", metrics, names, apart={"mace"})])
    assert card is not None, "mace is a way of reconciling, and no system"
    assert (card.title, card.big) == ("Segment error rate ↓", "0.500")
    assert card.below == "best: a against truth; lower is better"
    assert headline([]) is None


def test_a_study_of_which_nothing_is_known_has_no_page(coins: Study) -> None:
    coins.task.report.clear()  # type: ignore[attr-defined]
    with pytest.raises(StudyError, match="nothing to report yet"):
        coins.report()


def test_the_page_has_a_section_for_whatever_there_is(coins: Study) -> None:
    page = coins.report().read_text()
    assert 'id="at-a-glance"' in page and 'id="pictures"' in page and 'id="repeat-it"' in page
    assert 'id="board"' not in page and 'id="all-scores"' not in page
    coins.ask(simulate=True)
    coins.reconcile("majority")
    coins.run("always")
    coins.score("truth", resamples=20)
    page = coins.report().read_text()
    assert '<a href="#board">Board</a>' in page and 'id="board"' in page
    assert "<summary>always against truth</summary>" in page
    assert "coins.heads_f1|" in page, "signatures are there to be copied"
    assert "<td>tosses</td>" in page and ">30</td>" in page and ">7</td>" in page


def test_a_board_with_draws_says_how_often_a_system_is_best_and_what_draws_do_not_cure(
    coins: Study,
) -> None:
    coins.run("always")
    coins.score("truth", resamples=20)
    plain = coins.report().read_text()
    path = coins.folder / "5-scores" / "board-truth.json"
    board = json.loads(path.read_text())
    drawn = {"rank": 1, "rank_low": 1, "rank_high": 3, "probability_best": 0.5}
    board["metrics"]["heads_f1"][0].update(drawn)
    path.write_text(json.dumps(board))
    page = " ".join(coins.report().read_text().split())
    assert "best in</th>" in page and "best in</th>" not in plain
    assert ">1–3<" in page and ">50%<" in page
    assert "Draws do not correct the level of the values" in page


def test_references_follow_systems_among_all_scores_and_are_called_so() -> None:
    names = MetricNames(tasks.load("events"))
    score = {"segment_f1": {"value": 0.5, "low": None, "high": None}}
    rows: list[Json] = [
        {"system": name, "reference": "truth", "scores": score, "details": {}}
        for name in ("mace", "energy")
    ]
    [table] = score_tables(rows, names, {"mace", "truth"})
    assert [str(column) for column in table.columns] == ["metric", "energy", "mace (reference)"]
    [alone] = score_tables(rows[:1], names, {"mace", "truth"})
    assert [str(column) for column in alone.columns] == ["metric", "mace"]
