"""What an uncertain reference does to a ranking: items and draws of the reference, together.

Each draw of a reference says of every item what its value could be. Items whose value no draw
changes are counted once; each other value of an item is counted once too, however many draws share
it. A draw is then a choice of rows, and a resample of the items weighs them, so that one matrix
product gives a system's value in all draws and resamples.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.score.counting import Prepared, Sides
from earmark.score.metric import Metric
from earmark.score.resampling import Counts, in_rows, rater
from earmark.stats.bootstrap import CELLS, resample_weights
from earmark.values.score import Interval

# An order between two systems counts if it holds in 97.5 % of draws and resamples, as in a
# two-sided test at 5 %; the margin is for shares that are exactly that.
REST = 0.025 + 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class DrawnReferences:
    """Every value that an item has in some draw, once, and which of them each draw has.

    Row k is a value of the item `item_of[k]`; the first rows are the reference's own values, in
    the order of `items`. `rows[d]` are the rows of draw d, one per item.
    """

    items: tuple[str, ...]
    item_of: tuple[str, ...]  # (rows,)
    values: tuple[Any, ...]  # (rows,)
    rows: Ints  # (draws, items)

    @property
    def in_doubt(self) -> int:
        """How many items have another value in at least one draw."""
        return int(np.sum(np.any(self.rows != np.arange(len(self.items)), axis=0)))

    def sides(self, output: Sides) -> Prepared:
        """Return each row's value and its item's output, under names of their own."""
        names = [f"row {k}" for k in range(len(self.values))]
        reference = dict(zip(names, self.values, strict=True))
        outputs = {name: output[item] for name, item in zip(names, self.item_of, strict=True)}
        return Prepared(reference, outputs, names)

    def side(self, rows: Sequence[int]) -> dict[str, Any]:
        """Return the reference as it is in a draw, given the draw's rows."""
        return dict(zip(self.items, (self.values[k] for k in rows), strict=True))


def drawn_references(
    values: Mapping[str, Any], draws: Iterable[Mapping[str, Any]]
) -> DrawnReferences:
    """Return the draws of a reference, each different value of an item once."""
    items = tuple(values)
    row_of = [{value: k} for k, value in enumerate(values.values())]  # by item: value to row
    extra: list[tuple[str, Any]] = []
    chosen = []
    for draw in draws:
        row = []
        for item, known in zip(items, row_of, strict=True):
            value = draw[item]
            if value not in known:
                known[value] = len(items) + len(extra)
                extra.append((item, value))
            row.append(known[value])
        chosen.append(row)
    rows = np.array(chosen, dtype=np.int64).reshape(-1, len(items))
    return DrawnReferences(
        items,
        (*items, *(item for item, _ in extra)),
        (*values.values(), *(value for _, value in extra)),
        rows,
    )


@dataclass(frozen=True, slots=True, eq=False)
class JointSamples:
    """Which draw and which resample of the items each sample takes; all systems share them."""

    drawn: DrawnReferences
    draw: Ints  # (samples,)
    weights: Ints  # (samples, items)

    def blocks(self) -> Iterator[Ints]:
        """Yield how often each row counts in each sample, some samples at a time.

        Blocks are (samples, rows).
        """
        size = max(1, CELLS // len(self.drawn.values))
        for start in range(0, len(self.draw), size):
            part = slice(start, min(start + size, len(self.draw)))
            chosen = self.drawn.rows[self.draw[part]]  # (samples, items)
            times = np.zeros((len(chosen), len(self.drawn.values)), dtype=np.int64)
            np.put_along_axis(times, chosen, self.weights[part], axis=1)
            yield times


def joint_samples(
    drawn: DrawnReferences, groups: Mapping[str, str], *, resamples: int, seed: int
) -> JointSamples:
    """Return as many samples as there are resamples, and at least one per draw.

    Each sample resamples the groups of items and takes the draws in turn. With one group, or
    without resamples, there are the draws alone.
    """
    own = [groups.get(item, item) for item in drawn.items]
    draws = len(drawn.rows)
    if not resamples or len(set(own)) < 2:
        return JointSamples(drawn, np.arange(draws), np.ones((draws, len(own)), dtype=np.int64))
    size = max(resamples, draws)
    weights = np.concatenate(list(resample_weights(own, resamples=size, seed=seed)))
    return JointSamples(drawn, np.arange(size) % draws, weights)


def sampled_values(
    metrics: Mapping[str, Metric], samples: JointSamples, output: Sides
) -> dict[str, Floats]:
    """Return a system's value by each metric in each sample."""
    drawn = samples.drawn
    sides = drawn.sides(output)

    def counted(metric: Metric, rows: list[int]) -> Counts:
        return in_rows(metric.counts(Prepared(drawn.side(rows), output, drawn.items)), drawn.items)

    return {
        name: _by_row(metric, samples, sides)
        if metric.separable
        else _by_draw(metric, samples, partial(counted, metric))
        for name, metric in metrics.items()
    }


def _by_row(metric: Metric, samples: JointSamples, sides: Prepared) -> Floats:
    """Count every row once; samples then weigh the rows."""
    counts = metric.counts(sides)
    if metric.rate_resamples:  # takes its time by the row: hand it those of one draw at a time
        by_row = [counts[name] for name in sides.items]
        return _by_draw(metric, samples, lambda draw: [by_row[k] for k in draw])
    rate = rater(metric, in_rows(counts, sides.items))
    return np.concatenate([rate(times) for times in samples.blocks()])


def _by_draw(
    metric: Metric, samples: JointSamples, counts_of: Callable[[list[int]], Counts]
) -> Floats:
    """Rate the samples of each draw by the counts of its items, given the draw's rows."""
    values = np.empty(len(samples.draw))
    different, draw_of = np.unique(samples.drawn.rows, axis=0, return_inverse=True)
    number = draw_of.ravel()[samples.draw]  # (samples,)
    for k, rows in enumerate(different.tolist()):
        own = number == k
        values[own] = rater(metric, counts_of(rows))(samples.weights[own])
    return values


@dataclass(frozen=True, slots=True)
class DrawnRank:
    """One system over all samples: its value's interval, its ranks, how often it is best."""

    interval: Interval | None
    rank_low: int
    rank_high: int
    probability_best: float


@dataclass(frozen=True, slots=True)
class DrawnRanks:
    """What the samples say of each system, and which orders (better, worse) they bear out."""

    systems: Mapping[str, DrawnRank]
    orders: frozenset[tuple[str, str]]


def drawn_ranks(values: Mapping[str, Floats], *, higher_is_better: bool) -> DrawnRanks:
    """Return each system's range of ranks over samples, and the orders that hold in nearly all.

    A system that is undefined in a sample is last there. Systems that are equal share their ranks
    (the range has them all) and the probability of being best.

    Examples
    --------
    >>> ranks = drawn_ranks(
    ...     {"a": np.array([0.9, 0.8, 0.7]), "b": np.array([0.5, 0.5, 0.7])}, higher_is_better=True
    ... )
    >>> ranks.systems["a"].probability_best, ranks.orders
    (0.8333333333333334, frozenset())
    """
    names = list(values)
    sign = 1.0 if higher_is_better else -1.0
    table = np.stack([sign * values[name] for name in names])  # (systems, samples)
    table = np.where(np.isnan(table), -np.inf, table)
    above: Bools = table[:, None] > table[None]  # (better, worse, samples)
    first = 1 + above.sum(axis=0)  # (systems, samples): the best rank of those that are equal
    last = len(names) - above.sum(axis=1)
    best = (first == 1) & np.isfinite(table)
    shared = best / np.maximum(1, best.sum(axis=0))
    places = np.arange(1, len(names) + 1)[:, None]
    # the ranks without those beyond which at most 2.5 % of the samples lie, on either side
    low = 1 + np.sum([(row <= places).mean(axis=1) <= REST for row in first], axis=1)
    high = len(names) - np.sum([(row >= places).mean(axis=1) <= REST for row in last], axis=1)
    holds = above.mean(axis=2) >= 1 - REST
    return DrawnRanks(
        {
            name: DrawnRank(
                _interval(values[name]),
                int(low[k]),
                int(high[k]),
                float(shared[k].mean()),
            )
            for k, name in enumerate(names)
        },
        frozenset((names[a], names[b]) for a, b in np.argwhere(holds).tolist()),
    )


def _interval(values: Floats) -> Interval | None:
    """Return the middle 95 % of the values that are defined; None if none is."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [0.025, 0.975])
    return Interval(float(low), float(high), 0.95, "bootstrap and draws")
