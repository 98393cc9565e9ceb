"""What Python callers call: `earmark.measure`, `compare` and `open`.

Each does what a command does, with values or paths for files. It only translates; the work is done
in the rooms. (`earmark.reconcile` is in `reconcile/__init__.py`.)
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from earmark import tasks
from earmark.score.groups import GroupChoice
from earmark.score.measure import MeasureRequest, compare_outputs
from earmark.score.measure import measure as measure_output
from earmark.score.results import Board, ScoreSet
from earmark.study import Study
from earmark.task.options import options_of
from earmark.task.task import Task
from earmark.values.errors import InputError

# What `measure` and `compare` take for every task.
OF_SCORING = ("resamples", "seed", "groups", "worst", "explain")


def measure(
    task: str | Task,
    *,
    reference: Any,
    output: Any = None,
    metrics: Iterable[str] | None = None,
    **options: Any,
) -> ScoreSet:
    """Return the scores of one output, as `earmark measure` computes them.

    Both sides are paths or values: for events rows of (recording, onset, offset, label), dicts or a
    DataFrame, with `durations={"a.wav": 10.0}`; for captions item to text or texts; for boundaries
    a list of people's texts, 0/1 lists or position sets; for context item to a label or a score per
    word; for keywords speaker to clip to 0 or 1. `metrics` are names, all by default.
    `options` are `resamples`, `seed`, `groups` (a name, a path, or item to group: which items are
    resampled together), `worst` (how many of the worst items the details name),
    `explain` (captions: what their scores are made of), and what the command takes for this task.

    Examples
    --------
    >>> rows = [("a.wav", 0.0, 2.0, "dog"), ("b.wav", 1.0, 3.0, "car")]
    >>> scores = measure("events", reference=rows, output=rows, metrics=["segment_f1"])
    >>> float(scores["segment_f1"]), scores.per_item("segment_f1")
    (1.0, {'a.wav': 1.0, 'b.wav': 1.0})
    """
    own = _task(task)
    references, side = _sides(own, reference, output)
    return measure_output(_request(own, references, metrics, options), side)


def compare(
    task: str | Task,
    *,
    reference: Any,
    outputs: Mapping[str, Any],
    metrics: Iterable[str] | None = None,
    **options: Any,
) -> Board:
    """Return a board of several outputs by name: values, intervals, ranks, p.

    `reference`, each output, `metrics` and `options` are as in `measure`.
    """
    own = _task(task)
    if not isinstance(outputs, Mapping) or not outputs:
        raise InputError(
            "outputs must be named",
            got=f"{type(outputs).__name__}: {outputs!r}",
            want='outputs={"mine": ..., "theirs": ...}',
        )
    sides = {name: _sides(own, reference, output) for name, output in outputs.items()}
    references = next(iter(sides.values()))[0]
    request = _request(own, references, metrics, options)
    return compare_outputs(request, {str(name): side for name, (_, side) in sides.items()})


def open(folder: str | Path, *, seed: int | None = None) -> Study:
    """Return the study in a folder."""
    if not isinstance(folder, str | Path):
        raise InputError("a study is opened by its folder", got=repr(folder), want='open("talks")')
    return Study.open(folder, seed=seed)


def _task(task: object) -> Task:
    if isinstance(task, Task):
        return task
    if isinstance(task, str):
        return tasks.load(task)
    raise InputError(
        "a task is named first",
        got=f"{type(task).__name__}: {task!r}",
        want=", ".join(tasks.names()),
        fix="two scores of one metric are compared by compare_scores(metric, first, second)",
    )


def _sides(task: Task, reference: Any, output: Any) -> tuple[tuple[Any, ...], Any]:
    """Return both sides as the task's `measure` takes them."""
    if task.given:
        return task.given(reference, output)
    for side in (reference, output):
        if not isinstance(side, str | Path):
            raise InputError(
                f"{task.name} is measured from files",
                got=f"{type(side).__name__}: {side!r}",
                want="reference=PATH, output=PATH",
            )
    return (Path(reference),), Path(output)


def _request(
    task: Task,
    references: tuple[Any, ...],
    metrics: Iterable[str] | None,
    options: Mapping[str, Any],
) -> MeasureRequest:
    if isinstance(metrics, str):
        raise InputError(
            "metrics are a list of names", got=repr(metrics), fix=f"write metrics=[{metrics!r}]"
        )
    reading = options_of(task.measure) if task.measure else {}
    rest = {name: value for name, value in options.items() if name not in OF_SCORING}
    for name, value in rest.items():
        if isinstance(value, str) and name in reading:
            rest[name] = _option(value, name, reading[name].kind, many=reading[name].many)
    return MeasureRequest(
        task=task,
        references=references,
        metrics=None if metrics is None else tuple(metrics),
        resamples=_whole(options.get("resamples", 1000), "resamples"),
        seed=_whole(options.get("seed", 0), "seed"),
        worst=_whole(options.get("worst", 0), "worst"),
        explain=bool(options.get("explain", False)),
        groups=_groups(options.get("groups")),
        options=rest,
    )


def _option(value: str, name: str, kind: type, *, many: bool) -> Any:
    """Return a text given for an option: a path where one is wanted, never a list of letters."""
    if many:
        raise InputError(
            f"{name} is a list of texts", got=repr(value), fix=f"write {name}=[{value!r}]"
        )
    return Path(value) if kind is Path else value


def _groups(value: Any) -> GroupChoice:
    if value is None or isinstance(value, str | Path | Mapping):
        return value
    raise InputError(
        "groups are a name, a path, or a dict of item to group",
        got=f"{type(value).__name__}: {value!r}",
        want='groups={"a.wav": "ann", "b.wav": "ann", "c.wav": "ben"}',
    )


def _whole(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"{name} must be a whole number >= 0", got=repr(value))
    return value
