"""A runner behind the same interface as `study.execution`, with no sandbox: a plain subprocess.

A submission is a zip with `predict.sh`, which gets the name of a part and prints one word per item
of it: heads or tails. Every start of a step is appended to the file `starts` beside the jobs, so
that a test can count what was run and how often. What tests of the queue need and no more.
"""

import hashlib
import json
import subprocess
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from earmark.run.steps import StepPlan, StepResult
from earmark.study.snapshot import Snapshot
from earmark.values.errors import InputError
from earmark.values.output import Cost, Output


@dataclass(frozen=True)
class Finished:
    run: dict[str, Any]
    outputs: dict[str, Output[Any]]
    cost: Cost
    files: dict[str, str] = field(default_factory=dict)


class TinyExecution:
    def __init__(self, data: Snapshot, folder: Path, name: str, digest: str) -> None:
        self.data, self.folder, self.name, self.digest = data, folder, name, digest
        self.isolation = "none"
        groups = dict.fromkeys(item.group for item in data.items())
        predictions = (StepPlan("predict", group, 5.0) for group in groups)
        self.steps = (StepPlan("initialize", "", 5.0), *predictions)

    def run(
        self, plan: StepPlan, before: Sequence[StepResult], stop: Callable[[], bool]
    ) -> StepResult:
        with (self.folder.parent / "starts").open("a") as starts:
            starts.write(f"{self.folder.name} {plan.step} {plan.part}\n")
        if plan.step == "initialize":
            return StepResult(plan.step, plan.part, log="ready")
        done = subprocess.run(
            ["sh", str(self.folder / "predict.sh"), plan.part],
            capture_output=True,
            text=True,
            timeout=plan.seconds,
            check=False,
        )
        status: Any = "error" if done.returncode else "ok"
        (self.folder / f"{plan.part}.txt").write_text(done.stdout)
        reason = f"exit code {done.returncode}" if done.returncode else ""
        return StepResult(plan.step, plan.part, status, reason, seconds=0.1, log=done.stderr)

    def finish(self, results: Sequence[StepResult]) -> Finished:
        bad = [result for result in results if not result.is_ok]
        side = self.data.task.kinds[0]
        outputs = {}
        for item in self.data.items():
            path = self.folder / f"{item.group}.txt"
            word = path.read_text().strip() if path.exists() else ""
            outputs[item.id] = Output(self.name, item.id, side(word == "heads"))
        failed = len(bad) == len(results) - 1
        status = "failed" if failed else "partial" if bad else "done"
        run = {
            "status": status,
            "reason": f"{len(bad)} of {len(results) - 1} parts failed" if bad else "",
            "isolation": self.isolation,
            "digest": self.digest,
            "steps": [result.recorded() for result in results],
        }
        return Finished(run, outputs, Cost(seconds=0.1 * len(results), cpu_seconds=0.1))


def open_tiny(
    data: Snapshot,
    archive: Path,
    folder: Path,
    *,
    name: str,
    phase: str,
    settings: Mapping[str, Any],
) -> TinyExecution:
    try:
        with zipfile.ZipFile(archive) as content:
            files = {entry: content.read(entry) for entry in content.namelist()}
    except zipfile.BadZipFile as error:
        raise InputError("a submission is a zip", at=archive) from error
    if "predict.sh" not in files:
        raise InputError("a submission needs predict.sh", at=archive, got=", ".join(files))
    for entry, text in files.items():
        (folder / entry).write_bytes(text)
    listed = [[entry, text.hex()] for entry, text in sorted(files.items())]
    digest = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    return TinyExecution(data, folder, name, digest)


def tiny_zip(path: Path, script: str) -> Path:
    """Write a submission with this script."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("predict.sh", script)
    return path
