"""Caps and trials: part of the plan for people, of an import, and of a simulated crowd."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


@pytest.fixture
def coins(tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    assert earmark("make", "coins", "coins", "--tosses", 4, "--seed", 7)[0] == 0
    Path("known.csv").write_text("item,person,side\ncoin-0,us,heads\ncoin-1,us,tails\n")
    rows = ["item,person,side"]
    for person, sides in {"ann": "HTHT", "bob": "HHTT", "cem": "THHH"}.items():
        names = {"H": "heads", "T": "tails"}
        rows += [f"coin-{k},{person},{names[side]}" for k, side in enumerate(sides)]
    Path("answers.csv").write_text("\n".join([*rows, "coin-2,dot,heads", ""]))
    return "coins"


def told(earmark: Call, *words: object) -> dict[str, Any]:
    code, out, err = earmark("ask", *words, "--json")
    assert code == 0, err
    return dict(json.loads(out))


def test_a_cap_says_how_many_people_are_needed_and_costs_nothing(coins: str, earmark: Call) -> None:
    """4 questions x 3 opinions = 12 answers, 5 a person: at least 3 people; 2 each: at least 6."""
    plain = told(earmark, coins)
    assert [told(earmark, coins, "--cap", cap)["people_at_least"] for cap in (5, 2)] == [3, 6]
    assert told(earmark, coins, "--cap", 2)["money"] == plain["money"]
    assert "at most 2 answers each: at least 6 people\n" in earmark("ask", coins, "--cap", 2)[1]


def test_trials_are_in_the_time_and_the_price(coins: str, earmark: Call) -> None:
    """6 people x 5 trials = 30 answers more than 12, at 0.10 and a fee of 0.20: 42 x 0.12."""
    plan = told(earmark, coins, "--cap", 2, "--trials", 5)
    assert plan["money"] == 5.04
    assert plan["hours"] == pytest.approx(told(earmark, coins)["hours"] * 42 / 12, abs=0.01)
    assert plan["each_failure"] == 0.6
    assert (
        "5 trial questions each, for 6 people, are in it; everyone who fails adds 0.60"
        in (earmark("ask", coins, "--cap", 2, "--trials", 5)[1])
    )


def test_who_fails_the_trial_is_left_out_by_name_and_kept_beside(coins: str, earmark: Call) -> None:
    """ann has both right, bob one of two, cem none, dot was never asked a trial question."""
    words = (coins, "--import", "answers.csv", "--known", "known.csv", "--json")
    found = json.loads(earmark("ask", *words)[1])
    assert found["failed_trial"] == {"bob": "1 of 2", "cem": "0 of 2", "dot": "0 of 2"}
    assert (found["answers"], found["answers_left_out"]) == (4, 9)
    kept = Path(coins, "2-answers", "left-out-answers.jsonl").read_text()
    assert all(f'"{name}"' in kept for name in ("bob", "cem", "dot")) and '"ann"' not in kept


def test_a_lower_share_lets_more_in(coins: str, earmark: Call) -> None:
    words = (coins, "--import", "answers.csv", "--known", "known.csv", "--pass-share", 0.5)
    out = earmark("ask", *words)[1]
    assert "8 answers from 2 people\n" in out
    assert "left out, 5 answers: 2 people failed the trial: cem (0 of 2), dot (0 of 2)\n" in out


def test_a_trial_at_import_needs_its_right_answers(coins: str, earmark: Call) -> None:
    code, _, err = earmark("ask", coins, "--import", "answers.csv", "--trials", 2)
    assert code == 2
    assert "a trial needs the right answers to its questions" in err and "--known FILE" in err
    words = (coins, "--import", "answers.csv", "--known", "known.csv", "--trials", 3)
    assert "right answers to 2 questions" in earmark("ask", *words)[2]


def test_who_answered_more_than_the_cap_is_noted_and_counts(coins: str, earmark: Call) -> None:
    out = earmark("ask", coins, "--import", "answers.csv", "--cap", 3)[1]
    assert "13 answers from 4 people\n" in out
    assert "3 people gave more answers than the cap, which count all the same: ann (4)" in out
    assert "over_cap" not in told(earmark, coins, "--cap", 4)


def test_questions_that_nobody_answered_are_counted(coins: str, earmark: Call) -> None:
    Path("few.csv").write_text("item,person,side\ncoin-0,ann,heads\n")
    out = earmark("ask", coins, "--import", "few.csv")[1]
    assert "questions that nobody has answered yet: 3\n" in out


def test_a_simulated_crowd_without_a_trial_says_so(coins: str, earmark: Call) -> None:
    code, _, err = earmark("ask", coins, "--simulate", "--trials", 2)
    assert code == 2 and "property of this task's simulated crowd" in err and "trials" in err


@pytest.fixture
def street(tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    words = ("--recordings", 1, "--seconds", 30, "--rate", 8000, "--seed", 3)
    assert earmark("make", "events", "street", *words)[0] == 0
    Path("crowd.toml").write_text("people = 40\ncap = 20\ntrials = 8\nspammers = 0.4\n")
    return "street"


def test_the_crowd_file_gives_defaults_and_the_command_wins(street: str, earmark: Call) -> None:
    """21 windows x 5 = 105 opinions; the file's cap of 20 asks for 6 people, 15 for 7."""
    found = told(earmark, street, "--crowd", "crowd.toml")
    assert (found["cap"], found["trials"], found["people_at_least"]) == (20, 8, 6)
    found = told(earmark, street, "--crowd", "crowd.toml", "--cap", 15, "--trials", 0)
    assert (found["cap"], found["people_at_least"], "trials" in found) == (15, 7, False)


def test_units_are_stored_alike_wherever_the_study_is_called_from(
    street: str, earmark: Call
) -> None:
    earmark("ask", street)
    units = Path(street, "2-answers", "units.jsonl")
    near = units.read_bytes()
    earmark("ask", Path(street).absolute())
    assert units.read_bytes() == near and b'"media": "sound/' in near


def test_simulated_people_who_fail_are_not_asked(street: str, earmark: Call) -> None:
    words = (street, "--simulate", "--crowd", "crowd.toml", "--cap", 100)
    strict = told(earmark, *words, "--pass-share", 0.9)
    none = told(earmark, *words, "--trials", 0)
    assert strict["answers"] == none["answers"] == 105
    assert strict["answered_by"] < none["answered_by"]
