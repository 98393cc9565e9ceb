"""Reference x output x metric -> a score with its interval and its signature."""

import functools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark import __version__
from earmark.score.metric import Metric
from earmark.stats import bootstrap
from earmark.values import checks
from earmark.values.counts import RowCounts
from earmark.values.score import Score
from earmark.values.signature import Signature


def evaluate(  # noqa: PLR0913
    metric: Metric,
    reference: Mapping[str, Any],
    output: Mapping[str, Any],
    *,
    resamples: int = 1000,
    seed: int = 0,
    groups: Mapping[str, str] | None = None,
    names: tuple[str, str] | None = None,
) -> Score:
    """The metric over all items, paired by id.

    Parameters
    ----------
    resamples
        Bootstrap resamples of the items (of the groups, when `groups` maps items to them); 0 for
        no interval.
    names
        What the signature says for `ref` and `out`: a name and a content digest.
    """
    items = checks.same_items(reference, output)
    by_item = count_items(metric, reference, output, items)
    counts = [by_item[item] for item in items]
    total = add(counts)
    value = float(metric.rate(total))
    grouped = {item: (groups or {}).get(item, item) for item in items}
    values = resampled(metric, counts, list(grouped.values()), resamples=resamples, seed=seed)
    return Score(
        metric=metric.full_name,
        value=value,
        interval=None if math.isnan(value) else bootstrap.percentile_interval(values),
        counts=total,
        items=len(items),
        undefined_items=int(getattr(total, "undefined", 0)),
        signature=sign(metric, len(items), resamples=resamples, seed=seed, names=names),
        why=metric.undefined if math.isnan(value) else "",
        parts=dict(metric.parts(total)) if metric.parts else {},
        by_item=by_item,
        groups=grouped,
    )


def count_items(
    metric: Metric, reference: Mapping[str, Any], output: Mapping[str, Any], items: Sequence[str]
) -> dict[str, Any]:
    """Each item's counts."""
    if metric.count_all:
        found = metric.count_all(InOrder(reference, items), InOrder(output, items))
        return {item: found[item] for item in items}
    return {item: metric.count(reference[item], output[item]) for item in items}


class InOrder(Mapping[str, Any]):
    """A mapping read in a given order, without a copy of what it holds."""

    def __init__(self, values: Mapping[str, Any], items: Sequence[str]) -> None:
        self._values, self._items = values, items

    def __getitem__(self, item: str) -> Any:
        return self._values[item]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


def add(counts: Sequence[Any]) -> Any:
    """All counts together; sums of numbers are exact, so the order of items does not matter."""
    first = counts[0]
    if isinstance(first, RowCounts):
        rows = [tally.row() for tally in counts]
        return type(first).from_row(tuple(map(math.fsum, zip(*rows, strict=True))))
    return functools.reduce(operator.add, counts)


def resampled(
    metric: Metric, counts: Sequence[Any], groups: Sequence[str], *, resamples: int, seed: int
) -> NDArray[np.float64]:
    """The metric's value in each resample of the groups; empty when there is but one group."""
    if not resamples or len(set(groups)) < 2:
        return np.empty(0)
    rate = rater(metric, counts)
    drawn = bootstrap.resample_weights(groups, resamples=resamples, seed=seed)
    return np.concatenate([rate(weights) for weights in drawn])


Rater = Callable[[NDArray[np.int64]], NDArray[np.float64]]


def rater(metric: Metric, counts: Sequence[Any]) -> Rater:
    """From weights to values: item k counts `weights[:, k]` times, one value for each row."""
    own = metric.rate_resamples
    if own:
        return lambda weights: np.asarray(own(counts, weights), dtype=float)
    kind = type(counts[0])
    if isinstance(counts[0], RowCounts):
        rows = np.array([tally.row() for tally in counts], dtype=float)

        def rate_rows(weights: NDArray[np.int64]) -> NDArray[np.float64]:
            sums = (weights.astype(float) @ rows).tolist()
            return np.array([metric.rate(kind.from_row(tuple(row))) for row in sums])

        return rate_rows
    return lambda weights: np.array([metric.rate(add(_repeat(counts, row))) for row in weights])


def _repeat(counts: Sequence[Any], times: NDArray[np.int64]) -> list[Any]:
    return [tally for tally, n in zip(counts, times.tolist(), strict=True) for _ in range(n)]


def sign(
    metric: Metric, items: int, *, resamples: int, seed: int, names: tuple[str, str] | None
) -> Signature:
    """Everything that can change the number, in one line."""
    ref, out = names or ("given", "given")
    options = {
        **metric.options,
        "average": metric.average,
        "empty": metric.empty,
        "items": items,
        "ref": ref,
        "out": out,
        "ci": f"boot{resamples}" if resamples else "none",
        "seed": seed,
        "earmark": __version__,
    }
    return Signature.of(metric.full_name, options)
