"""A metric is two small functions: count an item, then rate the sum."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from earmark.arrays import Bools
from earmark.score.counting import Prepared, Sides
from earmark.stats.rates import proportion
from earmark.values.counts import Mean
from earmark.values.score import Score
from earmark.values.signature import plain

C = TypeVar("C")
P = TypeVar("P")


@dataclass(frozen=True, slots=True, repr=False)
class Metric:
    """What a builder such as `segment_f1(seconds=1.0)` returns.

    `count(reference, output)` looks at one item and tallies; `rate(counts)` turns summed tallies
    into a number, nan when undefined. `options` holds every option that can change the number, in
    the order of the builder's parameters. `average` is `micro` when counts are pooled over items
    and `macro` when items' own values are averaged. `best` is the value of a perfect output, and
    `undefined` says in words when there is no value. `parts(counts)` gives what the number is
    made of, for `details`.

    Some slots are for metrics that must or can look at everything at once. `count_all(references,
    outputs)` tallies all items together (a vocabulary shared by the references, one batch of
    embeddings) and then takes the place of `count`. Metrics that count from the same layout of both
    sides (arrays, parsed graphs) share it: `prepare(references, outputs)` is called once for all
    metrics of a call that name the same function, and `count_prepared(layout)` tallies from it.
    Both may give a mapping of counts or a `CountTable`. `rate_resamples(counts, weights)` gives the
    value of each resample from the items' counts and an integer array of resamples by items, for
    counts that are not rows of numbers.

    `labels(counts)`, for an average over labels, gives the labels that enter it, and an array of
    items by labels: whether the item has something of that label. An average over labels that
    hardly any item has gets no interval (see `score/interval.py`).

    `check_installed()`, when given, raises InputError if something outside Earmark that the metric
    needs is missing; it is called when somebody names the metric.

    `poolable` is False where counts hold a system's raw scores, which lie on that system's own
    scale: two systems are then compared by what groups contribute, never by mixing their items.

    `separable` is False where an item's counts depend on the references of the other items (CIDEr
    weighs words by how many items hold them): another reference of one item then counts all anew.
    """

    task: str
    name: str
    count: Callable[[Any, Any], Any]
    rate: Callable[[Any], float]
    options: Mapping[str, object] = field(default_factory=dict)
    average: str = "micro"
    empty: str = "skip"
    higher_is_better: bool = True
    low: float = 0.0
    high: float = 1.0
    undefined: str = "there was nothing to count"
    parts: Callable[[Any], Mapping[str, object]] | None = None
    count_all: Callable[[Sides, Sides], Mapping[str, Any]] | None = None
    prepare: Callable[[Sides, Sides], Any] | None = None
    count_prepared: Callable[[Any], Mapping[str, Any]] | None = None
    rate_resamples: Callable[[Sequence[Any], Any], Any] | None = None
    poolable: bool = True
    separable: bool = True
    labels: Callable[[Any], tuple[Sequence[str], Bools]] | None = None
    check_installed: Callable[[], None] | None = None

    def __repr__(self) -> str:
        options = "".join(f", {name} {plain(value)}" for name, value in self.options.items())
        return f"<Metric {self.full_name}{options}>"

    @property
    def full_name(self) -> str:
        """`task.metric`, the beginning of the signature."""
        return f"{self.task}.{self.name}"

    @property
    def best(self) -> float:
        """The value of a perfect output."""
        return self.high if self.higher_is_better else self.low

    def counts(self, prepared: Prepared) -> Mapping[str, Any]:
        """Return each item's counts."""
        if self.prepare and self.count_prepared:
            return self.count_prepared(prepared.of(self.prepare))
        reference, output = prepared.reference, prepared.output
        if self.count_all:
            return self.count_all(reference, output)
        return {item: self.count(reference[item], output[item]) for item in prepared.items}

    def __call__(self, reference: Any, output: Any) -> Score:
        """Return the score of one item, without an interval."""
        from earmark.score.evaluate import evaluate

        return evaluate(self, {"item": reference}, {"item": output}, resamples=0)


def count_one(
    prepare: Callable[[Sides, Sides], P], count_prepared: Callable[[P], Mapping[str, C]]
) -> Callable[[Any, Any], C]:
    """Return the `count` of a metric that counts all items from one layout."""

    def count(reference: Any, output: Any) -> C:
        return count_prepared(prepare({"item": reference}, {"item": output}))["item"]

    return count


def mean(counts: Mean) -> float:
    """Return the sum of a Mean over its size, nan when nothing was defined."""
    return proportion(counts.total, of=counts.size)


def macro(metric: Metric) -> Metric:
    """Return the metric with each item rated by itself and the values averaged; nan is skipped."""

    def count(reference: Any, output: Any) -> Mean:
        return Mean.of(metric.rate(metric.count(reference, output)))

    def count_all(references: Sides, outputs: Sides) -> dict[str, Mean]:
        counts = metric.counts(Prepared(references, outputs, tuple(references)))
        return {item: Mean.of(metric.rate(tally)) for item, tally in counts.items()}

    return replace(
        metric,
        count=count,
        count_all=count_all,
        prepare=None,
        count_prepared=None,
        rate_resamples=None,
        labels=None,
        rate=mean,
        average="macro",
        parts=None,
        undefined=f"no item had a value: {metric.undefined}",
    )


def undefined_metric(metric: Metric, *, why: str) -> Metric:
    """Return a metric of the same name that has no value for any item, and says why."""
    nothing = Mean.of(math.nan)
    return replace(
        metric,
        count=lambda reference, output: nothing,
        count_all=lambda references, outputs: dict.fromkeys(references, nothing),
        prepare=None,
        count_prepared=None,
        rate_resamples=None,
        rate=mean,
        parts=None,
        undefined=why,
        check_installed=None,
    )
