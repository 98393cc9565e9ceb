"""A submission on a study: its steps one by one, so that a kill costs the step under way at most.

`open_execution` looks the submission over and plans its steps; `Execution.run` runs one of them;
`Execution.finish` reads what was written; `write_outputs` stores it as a system of the study. The
command line does all four in a row, a worker keeps each step's result in between.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from earmark import __version__
from earmark.files.digest import content_digest
from earmark.run.box import Runner
from earmark.run.bubblewrap import readable_folders
from earmark.run.budget import Budget
from earmark.run.execute import StepRunner
from earmark.run.meter import SandboxError
from earmark.run.sandbox import choose_runner, owner_for
from earmark.run.stage import Stage
from earmark.run.steps import StepPlan, StepResult
from earmark.run.submission import Code, code_digest, take_in
from earmark.run.supervise import Stop
from earmark.study.finished import (
    DONE,
    FAILED,
    PARTIAL,
    Finished,
    cost_of,
    failures_of,
    reason_of,
    write_outputs,
)
from earmark.study.places import (
    ANSWERS,
    MATERIAL,
    REFERENCES,
    file_name,
    input_digests,
)
from earmark.study.snapshot import Snapshot
from earmark.task.contract import Contract
from earmark.task.task import Json
from earmark.values.errors import InputError, StudyError
from earmark.values.output import Output

__all__ = ["Execution", "Finished", "contract_of", "open_execution", "write_outputs"]

STEP_ORDER = ("initialize", "enroll", "predict")


@dataclass(frozen=True, slots=True)
class Execution:
    """A submission that was looked over, and the steps that are to be run."""

    name: str
    phase: str | None
    code: Code
    steps: tuple[StepPlan, ...]
    step_runner: StepRunner
    inputs: Mapping[str, str]

    @property
    def digest(self) -> str:
        """The digest of the submission's content."""
        return self.code.digest

    @property
    def runner(self) -> Runner:
        """The way of isolating."""
        return self.step_runner.runner

    @property
    def isolation(self) -> str:
        """The name of the way of isolating."""
        return self.runner.name

    @property
    def level(self) -> int:
        """Its level, 3 to 0."""
        return self.runner.level

    def run(
        self, plan: StepPlan, before: Sequence[StepResult] = (), *, stop: Stop | None = None
    ) -> StepResult:
        """Run one step; skip it where an earlier one that it builds on has failed.

        `stop` is asked about once a second whether to call the step off, which raises StepStopped.
        """
        for result in before:
            builds_on = result.step == "initialize" or result.part == plan.part
            if builds_on and not result.is_ok and result.step != plan.step:
                reason = f"not run: {result.step} {result.reason.removeprefix('not run: ')}"
                return StepResult(
                    plan.step, plan.part, result.status, reason, isolation=self.isolation
                )
        return replace(self.step_runner, stop=stop or (lambda: False)).run(plan)

    def finish(self, results: Sequence[StepResult]) -> Finished:
        """Read what the parts wrote; a part that failed gets the task's worst, if it has one."""
        contract, parts = self.step_runner.contract, self.step_runner.parts
        failures = failures_of(results, parts)
        outputs: dict[str, Output[Any]] = {}
        is_done = len(failures) < len(parts)
        for number, part in enumerate(parts, start=1):
            if part.name not in failures:
                rows = contract.read(self._accepted(number), part)
            elif is_done and contract.failed is not None:
                rows = contract.failed(part, failures[part.name])
            else:
                continue
            outputs |= {
                row.item: Output(self.name, row.item, row.value, row.confidence) for row in rows
            }
        return Finished(
            self._record(results, failures),
            outputs,
            cost_of(results, parts),
            self._texts(),
            self.inputs,
        )

    def _accepted(self, number: int) -> Path:
        path = self.step_runner.stage.accepted(number, self.step_runner.contract.output)
        if not path.is_file():
            raise SandboxError(f"what part {number} wrote is gone; run it again")
        return path

    def _record(self, results: Sequence[StepResult], failures: Mapping[str, str]) -> Json:
        """Return run.json."""
        step_runner = self.step_runner
        parts = len(step_runner.parts)
        status = DONE if not failures else PARTIAL if len(failures) < parts else FAILED
        return {
            "status": status,
            "reason": reason_of(failures, parts, step_runner.contract),
            "phase": self.phase,
            "isolation": self.isolation,
            "level": self.level,
            "digest": self.digest,
            "parts": parts,
            "failed": dict(failures),
            "budget": step_runner.budget.as_json(),
            "earmark": __version__,
            "steps": [result.recorded() for result in results],
        }

    def _texts(self) -> dict[str, str]:
        """Return the log and the telemetry of all steps, each as one text."""
        places = sorted((self.step_runner.stage.folder / "logs").glob("[!.]*"))
        order = sorted(places, key=lambda path: (path.name[:3], STEP_ORDER.index(_step_of(path))))
        names = ["", *(part.name for part in self.step_runner.parts)]
        log = [
            f"== {_step_of(path)} {names[int(path.name[:3])]}\n{path.read_text(encoding='utf-8')}"
            for path in order
            if path.suffix == ".txt"
        ]
        lines = [path.read_text(encoding="utf-8") for path in order if path.suffix == ".jsonl"]
        return {"log.txt": "\n".join(log), "telemetry.jsonl": "".join(lines)}


def _step_of(path: Path) -> str:
    return path.stem.partition("-")[2]


def open_execution(
    study: Snapshot,
    archive: Path,
    folder: Path,
    *,
    name: str,
    phase: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Execution:
    """Look a submission over and plan its steps on a study; raise InputError if it is none.

    All of the run lives below `folder`; one that an earlier process left is taken over. `settings`
    are those of study.toml, by default the study's own: budgets and the way of isolating. What is
    wrong with the study, and not with the submission, is a StudyError.
    """
    contract = contract_of(study)
    settings = study.settings() if settings is None else settings
    with _ours():
        sandbox = settings.get("sandbox", {})
        budget = Budget.of(settings.get("budget", {}))
        runner = choose_runner(sandbox.get("runner", "auto"), sandbox.get("image", ""))
        _refuse_readable_labels(study)
        inputs = input_digests(study.folder, MATERIAL)
        # Secret, as it depends on the truth, and the same whenever the material is.
        key = content_digest(repr(sorted(inputs.items())))
        parts = contract.parts(study.items(), key)
        if not parts:
            raise InputError("a submission needs items to judge", at=study.name, got="none")
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    stage = Stage(folder, owner_for(runner))
    code = _taken_in(study, archive, stage, contract)
    step_runner = StepRunner(contract, budget, runner, stage, parts)
    return Execution(file_name(name), phase, code, step_runner.plans(), step_runner, inputs)


@contextmanager
def _ours() -> Iterator[None]:
    """Turn what is wrong with our own side within this block into StudyError."""
    try:
        yield
    except StudyError:
        raise
    except InputError as error:
        raise StudyError(str(error)) from error


def contract_of(study: Snapshot) -> Contract:
    """Return what the study's task says of submissions; raise StudyError if it takes none."""
    if study.task.submission is None:
        raise StudyError(f"{study.task.name} takes no submissions", at=study.name)
    return study.task.submission()


def _taken_in(study: Snapshot, archive: Path, stage: Stage, contract: Contract) -> Code:
    """Copy the submission, unless an earlier process has done so: its digest is written last."""
    mark = stage.folder / "digest.txt"
    if mark.is_file() and stage.code.is_dir():
        digest = mark.read_text(encoding="utf-8").strip()
        if code_digest(stage.code) == digest:
            return Code(stage.code, digest)
    forbidden = {
        (facts.st_dev, facts.st_ino)
        for place in (MATERIAL, ANSWERS, REFERENCES)
        for path in (study.folder / place).glob("*.jsonl")
        for facts in [path.stat()]
    }
    code = take_in(archive, stage.code, contract, forbidden=forbidden)
    mark.write_text(code.digest + "\n", encoding="utf-8")
    return code


def _refuse_readable_labels(study: Snapshot) -> None:
    """Raise InputError if the study lies in a folder that every box can read."""
    place = study.folder.resolve()
    for readable in readable_folders():
        if place.is_relative_to(readable):
            raise InputError(
                "a study must lie where submissions cannot read",
                at=place,
                got=f"{readable} is readable in every box",
                fix="move the study to another folder",
            )
