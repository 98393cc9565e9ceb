"""What the sandbox costs: steps of a submission that do next to nothing, against bare scripts."""

import atexit
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.rows import Row

STEPS = 20


def make_challenge() -> Any:
    """A speaker, and an honest submission in bash."""
    from tests.run.strangers import challenge, submission

    folder = Path(tempfile.mkdtemp(prefix="earmark-bench-"))
    folder.chmod(0o711)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return challenge(folder, 1), submission(folder / "code"), folder


def boxed_steps(made: Any) -> Any:
    """Predictions of one speaker, each laid out, boxed, watched, read, and cleared away."""
    from earmark.run.trees import remove_tree
    from earmark.study.execution import open_execution

    study, code, folder = made
    execution = open_execution(study, code, folder / "run", name="bench")
    results = [execution.run(plan) for plan in execution.steps[:2]]
    for _ in range(STEPS // 2):
        # enrolment and prediction: what each speaker of a challenge costs
        results = [results[0], *(execution.run(plan) for plan in execution.steps[1:])]
    remove_tree(folder / "run")
    return [result.status for result in results]


def bare_steps(made: Any) -> Any:
    """The same scripts on the same files, called by bash with nothing around them."""
    study, code, folder = made
    sounds = study.material / "sound" / "S01"
    work = folder / "work"
    work.mkdir(exist_ok=True)
    for name in ("enroll", "test"):
        for path in sorted((sounds / name).iterdir()):
            if path.name.endswith("E1.wav"):
                (sounds / name / "E001.wav").write_bytes(path.read_bytes())
    for _ in range(STEPS // 2):
        subprocess.run(["bash", code / "enrollment.sh", sounds / "enroll", work], check=True)
        words = ["bash", code / "predict.sh", sounds / "test", work, folder / "predictions.txt"]
        subprocess.run(words, check=True)


ROWS = [
    Row(
        f"{STEPS} steps of a submission",
        make_challenge,
        {"earmark": boxed_steps, "bare scripts": bare_steps},
        target=f"under .3 s of overhead per step, {0.3 * STEPS:g} s here",
    ),
]
