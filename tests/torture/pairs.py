"""Two commands at once on one study, over all tasks: what both wrote is there."""

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.studies import TASKS, small_study
from tests.study.workers import Worker
from tests.torture.kills import FEW, filled

from earmark.study import Study, record
from earmark.study.places import PLACES

# Commands under a number of their own, and the file that each leaves; metrics that are quick.
RECONCILE = ("reconcile", "STUDY", "--name", "r{n}"), "3-references/r{n}.jsonl"
OWN: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "boundaries": (
        (("run", "STUDY", "pauses", "--name", "s{n}"), "4-outputs/s{n}/outputs.jsonl"),
        (("score", "STUDY", "--against", "truth", *FEW), "5-scores/board-truth.json"),
        (("score", "STUDY", "--against", "panel", *FEW), "5-scores/board-panel.json"),
        (("report", "STUDY"), "6-report/index.html"),
        RECONCILE,
    ),
    "captions": (
        (("run", "STUDY", "INPUT/padded.csv", "--name", "s{n}"), "4-outputs/s{n}/outputs.jsonl"),
        (("score", "STUDY", "--metric", "rouge_l", *FEW), "5-scores/board-truth.json"),
        RECONCILE,
    ),
    "context": (
        (("score", "STUDY", "--against", "truth", *FEW), "5-scores/board-truth.json"),
        (("score", "STUDY", "--against", "majority", *FEW), "5-scores/board-majority.json"),
        (("report", "STUDY"), "6-report/index.html"),
        RECONCILE,
    ),
    "events": (
        (("run", "STUDY", "labels", "--train-on", "truth", "--name", "s{n}"),
         "4-outputs/s{n}/outputs.jsonl"),
        (("score", "STUDY", "--against", "share", "--metric", "segment_f1", *FEW),
         "5-scores/board-share.json"),
        (("report", "STUDY"), "6-report/index.html"),
        RECONCILE,
    ),
    "keywords": (
        (("run", "STUDY", "template", "--name", "s{n}"), "4-outputs/s{n}/outputs.jsonl"),
        (("score", "STUDY", *FEW), "5-scores/board-truth.json"),
        (("report", "STUDY"), "6-report/index.html"),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """Two commands at once, and what was lost: nothing, it should be."""

    task: str
    verbs: str
    lost: str


def torture(folder: Path, pairs: int, seed: int, tasks: tuple[str, ...] = TASKS) -> Iterator[Pair]:
    """Run pairs of commands at once, every fifth of them two imports of answers."""
    yield from _imports(folder, pairs // 5, tasks)
    yield from _verbs(folder, pairs - pairs // 5, seed, tasks)


# A column of answers, and an answer, of tasks whose people tick, choose or mark.
ANSWERS = {"boundaries": ("after", "2"), "captions": ("winner", "1"), "context": ("words", "none"),
           "events": ("labels", "none")}  # fmt: skip


def _imports(folder: Path, pairs: int, tasks: tuple[str, ...]) -> Iterator[Pair]:
    """Import two people's answers at once, pair after pair into the same study of each task."""
    asking = [task for task in tasks if task in ANSWERS]
    studies = {}
    for task in asking:
        study = small_study(task, folder / "asked" / task, verbs=1)
        study.ask()
        studies[task] = study
    with Worker(tasks) as one, Worker(tasks) as other:
        for number in range(pairs):
            task = asking[number % len(asking)]
            study, (column, answer) = studies[task], ANSWERS[task]
            people = [f"p{number}-{index}" for index in range(2)]
            for worker, person in zip((one, other), people, strict=True):
                rows = "".join(f"{unit.id},{person},{answer}\n" for unit in study.units())
                file = folder / f"{person}.csv"
                file.write_text(f"item,person,{column}\n{rows}", encoding="utf-8")
                worker.start("ask", study.folder, "--import", file)
            ends = [(worker.end()[0], worker.errors) for worker in (one, other)]
            wanted = {f"p{n}-{k}" for n in range(number % len(asking), number + 1, len(asking))
                      for k in range(2)}  # fmt: skip
            ballots = Study.open(study.folder).ballots()
            answered = {(a.person, a.item) for a in ballots.answers} if ballots else set()
            missing = {(p, unit.id) for p in wanted for unit in study.units()} - answered
            lost = [f"answers of {', '.join(sorted({p for p, _ in missing}))}"] if missing else []
            yield Pair(task, "ask and ask", "; ".join([*lost, *_lost(study.folder, [], ends)]))


def _verbs(folder: Path, pairs: int, seed: int, tasks: tuple[str, ...]) -> Iterator[Pair]:
    """Run pairs of verbs at once; the study starts anew after every tenth pair."""
    draw = random.Random(seed)
    for task in tasks:
        small_study(task, folder / "base" / task)
    with Worker(tasks) as one, Worker(tasks) as other:
        for number in range(pairs):
            task = tasks[number % len(tasks)]
            base, place = folder / "base" / task, folder / "pairs" / task
            if number // len(tasks) % 10 == 0:
                shutil.rmtree(place, ignore_errors=True)
                shutil.copytree(base, place)
            chosen = [draw.choice(OWN[task]) for _ in range(2)]
            for index, (worker, (words, _)) in enumerate(zip((one, other), chosen, strict=True)):
                own = tuple(word.replace("{n}", f"{number}-{index}") for word in words)
                worker.start(*filled(own, place, base))
            ends = [(worker.end()[0], worker.errors) for worker in (one, other)]
            names = [file.replace("{n}", f"{number}-{k}") for k, (_, file) in enumerate(chosen)]
            verbs = " and ".join(words[0] for words, _ in chosen)
            yield Pair(task, verbs, "; ".join(_lost(place, names, ends)))


def _lost(study: Path, names: list[str], ends: list[tuple[int, str]]) -> Iterator[str]:
    yield from (f"exit {code}: {errors[-300:]}" for code, errors in ends if code)
    yield from (f"{name} is not there" for name in names if not (study / name).exists())
    for place in PLACES:
        if (study / place).is_dir():
            yield from (
                f"{place}/{name} {what}" for name, what in record.differences(study / place)
            )
    Study.open(study)
