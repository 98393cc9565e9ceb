"""The fourth verb: a system's outputs and what they cost."""

import resource
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.files.json_text import read_json
from earmark.files.models import models_used
from earmark.study.places import MATERIAL, OUTPUTS, file_name, header, input_digests
from earmark.study.record import measured_text, write_place
from earmark.study.snapshot import Snapshot
from earmark.study.writing import writing
from earmark.task.options import call_with
from earmark.task.progress import track
from earmark.task.task import Json, Training
from earmark.values import checks
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item
from earmark.values.output import Cost, Output
from earmark.values.pack import pack


@dataclass(frozen=True, slots=True)
class Source:
    """Where outputs come from: the system's name, its outputs to come, what it learns from."""

    name: str
    outputs: Iterator[Output[Any]]
    trained_on: str | None = None


def run(
    study: Snapshot,
    system: str | Path,
    *,
    name: str | None = None,
    train_on: str | None = None,
    options: Mapping[str, Any],
) -> Json:
    """Write the outputs of a built-in system, or those of a file or folder, and what they cost.

    A system may compute for hours, so the study is locked only while its outputs are written. Their
    header has the digests of the material from before: if it changed meanwhile, they are stale.
    """
    inputs = input_digests(study.folder, MATERIAL)
    items = study.items()
    wall, cpu = time.perf_counter(), time.process_time()
    with models_used() as models:
        if str(system) not in study.task.run and Path(system).exists():
            if train_on:
                raise InputError(
                    "a file of outputs learns nothing", at=system, got=f"--train-on {train_on}"
                )
            source = _from_file(study, Path(system), name, options)
        else:
            source = _from_system(study, str(system), name, train_on, options)
        outputs = {output.item: output for output in _checked(source, items)}
    seconds = time.perf_counter() - wall
    cost = Cost(
        seconds=seconds,
        cpu_seconds=time.process_time() - cpu,
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        real_time_factor=_real_time_factor(items, seconds),
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
    _write(study.folder, file_name(source.name), rows, cost)
    return {"system": source.name, "outputs": len(outputs), "cost": _json(cost)}


def _write(folder: Path, system: str, rows: str, cost: Cost) -> None:
    """Write the outputs of a system and their cost, with the number of this run, together."""
    with writing(folder, "run"):
        number = 1 + max(run_numbers(folder).values(), default=0)
        files = {
            f"{system}/outputs.jsonl": rows,
            f"{system}/cost.json": measured_text({**_json(cost), "run": number}),
        }
        write_place(folder / OUTPUTS, files, drop=lambda name: name == system)


def _json(cost: Cost) -> Json:
    packed = pack(cost)
    return packed if isinstance(packed, dict) else {}


def run_numbers(folder: Path) -> dict[str, int]:
    """Return the count of the run that each system's outputs come from, the latest the highest."""
    costs = sorted((folder / OUTPUTS).glob("[!.]*/cost.json"))
    return {path.parent.name: _run_number(path) for path in costs}


def _run_number(path: Path) -> int:
    cost = read_json(path)
    number = cost.get("run", 0) if isinstance(cost, dict) else None
    if not isinstance(number, int):
        raise InputError("a cost must be one object with the count of its run", at=path, got=cost)
    return number


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


def _real_time_factor(items: tuple[Item, ...], seconds: float) -> float | None:
    """Return seconds of work per second of sound; None where items are not sounds."""
    from earmark.files.sound import sound_seconds

    sounds = {item.media for item in items if item.media and not item.media.endswith(".txt")}
    try:
        length = sum(sound_seconds(path) for path in sounds)
    except InputError:
        return None
    return seconds / length if length else None
