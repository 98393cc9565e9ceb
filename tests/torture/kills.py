"""Verbs killed at random moments, over all tasks: the study is as before or as after."""

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.studies import TASKS, prompted_study, small_study
from tests.study.workers import Worker, contents

from earmark.study import Study

FEW = ("--resamples", "5")
ANEW = ("--seed", "9")
LOOSE = ("--difference", "0.2", "--spread", "0.3")
PROMPTS = "prompts"
# Words of each verb that leave a study another one; INPUT is the folder of the task's input.
CHANGES: dict[str, tuple[tuple[str, ...], ...]] = {
    "boundaries": (
        ("make", "boundaries", "STUDY", "--text", "INPUT/talk.json", "--truth", *ANEW),
        ("ask", "STUDY", "--simulate", "--people", "2", *ANEW),
        ("reconcile", "STUDY", "--by", "panel", "--name", "other"),
        ("run", "STUDY", "pauses", "--name", "other"),
        ("score", "STUDY", "--against", "truth", *FEW),
        ("report", "STUDY", *ANEW),
        ("plan", "STUDY", *LOOSE),
    ),
    "captions": (
        ("make", "captions", "STUDY", "--captions", "INPUT/references.csv", *ANEW),
        ("ask", "STUDY", "--simulate", *ANEW),
        ("reconcile", "STUDY", "--by", "preference", "--name", "other"),
        ("run", "STUDY", "INPUT/padded.csv"),
        ("score", "STUDY", "--metric", "rouge_l", *FEW),
        ("report", "STUDY", *ANEW),
        ("plan", "STUDY", *LOOSE),
    ),
    "context": (
        ("make", "context", "STUDY", "--text", "INPUT/talks.jsonl", "--swaps", "2", *ANEW),
        ("ask", "STUDY", "--simulate", "--people", "2", *ANEW),
        ("reconcile", "STUDY", "--by", "union"),
        ("run", "STUDY", "said-once"),
        ("score", "STUDY", "--against", "majority", *FEW),
        ("report", "STUDY", *ANEW),
        ("plan", "STUDY", *LOOSE),
    ),
    "events": (
        ("make", "events", "STUDY", "--recordings", "1", "--seconds", "10", *ANEW),
        ("ask", "STUDY", "--simulate", *ANEW),
        ("reconcile", "STUDY", "--by", "mace"),
        ("run", "STUDY", "labels", "--train-on", "truth", "--name", "other"),
        ("score", "STUDY", "--against", "share", "--metric", "segment_f1", *FEW),
        ("report", "STUDY", *ANEW),
        ("plan", "STUDY", *LOOSE),
    ),
    "keywords": (
        ("make", "keywords", "STUDY", "--recordings", "INPUT/recordings", "--positives", "1",
         "--own-words", "0", "--impostors", "0", "--strangers", "0", "--near-misses", "0"),
        ("run", "STUDY", "template", "--name", "other"),
        ("score", "STUDY", *FEW),
        ("report", "STUDY", *ANEW),
        ("plan", "STUDY", *LOOSE),
    ),
    # a study of keywords that asks people for recordings, and listeners about them
    PROMPTS: (
        ("make", "keywords", "STUDY", "--text", "INPUT/prompts.txt", "--language", "English"),
        ("ask", "STUDY", "--import", "INPUT/bob.csv"),
        ("reconcile", "STUDY", "--name", "other"),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Killed:
    """One kill: the verb, the moment, and whether the study was as before or as after."""

    task: str
    verb: str
    seconds: float
    state: str  # "before", "after", or what else it was


def torture(
    folder: Path, kills: int, seed: int, tasks: tuple[str, ...] = (*TASKS, PROMPTS)
) -> Iterator[Killed]:
    """Kill verbs of every task at random moments; as many times in all as `kills` says."""
    verbs = [(task, words) for task in tasks for words in CHANGES[task]]
    for task in tasks:
        place = folder / "base" / task
        prompted_study(place) if task == PROMPTS else small_study(task, place)
    with Worker(tuple(task for task in tasks if task != PROMPTS)) as worker:
        for number, (task, words) in enumerate(verbs):
            times = kills // len(verbs) + (number < kills % len(verbs))
            if times:
                yield from _verb(worker, folder, task, words, times, seed)


def _verb(
    worker: Worker, folder: Path, task: str, words: tuple[str, ...], times: int, seed: int
) -> Iterator[Killed]:
    base, draw = folder / "base" / task, random.Random(f"{words} {seed}")
    after = _copy(base, folder / "after" / task)
    worker.start(*filled(words, after, base))
    code, longest = worker.end()
    states = {"before": contents(base), "after": contents(after)}
    if code:
        yield Killed(task, words[0], longest, f"exit {code} without a kill")
    for _ in range(times):
        place = _copy(base, folder / "killed" / task)
        # not later than the verb's own end: a kill after it would show nothing
        moment = draw.uniform(0, longest)
        worker.start(*filled(words, place, base), seconds=moment)
        worker.end()
        Study.open(place)
        now = contents(place)
        state = [name for name, files in states.items() if files == now]
        yield Killed(task, words[0], moment, state[0] if state else _odd(states["before"], now))


def _odd(before: dict[str, bytes], now: dict[str, bytes]) -> str:
    names = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    return f"neither: {', '.join(sorted(names))}"


def filled(words: tuple[str, ...], study: Path, base: Path) -> list[str]:
    """Return the words of a command with the study, and the input of its base, put in."""
    given = str(base.with_name(f"{base.name}-input"))
    return [word.replace("STUDY", str(study)).replace("INPUT", given) for word in words]


def _copy(base: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    return folder
