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

def work(folder, url):
    challenge = Challenge.open(folder, url)
    worker = Worker(challenge, opener=open_tiny)
    while True:
        if worker.work_once() is None:
            worker.refresh_boards()
            time.sleep(0.05)

for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if not child:
        try:
            work(job["folder"], job["url"])
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


def coins_challenge(folder: Path, url: str | None, submissions: int) -> Challenge:
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
        script = f"# submission {number}\nsleep 0.01\necho {side}\n"
        challenge.submit(team, tiny_zip(folder / "try.zip", script))
    return challenge


def drain(folder: Path, url: str | None, *, submissions: int, kills: int, seed: int) -> Drained:
    """Hand in submissions and kill the worker at random moments until all of them have ended."""
    challenge, draw = coins_challenge(folder, url, submissions), random.Random(seed)
    process = subprocess.Popen(
        [sys.executable, "-c", FORKS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdin and process.stdout
    times, limit = 0, time.monotonic() + 600
    while _waits(challenge) and time.monotonic() < limit:
        # the first ones early, in the middle of work; then long enough to end it
        seconds = draw.uniform(0.1, 1.5) if times < kills else 5.0
        job = {"folder": str(folder), "url": url, "seconds": seconds}
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
