"""Queued submissions run to their end, whatever happens to the worker."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="needs earmark[web]")

from tests.run.tiny_runner import open_tiny, tiny_zip
from tests.study.drains import coins_challenge, drain

from earmark.run import queue as queue_module
from earmark.run.queue_reads import events, state_counts, step_results, submission
from earmark.run.teams import add_team
from earmark.study.challenge import Challenge
from earmark.study.worker import Worker
from earmark.values.errors import InputError

pytestmark = pytest.mark.usefixtures("sixth")
HEADS = "echo heads\n"


def test_killed_workers_lose_nothing_score_nothing_twice_and_repeat_one_step_each(
    tmp_path: Path,
) -> None:
    drained = drain(tmp_path / "coins", None, submissions=30, kills=3, seed=1)
    assert drained.states == {"scored": 30}
    assert drained.scored_twice == 0
    assert drained.steps == 30 * 4
    assert drained.kills >= 1 and 0 <= drained.repeated <= drained.kills


@pytest.mark.sandbox
def test_killed_workers_lose_nothing_that_runs_in_the_sandbox(tmp_path: Path) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("needs Debian's bubblewrap")
    drained = drain(tmp_path / "coins", None, submissions=10, kills=3, seed=3, real=True)
    assert drained.states == {"scored": 10}
    assert drained.scored_twice == 0
    assert drained.kills >= 1 and 0 <= drained.repeated <= drained.kills


@pytest.mark.postgres
def test_killed_workers_lose_nothing_on_postgresql(tmp_path: Path, postgres: str) -> None:
    drained = drain(tmp_path / "coins", postgres, submissions=30, kills=3, seed=2)
    assert drained.states == {"scored": 30}
    assert drained.scored_twice == 0
    assert drained.kills >= 1 and 0 <= drained.repeated <= drained.kills


@pytest.fixture
def challenge(tmp_path: Path) -> Iterator[Challenge]:
    challenge = coins_challenge(tmp_path / "coins", None, 0)
    add_team(challenge.engine, "larks")
    add_team(challenge.engine, "owls")
    yield challenge
    challenge.close()


def hand_in(challenge: Challenge, script: str, team: str = "larks") -> str:
    path = tiny_zip(challenge.study.folder / "try.zip", script)
    return challenge.submit(team, path)


def test_a_submission_is_scored_with_its_cost_its_isolation_and_its_history(
    challenge: Challenge,
) -> None:
    identity = hand_in(challenge, HEADS)
    assert Worker(challenge, opener=open_tiny).work_once() == identity
    row = submission(challenge.engine, identity)
    assert row["state"] == "scored" and row["is_try"]
    assert row["scores"]["heads_f1"]["value"] is not None
    assert row["result"]["isolation"] == "none" and row["result"]["cost"]["cpu_seconds"] == 0.1
    seen = [one["event"] for one in events(challenge.engine, identity)]
    assert seen == ["submitted", "checked", "running", "scored"]
    assert (challenge.results(identity) / "outputs.jsonl").exists()
    assert not challenge.job(identity).exists()
    assert Worker(challenge, opener=open_tiny).work_once() is None


def test_the_same_content_is_scored_once_and_says_so(challenge: Challenge) -> None:
    first, second = hand_in(challenge, HEADS), hand_in(challenge, HEADS, "owls")
    worker = Worker(challenge, opener=open_tiny)
    assert [worker.work_once(), worker.work_once()] == [first, second]
    one, other = (submission(challenge.engine, identity) for identity in (first, second))
    assert one["scores"] == other["scores"] and one["digest"] == other["digest"]
    assert other["reused_from"] == first and not other["is_try"]
    assert "reused" in other["reason"] and step_results(challenge.engine, second) == []


def test_the_same_content_waits_while_it_is_being_run(challenge: Challenge) -> None:
    first, second = hand_in(challenge, HEADS), hand_in(challenge, HEADS, "owls")
    states: list[str] = []

    def look(*words: Any, **more: Any) -> Any:
        execution = open_tiny(*words, **more)
        run = execution.run

        def during(*arguments: Any, **named: Any) -> Any:
            if not states:
                states.append("looked")
                assert Worker(challenge, opener=open_tiny).work_once() == second
                states.append(submission(challenge.engine, second)["state"])
            return run(*arguments, **named)

        execution.run = during  # type: ignore[method-assign]
        return execution

    assert Worker(challenge, opener=look).work_once() == first
    assert states == ["looked", "checked"]
    assert len((challenge.place / "jobs" / "starts").read_text().splitlines()) == 4


def test_what_is_no_submission_is_refused_with_a_reason_and_is_no_try(
    challenge: Challenge,
) -> None:
    path = challenge.study.folder / "bad.zip"
    path.write_bytes(b"no zip")
    identity = challenge.submit("larks", path)
    Worker(challenge, opener=open_tiny).work_once()
    row = submission(challenge.engine, identity)
    assert (row["state"], row["is_try"]) == ("failed", False)
    assert row["reason"].startswith("a submission is a zip")
    assert str(challenge.study.folder) not in row["reason"]


def test_a_submission_of_which_a_part_fails_is_scored_and_says_which(
    challenge: Challenge,
) -> None:
    identity = hand_in(challenge, 'echo heads; echo why >&2; [ "$1" != hand-1 ]\n')
    Worker(challenge, opener=open_tiny).work_once()
    row = submission(challenge.engine, identity)
    assert (row["state"], row["result"]["status"]) == ("scored", "partial")
    assert row["reason"] == "1 of 3 parts failed"
    bad = [step for step in step_results(challenge.engine, identity) if step["status"] != "ok"]
    assert [(step["part"], step["log"]) for step in bad] == [("hand-1", "why\n")]


def test_a_submission_that_fails_everywhere_is_a_try_that_failed(challenge: Challenge) -> None:
    identity = hand_in(challenge, "exit 3\n")
    Worker(challenge, opener=open_tiny).work_once()
    row = submission(challenge.engine, identity)
    assert (row["state"], row["is_try"]) == ("failed", True) and row["reason"]


def broken(times: int) -> Callable[..., Any]:
    left = [times]

    def opener(*words: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise RuntimeError("no sandbox here")
        return open_tiny(*words, **more)

    return opener


def test_a_failure_of_ours_is_tried_again_and_costs_no_try(
    challenge: Challenge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("earmark.study.worker.LONGEST_WAIT", 0.0)
    identity = hand_in(challenge, HEADS)
    worker = Worker(challenge, opener=broken(2))
    assert worker.work_once() == identity
    row = submission(challenge.engine, identity)
    assert row["state"] == "submitted" and "no sandbox here" in row["trouble"]
    assert [worker.work_once(), worker.work_once()] == [identity, identity]
    assert submission(challenge.engine, identity)["state"] == "scored"


def test_what_fails_by_our_fault_for_good_ends_with_a_reason_and_leaves_the_try(
    challenge: Challenge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("earmark.study.worker.LONGEST_WAIT", 0.0)
    toml = challenge.study.folder / "study.toml"
    toml.write_text(toml.read_text().replace("[phases.feedback]", "[phases.feedback]\ntries = 1"))
    strict = Challenge.open(challenge.study.folder)
    identity = hand_in(strict, HEADS)
    with pytest.raises(InputError, match="allows one try in all"):
        hand_in(strict, HEADS)
    worker = Worker(strict, opener=broken(99))
    while worker.work_once():
        pass
    row = submission(strict.engine, identity)
    assert (row["state"], row["is_try"], row["attempts"]) == (
        "failed",
        False,
        queue_module.MOST_ATTEMPTS,
    )
    assert row["reason"].startswith("a failure of the platform")
    hand_in(strict, HEADS)  # the try is still there
    strict.close()


def test_a_worker_that_is_told_to_stop_gives_its_submission_back(challenge: Challenge) -> None:
    identity = hand_in(challenge, HEADS)

    def stopped(*words: Any, **more: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Worker(challenge, opener=stopped).work_once()
    assert submission(challenge.engine, identity)["attempts"] == 0
    assert Worker(challenge, opener=open_tiny).work_once() == identity
    assert state_counts(challenge.engine) == {"scored": 1}


def test_steps_whose_folder_is_gone_are_run_again(challenge: Challenge) -> None:
    identity = hand_in(challenge, HEADS)

    def interrupted(*words: Any, **more: Any) -> Any:
        execution = open_tiny(*words, **more)
        run = execution.run

        def second(plan: Any, before: Any, stop: Any) -> Any:
            if len(before) == 2:
                raise KeyboardInterrupt
            return run(plan, before, stop)

        execution.run = second  # type: ignore[method-assign]
        return execution

    with pytest.raises(KeyboardInterrupt):
        Worker(challenge, opener=interrupted).work_once()
    assert len(step_results(challenge.engine, identity)) == 2
    shutil.rmtree(challenge.job(identity))
    Worker(challenge, opener=open_tiny).work_once()
    assert submission(challenge.engine, identity)["state"] == "scored"
    assert "restarted" in [one["event"] for one in events(challenge.engine, identity)]
