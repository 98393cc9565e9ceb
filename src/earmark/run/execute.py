"""One step of a submission: laid out, run in its box, measured, and what it wrote looked at."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from earmark.files.folder import write_file
from earmark.run.box import (
    CODE,
    OUTPUT,
    ROOM,
    SHARED_MEMORY,
    TEMPORARY,
    WORK,
    Box,
    Limits,
    Mount,
    Runner,
)
from earmark.run.bubblewrap import box_environment
from earmark.run.budget import MEGABYTE, Budget
from earmark.run.logs import readable
from earmark.run.results import read_result, result_text
from earmark.run.stage import Stage
from earmark.run.steps import LOG_SHOWN, StepPlan, StepResult
from earmark.run.supervise import Ended, Stop, supervise
from earmark.run.trees import remove_tree
from earmark.task.contract import INITIALIZE, Contract, Part, ScriptCall
from earmark.task.contract import OUTPUT as OUTPUT_ARGUMENT
from earmark.task.contract import WORK as WORK_ARGUMENT
from earmark.task.progress import notes_to
from earmark.values.errors import InputError

SHELL = "/bin/bash"


@dataclass(frozen=True, slots=True)
class StepRunner:
    """Runs the steps of one submission, one at a time; each may be repeated after a kill."""

    contract: Contract
    budget: Budget
    runner: Runner
    stage: Stage
    parts: tuple[Part, ...]
    stop: Stop = lambda: False  # asked each second whether to call the step off

    def plans(self) -> tuple[StepPlan, ...]:
        """Return every step in order: initialize once, then each part's calls."""
        budget = self.budget
        plans: list[StepPlan] = []
        if self._initialises:
            plans.append(StepPlan("initialize", "", budget.initialise_seconds))
        for part in self.parts:
            for call in self.contract.calls:
                if call.step == "enroll":
                    plans.append(StepPlan("enroll", part.name, budget.enrol_seconds))
                else:
                    seconds = budget.prediction_seconds(part.sound)
                    plans.append(StepPlan("predict", part.name, seconds, part.sound))
        return tuple(plans)

    def run(self, plan: StepPlan) -> StepResult:
        """Run one step, whatever an earlier attempt left of it."""
        if plan.step == "initialize":
            return self._initialize(plan)
        number = self._number(plan.part)
        call = next(call for call in self.contract.calls if call.step == plan.step)
        lacking = self._lacking(plan, number)
        if lacking is not None:
            return lacking
        if plan.step == "enroll":
            return self._enroll(plan, number, call)
        return self._predict(plan, number, call)

    def _number(self, name: str) -> int:
        """Return the number of a part, from 1; 0 is initialize's."""
        return next(k for k, part in enumerate(self.parts, start=1) if part.name == name)

    @property
    def _initialises(self) -> bool:
        return (self.stage.code / INITIALIZE).is_file()

    @property
    def _code(self) -> Path:
        return self.stage.ready if self._initialises else self.stage.code

    def _initialize(self, plan: StepPlan) -> StepResult:
        ready = self.stage.begin_code()
        ended = self._boxed(plan, 0, INITIALIZE, (), (Mount(ready, CODE, writable=True),))
        if ended.status != "ok":
            remove_tree(ready)
        return self._result(plan, ended)

    def _lacking(self, plan: StepPlan, number: int) -> StepResult | None:
        """Do again what another machine did before; return a result if that fails."""
        again: list[StepPlan] = []
        if self._initialises and not self.stage.ready.is_dir():
            again.append(StepPlan("initialize", "", self.budget.initialise_seconds))
        enrols = any(call.step == "enroll" for call in self.contract.calls)
        if plan.step == "predict" and enrols and not self.stage.is_enrolled(number):
            again.append(StepPlan("enroll", plan.part, self.budget.enrol_seconds))
        for step in again:
            result = self._initialize(step) if step.step == "initialize" else self.run(step)
            if not result.is_ok:
                reason = f"not run: {step.step}, repeated on this machine, {result.reason}"
                return replace(result, step=plan.step, part=plan.part, reason=reason, seconds=0.0)
        return None

    def _enroll(self, plan: StepPlan, number: int, call: ScriptCall) -> StepResult:
        work = self.stage.empty("parts", f"{number:03d}", "work")
        ended = self._call(plan, number, call, (Mount(work, WORK, writable=True),))
        if ended.status == "ok":
            self.stage.keep_enrolled(number)
        else:
            self.stage.clear(number)
        return self._result(plan, ended)

    def _predict(self, plan: StepPlan, number: int, call: ScriptCall) -> StepResult:
        work = self.stage.work(number)
        output = self.stage.empty("parts", f"{number:03d}", "output")
        mounts = (Mount(work, WORK, writable=True), Mount(output, OUTPUT, writable=True))
        ended = self._call(plan, number, call, mounts)
        if ended.status == "ok":
            ended = self._looked_at(ended, number, output)
        self.stage.clear(number)
        return self._result(plan, ended)

    def _looked_at(self, ended: Ended, number: int, output: Path) -> Ended:
        """Read what a prediction wrote, as hostile text, and keep it; or say what is wrong."""
        name, part = self.contract.output, self.parts[number - 1]
        most = int(self.budget.output_megabytes * MEGABYTE)
        path = self.stage.accepted(number, name)
        try:
            text = result_text(read_result(output, name, most=most), name)
            write_file(path, text)
            with notes_to(lambda line: None):  # they come when the run is finished
                for _ in self.contract.read(path, part):
                    pass
        except InputError as error:
            remove_tree(path.parent)
            reason = f"wrote what cannot be read: {one_line(error, path)}"
            return replace(ended, status="output", reason=reason)
        return ended

    def _call(
        self, plan: StepPlan, number: int, call: ScriptCall, mounts: tuple[Mount, ...]
    ) -> Ended:
        """Run a part's script with the folders that its arguments name, and no others."""
        part = self.parts[number - 1]
        words: list[str] = []
        own = [Mount(self.stage.owned(self._code), CODE)]
        for argument in call.arguments:
            if argument == WORK_ARGUMENT:
                words.append(WORK)
            elif argument == OUTPUT_ARGUMENT:
                words.append(f"{OUTPUT}/{self.contract.output}")
            else:
                folder = self.stage.lay_out(number, argument, part.folders[argument])
                own.append(Mount(folder, f"{ROOM}/{argument}"))
                words.append(f"{ROOM}/{argument}")
        return self._boxed(plan, number, call.script, tuple(words), (*own, *mounts))

    def _boxed(
        self,
        plan: StepPlan,
        number: int,
        script: str,
        words: tuple[str, ...],
        mounts: tuple[Mount, ...],
    ) -> Ended:
        """Run a script in its box; write its log and telemetry."""
        budget, stage = self.budget, self.stage
        scratch = {target: stage.empty("scratch", name) for name, target in SCRATCH.items()}
        shared = tuple(Mount(place, target, writable=True) for target, place in scratch.items())
        command = (SHELL, f"{CODE}/{script}", *words)
        box = Box(command, (*mounts, *shared), box_environment(), stage.owner)
        limits = Limits(
            seconds=plan.seconds,
            memory=int(budget.memory_megabytes * MEGABYTE),
            processes=budget.processes,
            disk=int(budget.disk_megabytes * MEGABYTE),
            log=int(budget.log_megabytes * MEGABYTE),
        )
        lines: list[str] = []

        def telemetry(values: dict[str, float]) -> None:
            lines.append(json.dumps({"step": plan.step, "part": plan.part, **values}) + "\n")

        try:
            ended = supervise(self.runner, box, limits, telemetry, self.stop)
        finally:
            remove_tree(stage.folder / "scratch")
        write_file(stage.log(number, plan.step, "txt"), readable(ended.log))
        write_file(stage.log(number, plan.step, "jsonl"), "".join(lines))
        return ended

    def _result(self, plan: StepPlan, ended: Ended) -> StepResult:
        factor = ended.seconds / plan.sound if plan.sound else None
        return StepResult(
            step=plan.step,
            part=plan.part,
            status=ended.status,
            reason=ended.reason,
            seconds=ended.seconds,
            cpu_seconds=ended.cpu_seconds,
            megabytes=ended.megabytes,
            real_time_factor=factor,
            disk_megabytes=ended.disk_megabytes,
            isolation=self.runner.name,
            log=readable(ended.log, last=LOG_SHOWN),
        )


SCRATCH = {"tmp": TEMPORARY, "shm": SHARED_MEMORY}


def one_line(error: InputError, path: Path) -> str:
    """Return an error on one line, without the path of ours that it names."""
    lines = [line.strip() for line in str(error).splitlines()]
    text = "; ".join(line for line in lines if line)
    return text.replace(str(path), path.name)
