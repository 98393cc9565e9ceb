"""Small challenges, and submissions by strangers who misbehave."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from earmark.files.sound import write_sound
from earmark.run.cgroups import PREFIX, group_places
from earmark.run.sandbox import SAFE, choose_runner
from earmark.run.steps import StepResult
from earmark.run.trees import remove_tree
from earmark.study import Study
from earmark.study.execution import Finished, open_execution
from earmark.study.snapshot import Snapshot

RATE = 16000
TARGETS, OTHERS = 1, 2
# A clip that must wake is shorter than this many bytes, so that a shell can tell.
LIMIT = 12000
HONEST = {
    "initialize.sh": "echo ready",
    "enrollment.sh": 'stat -c %s "$1"/E001.wav > "$2/size"',
    "predict.sh": 'for clip in "$1"/*.wav; do\n'
    f'  if [ "$(stat -c %s "$clip")" -lt {LIMIT} ]; then verdict=1; else verdict=0; fi\n'
    '  echo "$(basename "$clip") $verdict"\ndone > "$3"',
}
# What a step may use in these tests: small enough to be reached at once.
BUDGET = {
    "initialise_seconds": 20.0,
    "enrol_seconds": 20.0,
    "real_time_factor": 0.25,
    "slack_seconds": 20.0,
    "memory_megabytes": 300.0,
    "processes": 40,
    "disk_megabytes": 20.0,
    "output_megabytes": 0.01,
    "log_megabytes": 0.02,
}


def needs_box() -> None:
    """Skip the test, with a reason, where code cannot be shut in."""
    if choose_runner().level < SAFE:
        pytest.skip("needs bubblewrap, and namespaces that may be made")


def challenge(folder: Path, speakers: int = 2, **budget: float) -> Snapshot:
    """Make a challenge of clips of noise; the k-th speaker's enrolment has k hundredths of a
    second more than a tenth, by which a script may know whom it serves."""
    rng = np.random.default_rng(4)
    for number in range(1, speakers + 1):
        name = f"S{number:02d}"
        for take in range(1, 6):
            path = folder / "challenge" / name / "enroll" / f"{name}E{take}.wav"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_sound(path, _noise(rng, 0.1 + number / 100), RATE)
        labels = []
        for clip in range(1, TARGETS + OTHERS + 1):
            wakes = clip <= TARGETS
            path = folder / "challenge" / name / "test" / f"{name}T{clip}.wav"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_sound(path, _noise(rng, 0.3 if wakes else 0.6), RATE)
            labels.append(f"{path.name}\t{int(wakes)}\n")
        place = folder / "labels" / f"{name}_test_labels.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(labels))
    study = Study.create(folder / "wake", task="keywords")
    study.make("trials", challenge=folder / "challenge", labels=folder / "labels")
    limits = "".join(f"{name} = {value}\n" for name, value in {**BUDGET, **budget}.items())
    with (folder / "wake" / "study.toml").open("a") as file:
        file.write(f"\n[budget]\n{limits}")
    return Study.open(folder / "wake").snapshot()


def _noise(rng: np.random.Generator, seconds: float) -> np.ndarray:
    return (0.1 * rng.standard_normal(round(seconds * RATE))).astype(np.float32)


def enrolment_bytes(number: int) -> int:
    """The size of an enrolment file of the k-th speaker."""
    return 44 + 2 * round((0.1 + number / 100) * RATE)


def submission(folder: Path, scripts: Mapping[str, str] | None = None, **before: str) -> Path:
    """Write an honest submission; `before` are lines that come before a script's own."""
    folder.mkdir(parents=True, exist_ok=True)
    bodies = {**HONEST, **(scripts or {})}
    for name, body in bodies.items():
        lines = before.get(name.removesuffix(".sh"), "")
        (folder / name).write_text(f"#!/bin/bash\n{lines}\n{body}\n")
    return folder


@dataclass(frozen=True)
class Outcome:
    """What came of a run, and what it left."""

    finished: Finished
    results: list[StepResult]
    left: list[str]

    @property
    def statuses(self) -> list[str]:
        return [result.status for result in self.results]

    @property
    def log(self) -> str:
        return self.finished.files["log.txt"]

    @property
    def reasons(self) -> dict[str, str]:
        return dict(self.finished.run["failed"])


def run(study: Snapshot, code: Path) -> Outcome:
    """Run every step of a submission; say what of it is left afterwards."""
    mounts = _mounts()
    with _folder() as folder:
        execution = open_execution(study, code, folder / "run", name="stranger")
        results: list[StepResult] = []
        for plan in execution.steps:
            results.append(execution.run(plan, results))
        finished = execution.finish(results)
        owner = execution.step_runner.stage.owner
    left = [f"process {pid}" for pid in _processes(owner)]
    left += [f"mount {mount}" for mount in _mounts() - mounts]
    left += [f"group {path}" for path in _groups()]
    left += [f"folder {folder}"] if folder.exists() else []
    return Outcome(finished, results, left)


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder like that of `earmark run`, outside of pytest's, which others may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="earmark-test-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        remove_tree(folder)


def _processes(owner: int | None) -> list[int]:
    """Processes of the user that steps ran as; where that is ourselves, our own children."""
    if owner is None:
        from earmark.run.meter import descendants

        return [pid for pid in descendants(os.getpid()) if pid != os.getpid()]
    pids = []
    for entry in os.scandir("/proc"):
        try:
            if entry.name.isdigit() and entry.stat().st_uid == owner:
                pids.append(int(entry.name))
        except OSError:
            continue
    return pids


def _mounts() -> set[str]:
    return set(Path("/proc/self/mounts").read_text().splitlines())


def _groups() -> list[Path]:
    """Control groups that this process made and did not remove."""
    places = group_places()
    if places is None:
        return []
    folders = [places] if isinstance(places, Path) else list(places.values())
    return [path for place in folders for path in place.glob(f"{PREFIX}{os.getpid()}-*")]


def score_of(study: Snapshot, outcome: Outcome) -> float:
    """The wake score of a run."""
    from earmark.study.score import ScoreRecipe, score_one

    outputs = {item: one.value for item, one in outcome.finished.outputs.items()}
    truth = study.reference()
    scores = score_one(study, truth, ScoreRecipe(0, ("wake_score",), {}), "stranger", outputs)
    return float(scores["wake_score"]["value"])


def copy_study(study: Snapshot, to: Path) -> Snapshot:
    """A copy of a challenge, to be changed."""
    shutil.copytree(study.folder, to)
    return Study.open(to).snapshot()
