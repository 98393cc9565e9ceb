"""Workers that are killed at random while a queue drains: what was lost, and what ran twice."""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.run.tiny_runner import tiny_zip

from earmark.run.queue_reads import events, state_counts, submissions
from earmark.run.teams import add_team
from earmark.study import Study
from earmark.study.challenge import Challenge

# Import once and fork for each worker: a kill falls into the work, not into the imports.
FORKS = """
import json, os, signal, sys, time
import alembic, earmark.run.teams, earmark.study.worker
from earmark import tasks
from earmark.study.challenge import Challenge
from earmark.study.worker import Worker
from tests.run.tiny_runner import open_tiny
tasks.load("coins")

def count_starts(challenge):
    from earmark.study.execution import Execution

    run = Execution.run

    def counted(self, plan, *words, **more):
        with (challenge.place / "jobs" / "starts").open("a") as starts:
            starts.write(f"{self.name} {plan.step} {plan.part}\\n")
        return run(self, plan, *words, **more)

    Execution.run = counted

def work(folder, url, real):
    challenge = Challenge.open(folder, url)
    if real:
        count_starts(challenge)
    worker = Worker(challenge, opener=None if real else open_tiny)
    while True:
        if worker.work_once() is None:
            worker.refresh_boards()
            time.sleep(0.05)

for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if not child:
        try:
            work(job["folder"], job["url"], job["real"])
        finally:
            os._exit(9)
    time.sleep(job["seconds"])
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    print("killed", flush=True)
"""


@dataclass(frozen=True)
class Drained:
    """How a queue was when nothing was left in it."""

    kills: int
    states: Mapping[str, int]
    scored_twice: int  # submissions with two events `scored`
    starts: int  # steps that were started
    steps: int  # steps that there are

    @property
    def repeated(self) -> int:
        """Steps that were run again."""
        return self.starts - self.steps


# the same answer for the tiny runner, which prints one word, and for the sandbox
TINY = "sleep 0.01\necho SIDE\n"
SANDBOXED = 'while read coin; do echo "$coin SIDE"; done < "$1/coins.txt" > "$2"\n'


def coins_challenge(
    folder: Path, url: str | None, submissions: int, *, real: bool = False
) -> Challenge:
    """Make a challenge of nine coins in three hands, with so many different submissions waiting."""
    study = Study.create(folder, task="coins", seed=3)
    study.make(tosses=9)
    text = "\n[phases.feedback]\n[challenge]\nresamples = 20\n"
    (folder / "study.toml").write_text((folder / "study.toml").read_text() + text)
    challenge = Challenge.open(folder, url)
    for number in range(submissions):
        team = f"team {number // 4}"
        if number % 4 == 0:
            add_team(challenge.engine, team)
        side = random.Random(number).choice(["heads", "tails"])
        words = SANDBOXED if real else TINY
        script = f"# submission {number}\n" + words.replace("SIDE", side)
        challenge.submit(team, tiny_zip(folder / "try.zip", script))
    return challenge


def drain(
    folder: Path,
    url: str | None,
    *,
    submissions: int,
    kills: int,
    seed: int,
    real: bool = False,
    longest: float = 1.5,
) -> Drained:
    """Hand in submissions and kill the worker at random moments until all of them have ended.

    They run in the sandbox where `real` says so, by the tiny runner if not. A worker lives for
    `longest` seconds at most before it is killed.
    """
    challenge = coins_challenge(folder, url, submissions, real=real)
    draw = random.Random(seed)
    process = subprocess.Popen(
        [sys.executable, "-c", FORKS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdin and process.stdout
    times, limit = 0, time.monotonic() + 1800
    while _waits(challenge) and time.monotonic() < limit:
        # after the kills that were asked for, long enough to end the work
        seconds = draw.uniform(0.1, longest) if times < kills else 5.0
        job = {"folder": str(folder), "url": url, "seconds": seconds, "real": real}
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        process.stdout.readline()
        times += 1
    process.communicate()
    return _counted(challenge, times)


def _waits(challenge: Challenge) -> bool:
    counts = state_counts(challenge.engine)
    return any(counts.get(state) for state in ("submitted", "checked", "running"))


def _counted(challenge: Challenge, kills: int) -> Drained:
    rows = submissions(challenge.engine)
    seen = [Counter(one["event"] for one in events(challenge.engine, row["id"])) for row in rows]
    starts = (challenge.place / "jobs" / "starts").read_text().splitlines()
    states = state_counts(challenge.engine)
    challenge.close()
    return Drained(
        kills,
        states,
        sum(own["scored"] != 1 for own in seen),
        len(starts),
        sum(row["steps"] or 0 for row in rows),
    )
