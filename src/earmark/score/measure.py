"""A reference and one or several outputs, no study: pair them, score them, rank them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from earmark.files.digest import digest
from earmark.score.build import build_metrics
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.score.groups import GroupChoice, choose_groups
from earmark.score.metric import Metric
from earmark.score.rank import board
from earmark.score.results import Board, ScoreSet
from earmark.task.options import call_with, merged, options_of
from earmark.task.progress import track
from earmark.task.task import Pairing, Task
from earmark.values import checks
from earmark.values.errors import InputError


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
        """Return the reference and an output, paired by item."""
        own = options_of(self.reader)
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
    return ScoreSet(request.task.name, scores, metrics, dict(pairing.details))


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
