"""A submission whose steps are over: what failed and why, what it cost, how it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from earmark.files import jsonl
from earmark.run.steps import StepResult
from earmark.study.places import OUTPUTS, file_name, header
from earmark.study.snapshot import Snapshot
from earmark.study.systems import write_system
from earmark.task.contract import Contract, Part
from earmark.task.task import Json
from earmark.values.output import Cost, Output
from earmark.values.pack import pack

DONE, PARTIAL, FAILED = "done", "partial", "failed"


@dataclass(frozen=True, slots=True)
class Finished:
    """A run whose steps are over: run.json, an output per item, what it cost, logs as texts."""

    run: Json
    outputs: Mapping[str, Output[Any]]
    cost: Cost
    files: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)


def failures_of(results: Sequence[StepResult], parts: Sequence[Part]) -> dict[str, str]:
    """Return each part that failed with the reason, the first step's that did."""
    failures: dict[str, str] = {}
    done = {result.part for result in results if result.step == "predict" and result.is_ok}
    for result in results:
        if result.is_ok:
            continue
        names = [part.name for part in parts] if result.step == "initialize" else [result.part]
        for name in names:
            failures.setdefault(name, f"{result.step} {result.reason}")
    for part in parts:
        if part.name not in done:
            failures.setdefault(part.name, "was not run")
    return {part.name: failures[part.name] for part in parts if part.name in failures}


def reason_of(failures: Mapping[str, str], parts: int, contract: Contract) -> str:
    """Return one line on what failed, why, and what that costs; "" if nothing did."""
    if not failures:
        return ""
    by_reason: dict[str, list[str]] = {}
    for part, why in failures.items():
        by_reason.setdefault(why, []).append(part)
    reasons = "; ".join(f"{', '.join(names)}: {why}" for why, names in by_reason.items())
    if len(failures) == parts:
        return f"nothing could be scored; {reasons}"
    failed = f"{len(failures)} of {parts} {contract.parts_are}"
    return f"{failed} failed and {contract.failing}; {reasons}"


def cost_of(results: Sequence[StepResult], parts: Sequence[Part]) -> Cost:
    """Return the sums; the real-time factor is prediction alone over the sound it judged."""
    sound = {part.name: part.sound or 0.0 for part in parts}
    predicted = [result for result in results if result.step == "predict" and result.is_ok]
    judged = sum(sound[result.part] for result in predicted)
    seconds = sum(result.seconds for result in predicted)
    return Cost(
        seconds=sum(result.seconds for result in results),
        cpu_seconds=sum(result.cpu_seconds or 0.0 for result in results),
        megabytes=max((result.megabytes or 0.0 for result in results), default=0.0),
        real_time_factor=seconds / judged if judged else None,
    )


def write_outputs(study: Snapshot, name: str, finished: Finished) -> Json:
    """Store a finished run as a system of the study; the same run again replaces itself.

    A run in which nothing could be scored leaves its record and its log, and no outputs: it is on
    no board.
    """
    outputs = finished.outputs
    record = {"submission": name, **finished.run}
    files = {"run.json": jsonl.dump(record) + "\n", **finished.files}
    rows = ""
    if outputs:
        recipe = {
            "system": name,
            "submission": finished.run["digest"],
            "phase": finished.run["phase"],
        }
        made_by = header("run", recipe, inputs=dict(finished.inputs))
        rows = jsonl.lines(made_by, (pack(outputs[item]) for item in sorted(outputs)))
    write_system(study.folder, file_name(name), rows, finished.cost, files)
    return {
        "system": name,
        "outputs": len(outputs),
        "cost": pack(finished.cost),
        "run": finished.run,
        "folder": f"{OUTPUTS}/{name}",
    }
