"""A reference and one or several outputs, no study: pair them, score them, rank them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from earmark.files.digest import digest
from earmark.score.build import build_metrics
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.score.groups import GroupChoice, choose_groups
from earmark.score.metric import Metric
from earmark.score.rank import board
from earmark.score.results import Board, ScoreSet, worst_items, worst_of
from earmark.task.options import call_with, merged, options_of
from earmark.task.progress import track
from earmark.task.task import Json, Pairing, Task
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.score import number


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureRequest:
    """What is held to be right, by which metrics outputs are scored (all), and how.

    `references` are paths, or what else the task's `measure` takes; `options` are those of reading
    and of the metrics together; `groups` says which items belong together.
    """

    task: Task
    references: tuple[Any, ...]
    metrics: tuple[str, ...] | None = None
    resamples: int = 1000
    seed: int = 0
    worst: int = 0  # how many of the worst items the details name, by each metric asked for
    explain: bool = False  # whether the details say what items' scores are made of
    groups: GroupChoice = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def build_metrics(self) -> dict[str, Metric]:
        """Return the metrics, each with the options it takes; raise InputError for a stray one."""
        reading = options_of(self.reader) if self.task.measure else {}
        rating = merged(self.task.score.values())
        for name in self.options:
            checks.one_of(name, {**reading, **rating}, what="option", at=self.task.name)
        chosen = {name: value for name, value in self.options.items() if name in rating}
        return build_metrics(self.task, self.metrics, chosen)

    def pair(self, output: Any) -> Pairing:
        """Return the reference and an output, paired by item; values may come paired already."""
        own = options_of(self.reader)
        if isinstance(output, Pairing):
            stray = [name for name in self.options if name in own]
            if stray:
                raise InputError(
                    "options of reading files are for paths",
                    got=", ".join(stray),
                    at=self.task.name,
                )
            return output
        chosen = {name: value for name, value in self.options.items() if name in own}
        pairing: Pairing = call_with(self.reader, self.references, output, options=chosen)
        return pairing

    @property
    def reader(self) -> Any:
        """The task's function that pairs two sides."""
        if self.task.measure is None:
            raise InputError(f"{self.task.name} cannot be measured from files yet")
        return self.task.measure


def measure(request: MeasureRequest, output: Any) -> ScoreSet:
    """Return the scores of one output."""
    return _measure(request, request.build_metrics(), output)


def _measure(request: MeasureRequest, metrics: Mapping[str, Metric], output: Any) -> ScoreSet:
    pairing = request.pair(output)
    names = (
        f"{pairing.reference_name}@{digest(pairing.reference)}",
        f"{pairing.output_name}@{digest(pairing.output)}",
    )
    groups = choose_groups(request.task, request.groups, pairing.reference)
    how = EvaluateOptions(
        resamples=request.resamples,
        seed=request.seed,
        groups=groups.of,
        grouped_by=groups.name,
        names=names,
    )
    scores = evaluate_all(metrics, pairing.reference, pairing.output, how)
    measured = ScoreSet(request.task.name, scores, metrics, dict(pairing.details))
    extra = _worst(request, measured) if request.worst else {}
    if request.explain:
        extra["explain"] = _explained(request, pairing, measured)
    return replace(measured, details={**measured.details, **extra}) if extra else measured


def _leading(request: MeasureRequest, measured: ScoreSet) -> list[str]:
    """Return the metrics that were asked for, or the first one that has a value."""
    if request.metrics:
        return list(request.metrics)
    return [name for name, score in measured.items() if not math.isnan(score.value)][:1]


def _worst(request: MeasureRequest, measured: ScoreSet) -> Json:
    """Return the worst items by each metric asked for, and how many items have no value."""
    higher = measured.higher_is_better
    return {
        "worst": {
            name: worst_of(measured.per_item(name), request.worst, higher[name])
            for name in _leading(request, measured)
        }
    }


def _explained(request: MeasureRequest, pairing: Pairing, measured: ScoreSet) -> Json:
    """Return what the task explains of items, those worst by the first metric first."""
    if request.task.explain is None:
        raise InputError(f"{request.task.name} explains no scores", fix="leave explain out")
    values = {name: measured.per_item(name) for name in request.metrics or ()}
    leading = _leading(request, measured)
    by_item = measured.per_item(leading[0]) if leading else dict.fromkeys(pairing.reference, 0.0)
    order = list(worst_items(by_item, len(by_item), higher_is_better=_higher(measured, leading)))
    order += [item for item in by_item if item not in set(order)]  # undefined ones last
    chosen = order[: request.worst or len(order)]
    explained = request.task.explain(
        {item: pairing.reference[item] for item in chosen},
        {item: pairing.output[item] for item in chosen},
        request.metrics,
    )
    own = {item: {name: number(v[item]) for name, v in values.items()} for item in chosen}
    return {item: {"scores": own[item], **explained[item]} for item in chosen}


def _higher(measured: ScoreSet, metrics: list[str]) -> bool:
    return not metrics or measured.higher_is_better[metrics[0]]


def compare_outputs(request: MeasureRequest, outputs: Mapping[str, Any]) -> Board:
    """Return a board of several outputs, by name: each one's scores, and the ranked rows.

    Every output is scored as it would be alone.
    """
    refuse_options_of_one_output(request)
    metrics = request.build_metrics()
    measured = {
        name: _measure(request, metrics, output)
        for name, output in track(list(outputs.items()), label="score")
    }
    rows = {
        name: board(
            metric,
            {system: scores[name] for system, scores in measured.items()},
            resamples=request.resamples,
            seed=request.seed,
        )
        for name, metric in metrics.items()
    }
    return Board(measured, rows)


def refuse_options_of_one_output(request: MeasureRequest) -> None:
    """Raise InputError for an option that describes one output, and would be used for all."""
    for name, own in options_of(request.reader).items():
        if own.of_output and request.options.get(name) is not None:
            raise InputError(
                "an option that belongs to one output cannot be used for several",
                got=f"--{own.flag} and several outputs",
                fix=f"measure each output by itself with its own --{own.flag}",
            )


def names_of(paths: Sequence[Path]) -> dict[str, Path]:
    """Return outputs by name: the stem, with as many folders before it as tell them apart.

    Examples
    --------
    >>> list(names_of([Path("runs/a/out.tsv"), Path("runs/b/out.tsv")]))
    ['a/out', 'b/out']
    """
    stems = [path.resolve().with_suffix("").parts for path in paths]
    for depth in range(1, max(map(len, stems)) + 1):
        names = ["/".join(parts[-depth:]) for parts in stems]
        if len(set(names)) == len(names):
            return dict(zip(names, paths, strict=True))
    places = [path.resolve() for path in paths]
    if len(set(places)) == len(places):  # some differ in the suffix alone
        return {str(path): path for path in paths}
    twice = next(path for k, path in enumerate(paths) if places[k] in places[:k])
    raise InputError("every output must be named once", got=twice, fix="leave one of them out")
