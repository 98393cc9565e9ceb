"""`score --draws`: a board that allows for the doubt of its reference."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.values.errors import StudyError

Call = Callable[..., tuple[int, str, str]]
SCORED = ("segment_f1", "segment_error_rate")


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Eight short recordings, a small crowd, and systems that repeat three references."""
    folder = tmp_path_factory.mktemp("studies")
    crowd = folder / "crowd.toml"
    crowd.write_text("people = 12\ncap = 100000\n", encoding="utf-8")
    study = Study.create(folder / "street", task="events", seed=3)
    study.make("soundscapes", recordings=8, seconds=20.0)
    study.ask(simulate=True, crowd=crowd)
    for way in ("mace", "majority", "window-hmm"):
        study.reconcile(way)
    for way in ("mace", "window-hmm", "truth"):
        study.run("labels", train_on=way, name=f"as {way}")
    return study


def test_rows_have_the_probability_to_be_best_and_the_wider_range_of_ranks(street: Study) -> None:
    plain = street.score("mace", resamples=200, metrics=SCORED)
    result = street.score("mace", resamples=200, draws=40, metrics=SCORED)
    assert result["draws"] == {"draws": 40, "samples": 200, "items": 8, "items_in_doubt": 8}
    for metric in SCORED:
        rows = result["board"][metric]
        assert sum(row["probability_best"] for row in rows) == pytest.approx(1)
        before = {row["system"]: row for row in plain["board"][metric]}
        for row in rows:
            own = before[row["system"]]
            assert (row["value"], row["low"], row["high"]) == (
                own["value"],
                own["low"],
                own["high"],
            )
            assert row["draws_low"] <= row["draws_high"]
            if row["rank"] is not None:
                assert 1 <= row["rank_low"] <= row["rank"] <= row["rank_high"] <= 3
                assert row["rank"] <= own["rank"]  # draws never add an order
    assert "draws" not in plain and "probability_best" not in plain["board"]["segment_f1"][0]


def test_the_board_file_says_how_it_was_drawn_and_the_same_seed_gives_the_same_bytes(
    street: Study,
) -> None:
    path = street.folder / "5-scores" / "board-window-hmm.json"
    texts = []
    for draws in (20, 20, 21):
        street.score("window-hmm", resamples=50, draws=draws, metrics=SCORED)
        texts.append(path.read_text())
    assert texts[0] == texts[1] != texts[2]
    stored = json.loads(texts[0])
    assert stored["made_by"]["recipe"]["draws"] == 20
    assert stored["draws"]["draws"] == 20
    street.score("window-hmm", resamples=50, metrics=SCORED)
    assert "draws" not in path.read_text()


def test_another_seed_gives_other_draws(street: Study) -> None:
    other = Study.open(street.folder, seed=4)
    rows = [
        study.score("majority", resamples=0, draws=30, metrics=("segment_f1",))["board"]
        for study in (street, other)
    ]
    assert rows[0]["segment_f1"][0]["draws_low"] != rows[1]["segment_f1"][0]["draws_low"]


def test_without_resamples_the_draws_alone_give_the_range(street: Study) -> None:
    result = street.score("majority", resamples=0, draws=30, metrics=("segment_f1",))
    assert result["draws"]["samples"] == 30
    best = result["board"]["segment_f1"][0]
    assert best["low"] is None and best["draws_low"] < best["draws_high"]


def test_a_reference_comes_back_from_its_file_with_what_it_is_drawn_from(street: Study) -> None:
    for way in ("mace", "majority", "window-hmm"):
        reference = Study.open(street.folder).reference(way)
        assert set(reference.posterior) == set(reference.values)
        assert reference.draw(5) == Study.open(street.folder).reference(way).draw(5)


def test_the_truth_is_not_in_doubt(street: Study) -> None:
    with pytest.raises(StudyError) as refused:
        street.score("truth", draws=10)
    assert str(refused.value) == (
        "the truth is not in doubt: there is nothing to draw from\n"
        "  at:   street\n"
        "  want: --against mace or majority or window-hmm\n"
        "  fix:  leave --draws out, or name a reference that was reconciled from answers"
    )


def test_a_reference_written_before_posteriors_loads_and_draws_are_refused(street: Study) -> None:
    place = street.folder / "3-references"
    lines = [json.loads(line) for line in (place / "mace.jsonl").read_text().splitlines()]
    for line in lines:
        line.pop("posterior", None)
    (place / "old.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    try:
        assert street.score("old", resamples=10, metrics=("segment_f1",))["board"]
        with pytest.raises(StudyError) as refused:
            street.score("old", draws=10)
    finally:
        (place / "old.jsonl").unlink()
    assert str(refused.value) == (
        "draws need a reference that keeps what its values could be instead\n"
        "  at:   street, reference old\n"
        "  got:  8 of 8 items without it, soundscape-00 first\n"
        "  fix:  reconcile again, or leave --draws out: some methods keep none"
    )


def test_a_posterior_that_is_none_is_refused_with_its_line(street: Study) -> None:
    place = street.folder / "3-references"
    lines = [json.loads(line) for line in (place / "mace.jsonl").read_text().splitlines()]
    for posterior in (7, lines[1]["value"], {**lines[1]["posterior"], "hop": -1}):
        lines[1]["posterior"] = posterior
        (place / "odd.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        try:
            with pytest.raises(ValueError, match=r"odd\.jsonl:2"):
                Study.open(street.folder).reference("odd")
        finally:
            (place / "odd.jsonl").unlink()


def test_the_command_prints_who_is_best_how_often(street: Study, earmark: Call) -> None:
    words = ("score", street.folder, "--against", "mace", "--draws", 20, "--resamples", 40)
    code, out, _ = earmark(*words, "--metric", "segment_f1")
    assert code == 0
    assert "20 draws of mace: 8 of 8 items are in doubt" in out
    assert "segment_f1: as mace rank 1" in out and "best in" in out
    code, out, _ = earmark(*words, "--metric", "segment_f1", "--json")
    row = json.loads(out)["board"]["segment_f1"][0]
    assert {"probability_best", "draws_low", "draws_high"} <= set(row)


@pytest.mark.usefixtures("sixth")
def test_a_method_that_keeps_no_posterior_is_refused(tmp_path: Path, earmark: Call) -> None:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=9)
    study.ask(simulate=True)
    study.reconcile("majority")
    study.run("always")
    code, _, err = earmark("score", study.folder, "--against", "majority", "--draws", 10)
    assert code == 2 and "draws need a reference that keeps" in err


def test_references_scored_like_systems_are_no_rivals_of_them(street: Study) -> None:
    study = Study.open(street.folder)
    alone = study.score("truth", resamples=100, metrics=("segment_f1",))["board"]["segment_f1"]
    for way in ("mace", "majority"):
        study.run("labels", train_on=way, name=way)
    try:
        rows = study.score("truth", resamples=100, metrics=("segment_f1",))["board"]["segment_f1"]
    finally:
        for way in ("mace", "majority"):
            study.forget(f"4-outputs/{way}")
    assert rows[:3] == alone, "neither ranks, p nor the difference to the best know references"
    assert {row["system"] for row in rows[3:]} == {"mace", "majority"}
    for row in rows[3:]:
        assert (row["rank"], row["p"], row["behind"]) == (None, None, None)
        assert row["why"] == "references are no systems: they have no rank"
        assert row["value"] is not None
