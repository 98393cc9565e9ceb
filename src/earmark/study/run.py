"""The fourth verb: a system's outputs and what they cost."""

import json
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.files import jsonl
from earmark.files.folder import whole_folder, write_file
from earmark.study import verify
from earmark.study.places import MATERIAL, OUTPUTS, header
from earmark.task.options import call_with, must_take
from earmark.task.progress import track
from earmark.task.task import Json, Training
from earmark.values import checks
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item
from earmark.values.output import Cost, Output
from earmark.values.pack import pack

if TYPE_CHECKING:
    from earmark.study.study import Study


def run(
    study: "Study",
    system: str | Path,
    *,
    name: str | None = None,
    train_on: str | None = None,
    **options: Any,
) -> Json:
    """Outputs of a built-in system, or those that a file holds, under the system's name."""
    items = study.items()
    started = time.perf_counter(), time.process_time()
    label, produced, training = _produce(study, system, items, name, train_on, options)
    outputs = {output.item: output for output in _checked(produced, items, label)}
    cost = Cost(
        seconds=time.perf_counter() - started[0],
        cpu_seconds=time.process_time() - started[1],
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        real_time_factor=_real_time_factor(items, time.perf_counter() - started[0]),
    )
    recipe = {"system": label, "seed": study.seed, "train_on": training, **options}
    made_by = header("run", recipe, inputs=verify.inputs(study, MATERIAL))
    with whole_folder(study.folder / OUTPUTS / verify.file_name(label)) as place:
        text = jsonl.lines(made_by, (pack(outputs[item]) for item in sorted(outputs)))
        write_file(place / "outputs.jsonl", text)
        write_file(place / "cost.json", json.dumps(pack(cost), indent=2) + "\n")
    return {"system": label, "outputs": len(outputs), "cost": pack(cost)}


def _produce(
    study: "Study",
    system: str | Path,
    items: tuple[Item, ...],
    name: str | None,
    train_on: str | None,
    options: dict[str, Any],
) -> tuple[str, Iterator[Output[Any]], str | None]:
    """The system's label, its outputs to come, and the reference that it learns from."""
    task = study.task
    if str(system) not in task.run and Path(system).exists():
        if task.outputs is None:
            raise StudyError(f"{task.name} reads no outputs from there", at=system)
        return name or Path(system).stem, task.outputs(Path(system), items), None
    chosen = checks.one_of(str(system), task.run, what="system or file", at=task.name)
    must_take(task.run[chosen], options, what=f"the system {chosen}")
    training = None
    if train_on or chosen in task.learns_within:
        reference = study.reference(train_on) if train_on or study.references() else None
        training = Training(items, reference) if reference else None
    produced = call_with(
        task.run[chosen], items, train_on=training, seed=study.seed, options=options
    )
    return name or chosen, produced, training.reference.name if training else None


def _checked(
    produced: Iterator[Output[Any]], items: tuple[Item, ...], label: str
) -> Iterator[Output[Any]]:
    """The outputs under the system's label; every one for a known item, none twice."""
    known, seen = {item.id for item in items}, set()
    for output in track(produced, label=label, total=len(items)):
        if output.item not in known or output.item in seen:
            problem = "an item that is not there" if output.item not in known else "an item twice"
            raise InputError(
                f"a system spoke of {problem}",
                at=label,
                got=output.item,
                want="one output for each item",
            )
        seen.add(output.item)
        yield Output(label, output.item, output.value, output.confidence)
    if not seen:
        raise InputError("a system must put out something", at=label, got="no outputs")


def _real_time_factor(items: tuple[Item, ...], seconds: float) -> float | None:
    """Seconds of work for a second of sound; None where items are not sounds."""
    from earmark.files.sound import sound_seconds

    sounds = {item.media for item in items if item.media and not item.media.endswith(".txt")}
    try:
        length = sum(sound_seconds(path) for path in sounds)
    except InputError:
        return None
    return seconds / length if length else None
