"""`earmark run STUDY FOLDER|ZIP`: all steps of a submission in a row, in a folder of their own."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from earmark.run.meter import is_alive
from earmark.run.sandbox import warning
from earmark.run.steps import StepResult
from earmark.run.submission import is_submission
from earmark.run.trees import remove_tree
from earmark.study.execution import Execution, open_execution, write_outputs
from earmark.study.finished import Finished
from earmark.study.snapshot import Snapshot
from earmark.task.progress import notify, track
from earmark.task.task import Json
from earmark.values.errors import InputError

FOLDER = "earmark-run-"  # among temporary files: where a run's steps are laid out
PRACTICE = "practice"  # the phase whose data everybody may have


def is_for_sandbox(study: Snapshot, path: Path) -> bool:
    """Return whether a path is meant as a submission to this study, and not as outputs."""
    contract = study.task.submission() if study.task.submission else None
    return is_submission(path, contract)


def run_submission(
    study: Snapshot, path: Path, *, name: str | None = None, phase: str | None = None, dry: bool
) -> Json:
    """Run a submission on a study, or on the data of one of its phases, and store what it wrote.

    A dry run is the same within the same limits, on the practice data; nothing is stored, and where
    the truth is known the scores are in the result.
    """
    data = _data(study, phase, dry=dry)
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))
    folder.chmod(0o711)  # a step that runs as another user passes through
    try:
        execution = open_execution(
            data,
            path,
            folder / "run",
            name=name or _name(path),
            phase=PRACTICE if dry else phase,
            settings=study.settings(),
        )
        if loud := warning(execution.runner):
            notify(loud)
        finished = execution.finish(_all_steps(execution))
        if not dry:
            return write_outputs(data, execution.name, finished)
        return _dry(study, data, execution.name, finished)
    finally:
        remove_tree(folder)


def _sweep() -> None:
    """Remove the folders of runs of ours that were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{FOLDER}*-*"):
        with suppress(OSError):
            is_ours = path.lstat().st_uid == os.getuid()
            if is_ours and not is_alive(path.name.removeprefix(FOLDER).partition("-")[0]):
                remove_tree(path)


def _name(path: Path) -> str:
    return path.resolve().name.removesuffix(".zip") if path.suffix else path.resolve().name


def _data(study: Snapshot, phase: str | None, *, dry: bool) -> Snapshot:
    """Return the study whose material is run on."""
    if dry and phase is not None:
        raise InputError("a dry run is on the practice data", got=f"--dry and --phase {phase}")
    if not dry and phase is None:
        return study
    from earmark.study.challenge import phase_snapshot

    if dry and PRACTICE not in study.settings().get("phases", {}):
        return study
    return phase_snapshot(study, phase or PRACTICE)


def _all_steps(execution: Execution) -> list[StepResult]:
    """Run every step; the label of the progress is the part under way."""
    results: list[StepResult] = []
    for plan in track(execution.steps, label=f"{execution.name}: steps"):
        results.append(execution.run(plan, results))
    return results


def _dry(study: Snapshot, data: Snapshot, name: str, finished: Finished) -> Json:
    """Return what a run would store, and its score against the truth where that is known.

    The score is the challenge's: what study.toml names, or the task's first.
    """
    document: Json = {"system": name, "outputs": len(finished.outputs), "run": finished.run}
    truth = data.truth()
    if truth is None or not finished.outputs:
        return {**document, "dry": True, "scores": {}}
    from earmark.study.score import ScoreRecipe, score_one

    metric = study.settings().get("challenge", {}).get("metric") or next(iter(study.task.score))
    values: dict[str, Any] = {item: one.value for item, one in finished.outputs.items()}
    scores = score_one(data, truth, ScoreRecipe(0, (metric,), {}), name, values)
    return {**document, "dry": True, "scores": scores}
