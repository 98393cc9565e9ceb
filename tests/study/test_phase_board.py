"""The board of a phase: who is on it, what it stands on, and what it hides while it is blind."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="needs earmark[web]")

from sqlalchemy import update
from tests.run.tiny_runner import open_tiny, tiny_zip

from earmark.run.queue_reads import stored_board
from earmark.run.queue_tables import SUBMISSIONS
from earmark.run.teams import add_team
from earmark.study import Study
from earmark.study.challenge import Challenge
from earmark.study.organise import unblind_phase
from earmark.study.phase_board import (
    phase_board,
    public_board,
    refresh_boards,
    verdicts,
    write_board,
)
from earmark.study.worker import Worker
from earmark.values.errors import InputError, StudyError

pytestmark = pytest.mark.usefixtures("sixth")
Call = Callable[..., tuple[int, str, str]]
RULES = """
[challenge]
title = "Coins"
resamples = 50
[phases.feedback]
[phases.check]
[phases.final]
data = "../private"
"""


@pytest.fixture
def challenge(tmp_path: Path) -> Iterator[Challenge]:
    """Coins to be seen and coins that are private, a baseline, three teams."""
    for name, seed in (("coins", 3), ("private", 4)):
        study = Study.create(tmp_path / name, task="coins", seed=seed)
        study.make(tosses=30)
        study.run("always")
    toml = tmp_path / "coins" / "study.toml"
    toml.write_text(toml.read_text() + RULES)
    challenge = Challenge.open(tmp_path / "coins")
    for team in ("larks", "owls", "wrens"):
        add_team(challenge.engine, team)
    yield challenge
    challenge.close()


def hand_in(challenge: Challenge, team: str, words: str, phase: str = "feedback") -> str:
    script = f"# {team}\ncase $1 in {words} *) echo tails;; esac\n"
    path = tiny_zip(challenge.study.folder / "try.zip", script)
    identity = challenge.submit(team, path, phase=phase)
    while Worker(challenge, opener=open_tiny).work_once():
        pass
    return identity


HEADS = "hand-*) echo heads;;"
SOME = "hand-1) echo heads;;"


def test_teams_stand_beside_baselines_with_intervals_ranks_and_what_each_row_stands_on(
    challenge: Challenge,
) -> None:
    hand_in(challenge, "larks", HEADS)
    hand_in(challenge, "owls", SOME)
    board = phase_board(challenge, challenge.phases["feedback"])
    assert {row["system"]: row["kind"] for row in board["rows"]} == {
        "always": "baseline",
        "larks": "team",
        "owls": "team",
    }
    larks = next(row for row in board["rows"] if row["system"] == "larks")
    assert larks["low"] <= larks["value"] <= larks["high"]
    assert "|earmark:" in larks["signature"] and len(larks["digest"]) == 64
    assert larks["isolation"] == "none" and larks["cost"]["cpu_seconds"] == 0.1
    always = next(row for row in board["rows"] if row["system"] == "always")
    assert larks["value"] == always["value"]  # both say heads to everything


def test_the_best_of_a_teams_submissions_counts_or_the_last_and_all_are_its_history(
    challenge: Challenge,
) -> None:
    hand_in(challenge, "larks", HEADS)
    hand_in(challenge, "larks", "nobody) echo heads;;")  # all tails: heads are missed
    phase = challenge.phases["feedback"]
    (row,) = [r for r in phase_board(challenge, phase)["rows"] if r["kind"] == "team"]
    history = phase_board(challenge, phase)["history"]["larks"]
    assert row["value"] == history[0]["value"] > history[1]["value"] == 0.0
    assert row["scored_submissions"] == 2
    from dataclasses import replace

    last = phase_board(challenge, replace(phase, counts="last"))
    assert next(r for r in last["rows"] if r["kind"] == "team")["value"] == 0.0


def test_a_frozen_board_stays_as_it_was_and_the_organiser_sees_all(challenge: Challenge) -> None:
    from dataclasses import replace

    hand_in(challenge, "larks", HEADS)
    hand_in(challenge, "owls", SOME)
    with challenge.engine.begin() as connection:
        early = update(SUBMISSIONS).where(SUBMISSIONS.c.team == "larks").values(submitted=10.0)
        connection.execute(early)
    frozen = replace(challenge.phases["feedback"], freeze=100.0)

    def on(*, public: bool) -> set[str]:
        rows = phase_board(challenge, frozen, public=public)["rows"]
        return {row["system"] for row in rows if row["kind"] == "team"}

    assert on(public=True) == {"larks"} and on(public=False) == {"larks", "owls"}


def test_who_withdraws_is_on_no_board(challenge: Challenge) -> None:
    identity = hand_in(challenge, "larks", HEADS)
    hand_in(challenge, "owls", SOME)
    challenge.queue.withdraw(identity)
    challenge.queue.withdraw_team("owls")
    board = phase_board(challenge, challenge.phases["feedback"])
    assert [row["kind"] for row in board["rows"]] == ["baseline"]
    assert board["received"] == []


def test_a_verdict_that_is_reused_is_that_of_the_steps_that_ran(challenge: Challenge) -> None:
    hand_in(challenge, "larks", "hand-1) exit 3;; hand-*) echo heads;;")
    hand_in(challenge, "larks", "hand-1) exit 3;; hand-*) echo heads;;", "check")
    (verdict,) = verdicts(challenge, challenge.phases["check"])
    assert (verdict["state"], verdict["reason"]) == (
        "failed",
        "a predict step ended with an error",
    )


def test_a_blind_phase_runs_on_private_data_and_shows_only_who_handed_in(
    challenge: Challenge,
) -> None:
    hand_in(challenge, "larks", HEADS, "final")
    final = challenge.phases["final"]
    board = public_board(challenge, final)
    assert not board["shows"] and board["rows"] == [] and board["history"] == {}
    assert [one["team"] for one in board["received"]] == ["larks"]
    with pytest.raises(StudyError, match="the phase final is blind"):
        write_board(challenge, final)


def test_unblinding_is_an_act_with_a_date_and_a_name_and_then_the_board_shows(
    challenge: Challenge,
) -> None:
    hand_in(challenge, "larks", HEADS, "final")
    final = challenge.phases["final"]
    refresh_boards(challenge, now=True)
    act = unblind_phase(challenge, None, "Ada")
    assert act["name"] == "Ada" and act["phase"] == "final"
    assert unblind_phase(challenge, None, "Bo")["name"] == "Ada"  # the first act stays
    board = public_board(challenge, final)
    assert board["unblinded"]["name"] == "Ada"
    (row,) = [row for row in board["rows"] if row["kind"] == "team"]
    data = Study.open(challenge.study.folder.parent / "private")
    heads = sum(value.heads for value in data.reference().values.values())
    assert row["value"] == pytest.approx(2 * heads / (heads + 30))  # on the private coins
    document = write_board(challenge, final)
    place = challenge.study.folder / "boards" / "final"
    assert json.loads((place / "board.json").read_text())["rows"] == document["rows"]
    rows = list(csv.DictReader(io.StringIO((place / "board.csv").read_text())))
    assert {row["name"] for row in rows} == {"larks", "always"}
    page = (place / "index.html").read_text()
    assert "Unblinded on" in page and "by Ada" in page and "src=" not in page


def test_who_hands_in_after_the_unblinding_is_too_late(challenge: Challenge) -> None:
    unblind_phase(challenge, None, "Ada")
    with pytest.raises(InputError, match="the phase final is over: it was unblinded on"):
        hand_in(challenge, "larks", HEADS, "final")


def test_people_stand_beside_the_teams(challenge: Challenge) -> None:
    study = Study.open(challenge.study.folder)
    study.ask(simulate=True)
    study.reconcile(by="majority")
    toml = study.folder / "study.toml"
    rules = toml.read_text().replace('title = "Coins"', 'title = "Coins"\nreference = "majority"')
    toml.write_text(rules)
    current = challenge.current()
    assert current is not challenge and current.current() is current
    hand_in(current, "larks", HEADS)
    board = phase_board(current, current.phases["feedback"])
    assert board["people"]["who"] == "people who answered" and 0 <= board["people"]["value"] <= 1
    assert write_board(current, current.phases["feedback"])["people"] == board["people"]
    rows = (study.folder / "boards" / "feedback" / "board.csv").read_text().splitlines()
    assert rows[-1].startswith(",,,people who answered,people,")


def test_a_phase_is_not_unblinded_before_its_submissions_ended(challenge: Challenge) -> None:
    path = tiny_zip(challenge.study.folder / "try.zip", "echo heads\n")
    challenge.submit("larks", path, phase="final")
    with pytest.raises(StudyError, match="the phase final is not over"):
        unblind_phase(challenge, None, "Ada")
    with pytest.raises(StudyError, match="the phase feedback is not blind"):
        unblind_phase(challenge, "feedback", "Ada")
    assert unblind_phase(challenge, "final", "Ada", early=True)["name"] == "Ada"


def test_a_board_is_made_again_only_when_something_was_scored(challenge: Challenge) -> None:
    hand_in(challenge, "larks", HEADS)
    refresh_boards(challenge)
    before = stored_board(challenge.engine, "feedback")
    refresh_boards(challenge)
    assert stored_board(challenge.engine, "feedback") == before
    hand_in(challenge, "owls", SOME)
    refresh_boards(challenge)
    after = stored_board(challenge.engine, "feedback")
    assert before and after and len(after["document"]["rows"]) == 3 > 2
    assert len(before["document"]["rows"]) == 2


def test_score_with_a_phase_prints_the_board_and_where_it_is(
    challenge: Challenge, earmark: Call
) -> None:
    hand_in(challenge, "larks", HEADS)
    hand_in(challenge, "owls", "hand-*) exit 3;;", "check")
    folder = challenge.study.folder
    code, out, _ = earmark("score", folder, "--phase", "feedback")
    assert code == 0 and "larks" in out and "baseline" in out and "index.html" in out
    code, out, _ = earmark("score", folder, "--phase", "check")
    assert code == 0 and "a predict step ended with an error" in out
    code, _, err = earmark("score", folder, "--phase", "final")
    assert code == 2 and "earmark unblind coins --phase final" in err
    assert earmark("unblind", folder, "--by", "Ada")[0] == 0
    code, out, _ = earmark("score", folder, "--phase", "final", "--json")
    assert code == 0 and json.loads(out)["unblinded"]["name"] == "Ada"
    code, out, _ = earmark("verify", folder)
    assert code == 0, out
