"""The fourth verb: a system's outputs and what they cost."""

import resource
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.files.models import models_explained, models_used
from earmark.study.places import MATERIAL, file_name, header, input_digests
from earmark.study.snapshot import Snapshot
from earmark.study.submissions import is_for_sandbox, run_submission
from earmark.study.systems import run_numbers, write_system
from earmark.task.inference import inference_measured
from earmark.task.options import call_with
from earmark.task.progress import track
from earmark.task.task import Json, Training
from earmark.values import checks
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item
from earmark.values.output import Cost, Output
from earmark.values.pack import pack

__all__ = ["RunChoice", "Source", "run", "run_numbers"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where outputs come from: the system's name, its outputs to come, what it learns from."""

    name: str
    outputs: Iterator[Output[Any]]
    trained_on: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChoice:
    """How a system is run: its name, what it learns from, a submission's phase, without storing."""

    name: str | None = None
    train_on: str | None = None
    phase: str | None = None
    dry: bool = False


def run(
    study: Snapshot, system: str | Path, choice: RunChoice, *, options: Mapping[str, Any]
) -> Json:
    """Write the outputs of a built-in system, a file or folder, or a submission, and their cost."""
    is_path = str(system) not in study.task.run and Path(system).exists()
    if is_path and is_for_sandbox(study, Path(system)):
        _refuse(Path(system), options, train_on=choice.train_on)
        return run_submission(
            study, Path(system), name=choice.name, phase=choice.phase, dry=choice.dry
        )
    if choice.phase is not None or choice.dry:
        raise InputError(
            "phases and dry runs are for submissions",
            at=system,
            got="a built-in system" if not is_path else "a file or folder of outputs",
            want="a folder or zip of scripts",
        )
    return _run_here(study, system, choice, options)


def _refuse(path: Path, options: Mapping[str, Any], *, train_on: str | None) -> None:
    """Raise InputError if a submission is given what it cannot use."""
    given = [f"--{name.replace('_', '-')}" for name in options]
    given += ["--train-on"] if train_on else []
    if given:
        raise InputError("a submission takes no such option", at=path, got=", ".join(given))


def _run_here(
    study: Snapshot, system: str | Path, choice: RunChoice, options: Mapping[str, Any]
) -> Json:
    """Run a built-in system, or read outputs, in this process.

    A system may compute for hours, so the study is locked only while its outputs are written. Their
    header has the digests of the material from before: if it changed meanwhile, they are stale.
    """
    inputs = input_digests(study.folder, MATERIAL)
    items = study.items()
    wall, cpu = time.perf_counter(), time.process_time()
    with models_used() as models, models_explained(), inference_measured() as clock:
        if str(system) not in study.task.run and Path(system).exists():
            if choice.train_on:
                raise InputError(
                    "a file of outputs learns nothing",
                    at=system,
                    got=f"--train-on {choice.train_on}",
                )
            source = _from_file(study, Path(system), choice.name, options)
        else:
            source = _from_system(study, str(system), choice.name, choice.train_on, options)
        outputs = {output.item: output for output in _checked(source, items)}
    seconds = time.perf_counter() - wall
    cost = Cost(
        seconds=seconds,
        cpu_seconds=time.process_time() - cpu,
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        real_time_factor=clock.real_time_factor,
    )
    recipe = {
        "system": source.name,
        "seed": study.seed,
        "train_on": source.trained_on,
        **options,
    }
    named = {"model": ", ".join(sorted(models))} if models else {}
    made_by = header("run", recipe, inputs=inputs, **named)
    rows = jsonl.lines(made_by, (pack(outputs[item]) for item in sorted(outputs)))
    write_system(study.folder, file_name(source.name), rows, cost)
    return {"system": source.name, "outputs": len(outputs), "cost": _json(cost)}


def _json(cost: Cost) -> Json:
    packed = pack(cost)
    return packed if isinstance(packed, dict) else {}


def _from_file(study: Snapshot, path: Path, name: str | None, options: Mapping[str, Any]) -> Source:
    if study.task.outputs is None:
        raise StudyError(f"{study.task.name} reads no outputs from files", at=path)
    outputs = call_with(
        study.task.outputs, path, study.items(), options=options, what="a file of outputs"
    )
    return Source(name or path.stem or path.resolve().name, outputs)


def _from_system(
    study: Snapshot,
    system: str,
    name: str | None,
    train_on: str | None,
    options: Mapping[str, Any],
) -> Source:
    task = study.task
    chosen = checks.one_of(system, task.run, what="system or file", at=task.name)
    training = None
    if train_on or (chosen in task.learns_within and study.references()):
        training = Training.of(study.items(), study.reference(train_on))
    outputs = call_with(
        task.run[chosen],
        study.items(),
        train_on=training,
        seed=study.seed,
        options=options,
        what=f"the system {chosen}",
    )
    return Source(name or chosen, outputs, training.reference.name if training else None)


def _checked(source: Source, items: tuple[Item, ...]) -> Iterator[Output[Any]]:
    """Yield the outputs under the system's name; raise unless each is for a known item, once."""
    known, seen = {item.id for item in items}, set()
    for output in track(source.outputs, label=source.name, total=len(items)):
        if output.item not in known or output.item in seen:
            problem = "an item that is not there" if output.item not in known else "an item twice"
            raise InputError(
                f"a system spoke of {problem}",
                at=source.name,
                got=output.item,
                want="one output for each item",
            )
        seen.add(output.item)
        yield Output(source.name, output.item, output.value, output.confidence)
    if not seen:
        raise InputError("a system must have an output", at=source.name, got="no outputs")
