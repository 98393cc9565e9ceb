"""A small study of each task on made-up material, for tests that damage it."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earmark import tasks
from earmark.study import Study
from earmark.study.tour import run_step
from earmark.task.task import Step

TASKS = ("boundaries", "captions", "context", "events", "keywords")
FEW = {"resamples": 20}
# Each task's verbs: cheap systems and metrics, but every kind of file that the task writes.
STEPS: Mapping[str, tuple[Step, ...]] = {
    "boundaries": (
        Step("make", {"text": ("INPUT/talk.json",), "truth": True}),
        Step("ask", {"simulate": True, "people": 3}),
        Step("reconcile", {"by": "panel"}),
        Step("run", {"system": "pauses"}),
        Step("score", {"against": "panel", **FEW}),
        Step("report"),
    ),
    "captions": (
        Step("make", {"captions": "INPUT/references.csv", "systems": "INPUT/systems.csv"}),
        Step("ask", {"simulate": True}),
        Step("reconcile", {"by": "preference"}),
        Step("run", {"system": "INPUT/careful.csv", "name": "careful"}),
        Step("run", {"system": "INPUT/short.csv", "name": "short"}),
        Step("score", {"against": "truth", "metrics": ("bleu_1", "rouge_l"), **FEW}),
    ),
    "context": (
        Step("make", {"maker": "three-ways", "text": "INPUT/talks.jsonl", "swaps": 1}),
        Step("ask", {"simulate": True, "people": 3}),
        Step("reconcile", {"by": "majority"}),
        Step("run", {"system": "discourse"}),
        Step("score", {"against": "truth", **FEW}),
        Step("report"),
    ),
    "events": (
        Step("make", {"recordings": 1, "seconds": 10.0}),
        Step("ask", {"simulate": True}),
        Step("reconcile", {"by": "share"}),
        Step("run", {"system": "labels", "train_on": "share"}),
        Step("score", {"against": "truth", "metrics": ("segment_f1",), **FEW}),
        Step("report"),
    ),
    "keywords": (
        Step("make", {"recordings": "INPUT/recordings", "positives": 2, "own_words": 1,
                      "impostors": 1, "strangers": 1, "near_misses": 0}),
        Step("run", {"system": "template"}),
        Step("score", {"against": "truth", **FEW}),
        Step("report"),
    ),
}  # fmt: skip


def small_study(task: str, folder: Path, *, seed: int = 0, verbs: int | None = None) -> Study:
    """Make the study of a task in a folder, up to its n-th verb; its input is in `folder-input`."""
    loaded, place = tasks.load(task), folder.with_name(f"{folder.name}-input")
    if loaded.tour and loaded.tour.prepare and not place.exists():
        place.mkdir(parents=True)
        loaded.tour.prepare(place, seed)
    for step in STEPS[task][:verbs]:
        run_step(loaded, folder, seed, filled(step, place))
    return Study.open(folder)


def prompted_study(folder: Path) -> Study:
    """Make a study of keywords that asks for recordings; one person's are there and listened to."""
    import numpy as np

    from earmark.files.sound import write_sound

    place = folder.with_name(f"{folder.name}-input")
    place.mkdir(parents=True)
    (place / "prompts.txt").write_text("open sesame\nclose the door\n", encoding="utf-8")
    tone = np.sin(np.arange(16000, dtype=np.float32) / 20) / 4
    write_sound(place / "a.wav", tone.astype(np.float32), 16000)
    study = Study.create(folder, task="keywords")
    study.make(text=place / "prompts.txt")
    study.ask(takes=1)
    for person in ("ana", "bob"):
        rows = "".join(f"{unit.id},{person},a.wav,English,,\n" for unit in study.units())
        votes = "".join(
            f"{unit.id},{person},,,{n}-{person},keep\n" for unit in study.units() for n in "xy"
        )
        head = "item,person,file,language,listener,verdict\n"
        (place / f"{person}.csv").write_text(head + rows + votes, encoding="utf-8")
    study.ask(import_from=place / "ana.csv", takes=1)
    study.reconcile()
    return study


def filled(step: Step, place: Path) -> Step:
    """Return a step with the folder of its input in the place of INPUT."""
    return Step(step.verb, {name: _filled(value, place) for name, value in step.options.items()})


def _filled(value: Any, place: Path) -> Any:
    if isinstance(value, tuple):
        return tuple(_filled(part, place) for part in value)
    is_path = isinstance(value, str) and value.startswith("INPUT")
    return Path(value.replace("INPUT", str(place), 1)) if is_path else value


def copied(study: Study, folder: Path) -> Path:
    """Return a copy of a study."""
    shutil.copytree(study.folder, folder)
    return folder
