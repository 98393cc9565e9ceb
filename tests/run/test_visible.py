"""What a team sees of its submission in each phase, and what it must not see."""

import json
from typing import Any

import pytest

from earmark.run.phases import Phase
from earmark.run.visible import progress, view

SECRET = "the label of clip 7 is 1"
STEPS: list[dict[str, Any]] = [
    {"step": "initialize", "part": "", "status": "ok", "reason": "", "log": "ready", "seconds": 1},
    {"step": "predict", "part": "P07", "status": "timeout", "reason": "5 s", "log": SECRET},
]
FEEDBACK, CHECK = Phase("feedback"), Phase("check", shows="verdict")
FINAL = Phase("final", shows="nothing")


def row(state: str = "scored", **more: Any) -> dict[str, Any]:
    return {
        "id": "a1",
        "team": "larks",
        "phase": "p",
        "file": "try.zip",
        "bytes": 9,
        "submitted": 1.0,
        "withdrawn": None,
        "is_try": True,
        "digest": "d" * 64,
        "seconds_at_most": 60.0,
        "state": state,
        "reason": "1 of 2 speakers failed: P07 timed out",
        "started": 2.0,
        "ended": 3.0,
        "steps": 5,
        "parts": 2,
        "unit": "speaker",
        "reused_from": None,
        "trouble": None,
        "owner": None,
        "result": {"status": "partial", "isolation": "bubblewrap", "cost": {"seconds": 7.0}},
        "scores": {"wake_score": {"value": 0.25}},
        **more,
    }


def test_feedback_shows_scores_reasons_steps_cost_and_the_last_log_lines() -> None:
    shown = view(row(), STEPS, FEEDBACK, unblinded=False)
    assert shown["scores"]["wake_score"]["value"] == 0.25
    assert shown["log"] == SECRET and shown["steps"][1]["log"] == SECRET
    assert shown["reason"].startswith("1 of 2") and shown["cost"] == {"seconds": 7.0}


def test_a_check_says_only_whether_a_submission_passes_and_which_kind_of_limit_it_met() -> None:
    shown = view(row(), STEPS, CHECK, unblinded=False)
    assert shown["state"] == "failed"
    assert shown["reason"] == "a predict step used more time than its budget"
    assert view(row(), STEPS[:1], CHECK, unblinded=False)["state"] == "passed"
    text = json.dumps(shown)
    assert not [word for word in (SECRET, "P07", "0.25", "speaker") if word in text]


@pytest.mark.parametrize("state", ["scored", "failed"])
def test_a_blind_phase_says_that_it_is_over_and_not_how_it_went(state: str) -> None:
    shown = view(row(state), STEPS, FINAL, unblinded=False)
    assert shown["state"] == "finished"
    assert shown == {**view(row("scored"), [], FINAL, unblinded=False)}
    text = json.dumps(shown)
    assert not [word for word in (SECRET, "P07", "0.25", "speaker", "timeout") if word in text]


def test_once_unblinded_scores_and_reasons_are_shown_and_the_log_never_is() -> None:
    shown = view(row(), STEPS, FINAL, unblinded=True)
    assert shown["scores"]["wake_score"]["value"] == 0.25 and shown["steps"][1]["reason"] == "5 s"
    assert SECRET not in json.dumps(shown)


@pytest.mark.parametrize("phase", [CHECK, FINAL])
def test_progress_is_hidden_where_its_timing_could_carry_data_but_not_how_long_it_may_take(
    phase: Phase,
) -> None:
    shown = view(row("running"), STEPS, phase, unblinded=False)
    assert shown["state"] == "running" and shown["seconds_at_most"] == 60.0
    assert "progress" not in shown and "steps" not in shown


@pytest.mark.parametrize("phase", [FEEDBACK, CHECK, FINAL])
def test_what_never_ran_says_why_in_every_phase(phase: Phase) -> None:
    refused = row("failed", is_try=False, reason="a submission needs predict.sh", result=None)
    shown = view(refused, [], phase, unblinded=False)
    assert (shown["state"], shown["reason"]) == ("failed", "a submission needs predict.sh")


@pytest.mark.parametrize("phase", [FEEDBACK, CHECK, FINAL])
def test_a_failure_of_ours_is_said_while_it_waits_to_be_tried_again(phase: Phase) -> None:
    shown = view(row("running", trouble="Traceback: /secret"), STEPS, phase, unblinded=False)
    assert "tried again" in shown["reason"] and "secret" not in json.dumps(shown)
    again = view(row("running", trouble="x", owner="w"), STEPS, phase, unblinded=False)
    assert "tried again" not in again["reason"]


@pytest.mark.parametrize(
    ("done", "words"),
    [(0, "step 1 of 5"), (1, "speaker 1 of 2"), (2, "speaker 1 of 2"), (3, "speaker 2 of 2")],
)
def test_progress_counts_speakers(done: int, words: str) -> None:
    assert progress(row("running"), [{}] * done) == words
