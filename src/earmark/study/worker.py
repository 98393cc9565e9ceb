"""What runs queued submissions: one worker, one submission at a time, one step after the other.

A step's result is in the database before the next step begins, so that a worker that is killed
repeats at most the step under way. What fails by a mistake of ours is tried again by the next
worker, and never is one of a team's tries.
"""

import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from earmark.run.phases import Phase
from earmark.study.challenge import Challenge
from earmark.study.phase_board import refresh_boards
from earmark.study.results import keep_results, scored_facts
from earmark.study.snapshot import Snapshot
from earmark.values.errors import InputError, StudyError

# How long another submission of the same content may take before this one looks again.
LOOK_AGAIN = 2.0
LONGEST_WAIT = 60.0  # seconds between two attempts after failures of ours
OURS = "a failure of the platform, not of the submission; it was not one of your tries"
REUSED = "the same content was scored before; its scores are reused, and no try is used up"

Note = Callable[[str], None]
Opener = Callable[..., Any]  # `study.execution.open_execution`


class Stopped(Exception):
    """The worker was told to stop, or its submission is no longer its own."""


class Heartbeat:
    """Extends a lease in the background until the block ends, or until it is lost."""

    def __init__(self, challenge: Challenge, identity: str, owner: str) -> None:
        self._queue, self._identity, self._owner = challenge.queue, identity, owner
        self._over, self._lost = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def _beat(self) -> None:
        from earmark.run.queue import LeaseLost

        while not self._over.wait(self._queue.lease_seconds / 3):
            try:
                self._queue.extend(self._identity, self._owner)
            except LeaseLost:
                self._lost.set()
                return
            except Exception:
                # the database may be away for a moment; if it stays away, the lease ends
                continue

    def is_lost(self) -> bool:
        """Return whether another worker has the submission, or its team withdrew it."""
        return self._lost.is_set()

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()


class Worker:
    """Takes submissions from the queue and runs them."""

    def __init__(
        self, challenge: Challenge, *, note: Note = lambda line: None, opener: Opener | None = None
    ) -> None:
        self.challenge = challenge
        self.note = note
        self._opener = opener

    def work_once(self) -> str | None:
        """Run the oldest submission that waits, to its end; return its id, None if none waits."""
        from earmark.run.owners import new_owner

        owner = new_owner()
        row = self.challenge.queue.claim(owner)
        if row is None:
            return None
        identity = str(row["id"])
        with self._troubles(row, owner), Heartbeat(self.challenge, identity, owner) as beat:
            self._run(row, owner, beat)
        return identity

    @contextmanager
    def _troubles(self, row: Mapping[str, Any], owner: str) -> Iterator[None]:
        """Give the submission back if something of ours fails within the block."""
        from earmark.run.queue import MOST_ATTEMPTS, LeaseLost

        queue, identity = self.challenge.queue, str(row["id"])
        try:
            yield
        except (LeaseLost, Stopped):
            self.note(f"{identity}: no longer ours")
        except Exception as error:
            trouble = "".join(traceback.format_exception(error))
            try:
                if row["attempts"] >= MOST_ATTEMPTS:
                    queue.fail(identity, owner, OURS, is_try=False, facts={"trouble": trouble})
                    self._clean(identity)
                else:
                    seconds = min(LONGEST_WAIT, 2.0 ** row["attempts"])
                    queue.release(identity, owner, trouble, seconds=seconds)
            except LeaseLost:
                pass
            self.note(f"{identity}: a failure of ours, {type(error).__name__}: {error}")
        except BaseException:
            # told to stop: the next worker goes on at once
            with _ignored(LeaseLost):
                queue.give_back(identity, owner)
            raise

    def _run(self, row: Mapping[str, Any], owner: str, beat: Heartbeat) -> None:
        challenge, queue, identity = self.challenge, self.challenge.queue, str(row["id"])
        phase = challenge.phases[row["phase"]]
        data = challenge.data(phase)
        data.items(), data.reference(challenge.rules.reference)  # before: what fails here is ours
        try:
            execution = self._open(row, phase, data)
        except StudyError:
            raise  # of the organiser's making, not the team's
        except InputError as error:
            queue.fail(identity, owner, _without_paths(error, challenge, identity), is_try=False)
            self.note(f"{identity}: refused")
            self._clean(identity)
            return
        key = challenge.key(data, execution.digest)
        if row["state"] == "submitted":
            queue.check(identity, owner, _plan_facts(execution, key, data))
        if self._reuse(row, owner, key):
            return
        if row["state"] != "running" and not queue.begin(identity, owner, key):
            queue.give_back(identity, owner, seconds=LOOK_AGAIN)
            return
        results = self._steps(row, owner, execution, beat)
        self._end(row, owner, execution.finish(results), data)

    def _open(self, row: Mapping[str, Any], phase: Phase, data: Snapshot) -> Any:
        challenge, identity = self.challenge, str(row["id"])
        folder = challenge.job(identity)
        if not folder.is_dir() and row["state"] == "running":
            # taken over on another machine, or somebody cleaned up
            challenge.queue.restart(identity, row["owner"])
        folder.mkdir(parents=True, exist_ok=True)
        return (self._opener or _opener())(
            data,
            challenge.archive(identity),
            folder,
            name=row["team"],
            phase=phase.name,
            settings=challenge.settings,
        )

    def _reuse(self, row: Mapping[str, Any], owner: str, key: str) -> bool:
        """End a submission with the scores of the same content; return whether there are any."""
        from earmark.run.queue_reads import same_key

        queue, identity = self.challenge.queue, str(row["id"])
        others = same_key(self.challenge.engine, key, besides=identity)
        scored = next((one for one in others if one["state"] == "scored"), None)
        if scored is None:
            return False
        facts = {
            "result": scored["result"],
            "scores": scored["scores"],
            "reused_from": scored["reused_from"] or scored["id"],
            "is_try": False,
        }
        queue.score(identity, owner, facts, REUSED)
        self.note(f"{identity}: scores of {facts['reused_from']}")
        self._clean(identity)
        return True

    def _steps(
        self, row: Mapping[str, Any], owner: str, execution: Any, beat: Heartbeat
    ) -> list[Any]:
        """Run the steps that have not been run; return what all of them gave."""
        from earmark.run.queue_reads import step_results
        from earmark.run.steps import StepResult

        queue, identity = self.challenge.queue, str(row["id"])
        stored = step_results(self.challenge.engine, identity)
        results = [StepResult.from_json(result) for result in stored]
        for number, plan in enumerate(execution.steps):
            if number < len(results):
                continue
            result = execution.run(plan, results, stop=beat.is_lost)
            if beat.is_lost():
                raise Stopped(identity)
            queue.store_step(identity, owner, number, result.as_json())
            results.append(result)
            done = f"{number + 1} of {len(execution.steps)} steps, {plan.step} {plan.part}".strip()
            self.note(f"{identity}: {row['team']}, {done}: {result.status}")
        return results

    def _end(self, row: Mapping[str, Any], owner: str, finished: Any, data: Snapshot) -> None:
        """Score what came out, or say why nothing did."""
        challenge, identity = self.challenge, str(row["id"])
        keep_results(challenge, identity, finished)
        if finished.run["status"] == "failed":
            facts = {"result": _result(finished)}
            reason = str(finished.run["reason"]) or "no step ended well"
            challenge.queue.fail(identity, owner, reason, is_try=True, facts=facts)
        else:
            facts = {"result": _result(finished), **scored_facts(challenge, row, finished, data)}
            reason = str(finished.run["reason"] or "")
            challenge.queue.score(identity, owner, facts, reason)
        self.note(f"{identity}: {finished.run['status']}")
        self._clean(identity)

    def _clean(self, identity: str) -> None:
        from earmark.run.trees import remove_tree

        remove_tree(self.challenge.job(identity))

    def refresh_boards(self, *, now: bool = False) -> None:
        """Make the public boards anew where submissions were scored since they were made."""
        try:
            refresh_boards(self.challenge, now=now)
        except InputError as error:
            self.note(f"the board cannot be made: {error}")


def _opener() -> Opener:
    from earmark.study.execution import open_execution

    return open_execution


def _result(finished: Any) -> dict[str, Any]:
    """Return run.json without its steps, which have a table of their own, and with the cost."""
    from earmark.values.pack import pack

    run = {name: value for name, value in finished.run.items() if name != "steps"}
    return {**run, "cost": pack(finished.cost)}


def _plan_facts(execution: Any, key: str, data: Snapshot) -> dict[str, Any]:
    parts = {plan.part for plan in execution.steps if plan.part}
    return {
        "digest": execution.digest,
        "key": key,
        "steps": len(execution.steps),
        "parts": max(1, len(parts)),
        "unit": data.task.parent if len(parts) > 1 else "part",
        "seconds_at_most": sum(plan.seconds for plan in execution.steps),
    }


def _without_paths(error: InputError, challenge: Challenge, identity: str) -> str:
    """Return a message as a stranger may read it: no folder of this machine."""
    text = str(error)
    for path in (challenge.job(identity), challenge.archive(identity), challenge.study.folder):
        text = text.replace(str(path.resolve()), path.name if path.suffix else "")
    return text


@contextmanager
def _ignored(kind: type[BaseException]) -> Iterator[None]:
    try:
        yield
    except kind:
        pass
