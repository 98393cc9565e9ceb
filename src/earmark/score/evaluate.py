"""Reference x output x metric -> a score with its interval and its signature."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark import __version__
from earmark.arrays import Floats, Ints
from earmark.score.counting import CountTable, Prepared, Sides, add
from earmark.score.metric import Metric
from earmark.stats import bootstrap
from earmark.task.options import changed, option
from earmark.values import checks
from earmark.values.counts import RowCounts
from earmark.values.errors import InputError
from earmark.values.score import Score
from earmark.values.signature import Signature

Counts = Sequence[Any] | CountTable[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """How uncertain a score is, and what its signature says of the two sides."""

    resamples: int = option(1000, "Bootstrap resamples of the items; 0 for no interval.")
    seed: int = option(0, "Seed of the resamples.")
    groups: Mapping[str, str] | None = option(None, "Item to group; groups are drawn whole.")
    names: tuple[str, str] | None = option(None, "Name and digest of reference and output.")


def evaluate(
    metric: Metric,
    reference: Sides,
    output: Sides,
    options: EvaluateOptions = EvaluateOptions(),
    **changes: Any,
) -> Score:
    """Return the score of a metric over all items, paired by id.

    Options may be given as a record or by keyword: `evaluate(metric, reference, output, seed=7)`.
    """
    given: object = metric
    if not isinstance(given, Metric):
        raise InputError(
            "evaluate takes a metric that was built",
            got=repr(given),
            fix="call its builder: evaluate(segment_f1(), reference, output)",
        )
    return evaluate_all({"": metric}, reference, output, changed(options, changes))[""]


def evaluate_all(
    metrics: Mapping[str, Metric],
    reference: Sides,
    output: Sides,
    options: EvaluateOptions = EvaluateOptions(),
    **changes: Any,
) -> dict[str, Score]:
    """Return the score of each metric; the metrics share what they prepare from the two sides."""
    options = changed(options, changes)
    items = tuple(checks.same_items(reference, output))
    prepared = Prepared(reference, output, items)
    groups = {item: (options.groups or {}).get(item, item) for item in items}
    return {name: _score(metric, prepared, groups, options) for name, metric in metrics.items()}


def _score(
    metric: Metric, prepared: Prepared, groups: Mapping[str, str], options: EvaluateOptions
) -> Score:
    by_item = metric.counts(prepared)
    counts = in_rows(by_item, prepared.items)
    total = add(counts)
    value = float(metric.rate(total))
    values = resampled(metric, counts, list(groups.values()), options)
    return Score(
        metric=metric.full_name,
        value=value,
        interval=None if math.isnan(value) else bootstrap.percentile_interval(values),
        counts=total,
        items=len(prepared.items),
        undefined_items=int(getattr(total, "undefined", 0)),
        signature=sign(metric, len(prepared.items), options),
        why=metric.undefined if math.isnan(value) else "",
        parts=dict(metric.parts(total)) if metric.parts else {},
        by_item=by_item,
        groups=groups,
    )


def count_items(
    metric: Metric, reference: Sides, output: Sides, items: Sequence[str]
) -> Mapping[str, Any]:
    """Return each item's counts."""
    return metric.counts(Prepared(reference, output, items))


def in_rows(by_item: Mapping[str, Any], items: Sequence[str]) -> Counts:
    """Return the counts of these items in order: a table as it is, others as a list."""
    if isinstance(by_item, CountTable):
        return by_item.in_order(items)
    return [by_item[item] for item in items]


def resampled(
    metric: Metric, counts: Counts, groups: Sequence[str], options: EvaluateOptions
) -> Floats:
    """Return the value in each resample of the groups; empty if there is but one group."""
    if not options.resamples or len(set(groups)) < 2:
        return np.empty(0)
    rate = rater(metric, counts)
    drawn = bootstrap.resample_weights(groups, resamples=options.resamples, seed=options.seed)
    return np.concatenate([rate(weights) for weights in drawn])


Rater = Callable[[Ints], Floats]


def rater(metric: Metric, counts: Counts) -> Rater:
    """Return a function from weights (resamples, items) to one value per resample.

    Item k counts `weights[:, k]` times. Where counts are rows of numbers, one matrix product adds
    them for all resamples.
    """
    own = metric.rate_resamples
    if own:
        listed = list(counts.values()) if isinstance(counts, CountTable) else counts
        return lambda weights: np.asarray(own(listed, weights), dtype=float)
    if isinstance(counts, CountTable):
        return _rate_table(metric, counts)
    kind = type(counts[0])
    if isinstance(counts[0], RowCounts):
        rows = np.array([tally.row() for tally in counts], dtype=float)  # (items, columns)

        def rate_rows(weights: Ints) -> Floats:
            sums = (weights.astype(float) @ rows).tolist()
            return np.array([metric.rate(kind.from_row(tuple(row))) for row in sums])

        return rate_rows
    return lambda weights: np.array([metric.rate(add(_repeat(counts, row))) for row in weights])


def _rate_table(metric: Metric, table: CountTable[Any]) -> Rater:
    rows = table.rows.astype(float)  # (items, columns)

    def rate(weights: Ints) -> Floats:
        # Resamples of few items are often equal: each different sum is rated once.
        sums, where = np.unique(weights.astype(float) @ rows, axis=0, return_inverse=True)
        values = np.array([metric.rate(table.record(row)) for row in sums.tolist()])
        return values[where.ravel()]

    return rate


def _repeat(counts: Sequence[Any], times: Ints) -> list[Any]:
    return [tally for tally, n in zip(counts, times.tolist(), strict=True) for _ in range(n)]


def sign(metric: Metric, items: int, options: EvaluateOptions) -> Signature:
    """Return everything that can change the number, as one line."""
    ref, out = options.names or ("given", "given")
    settings = {
        **metric.options,
        "average": metric.average,
        "empty": metric.empty,
        "items": items,
        "ref": ref,
        "out": out,
        "ci": f"boot{options.resamples}" if options.resamples else "none",
        "seed": options.seed,
        "earmark": __version__,
    }
    return Signature.of(metric.full_name, settings)
