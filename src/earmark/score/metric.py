"""A metric is two small functions: count an item, then rate the sum."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from earmark.values.counts import Mean
from earmark.values.score import Score


@dataclass(frozen=True, slots=True)
class Metric:
    """What a builder such as `segment_f1(seconds=1.0)` returns.

    `count(reference, output)` looks at one item and tallies; `rate(counts)` turns summed tallies
    into a number, nan when undefined. `options` holds every option that can change the number, in
    the order of the builder's parameters. `average` is `micro` when counts are pooled over items
    and `macro` when items' own values are averaged. `best` is the value of a perfect output, and
    `undefined` says in words when there is no value. `parts(counts)` gives what the number is
    made of, for `details`.

    Two slots are for metrics that must or can look at everything at once. `count_all(references,
    outputs)` tallies all items together (a vocabulary shared by the references, one batch of
    embeddings, one compiled loop) and then stands in for `count`. `rate_resamples(counts, weights)`
    gives the value of each resample from the items' counts and an integer array of resamples by
    items, for counts that are not rows of numbers.

    `need()`, when given, raises when something outside Earmark that the metric needs is not there;
    it is asked when somebody names the metric.

    `poolable` is False where counts hold a system's raw scores, which lie on that system's own
    scale: two systems are then compared by resampling alone, never by mixing their items.
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
    count_all: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]] | None = None
    rate_resamples: Callable[[Sequence[Any], Any], Any] | None = None
    poolable: bool = True
    need: Callable[[], None] | None = None

    @property
    def full_name(self) -> str:
        """`task.metric`, as the signature begins."""
        return f"{self.task}.{self.name}"

    @property
    def best(self) -> float:
        """The value of a perfect output."""
        return self.high if self.higher_is_better else self.low

    def __call__(self, reference: Any, output: Any) -> Score:
        """The score of one item, without an interval."""
        from earmark.score.evaluate import evaluate

        return evaluate(self, {"item": reference}, {"item": output}, resamples=0)


def mean(counts: Mean) -> float:
    """The rate of a Mean: its sum over its size, nan when nothing was defined."""
    from earmark.stats.rates import proportion

    return proportion(counts.total, of=counts.size)


def macro(metric: Metric) -> Metric:
    """The same metric with each item rated by itself and the values averaged; nan is skipped."""
    from dataclasses import replace

    def count(reference: Any, output: Any) -> Mean:
        return Mean.of(metric.rate(metric.count(reference, output)))

    def count_all(references: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Mean]:
        counts = metric.count_all(references, outputs) if metric.count_all else {}
        return {item: Mean.of(metric.rate(tally)) for item, tally in counts.items()}

    return replace(
        metric,
        count=count,
        count_all=count_all if metric.count_all else None,
        rate=mean,
        average="macro",
        parts=None,
        undefined=f"no item had a value: {metric.undefined}",
    )
