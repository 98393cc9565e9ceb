"""Reference x output x metric -> a score with its interval and its signature."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from earmark import __version__
from earmark.files.digest import digest
from earmark.score.counting import Prepared, Sides, add
from earmark.score.groups import groups_of, sign_groups
from earmark.score.interval import score_interval
from earmark.score.metric import Metric
from earmark.score.resampling import in_rows, resampled
from earmark.stats.intervals import NoInterval
from earmark.task.options import changed, option
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.score import Interval, Score
from earmark.values.signature import Signature


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """How uncertain a score is, and what its signature says of the two sides."""

    resamples: int = option(1000, "Bootstrap resamples of the items; 0 for no interval.")
    seed: int = option(0, "Seed of the resamples.")
    groups: Mapping[str, str] | None = option(None, "Item to group; groups are drawn whole.")
    grouped_by: str = option("", "What a group is called: recording, speaker, the name of a file.")
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
    options = replace(options, names=options.names or _names(reference, output))
    prepared = Prepared(reference, output, items)
    groups = groups_of(items, options.groups)
    groups_name = sign_groups(groups, options.grouped_by)
    return {
        name: _score(metric, prepared, groups, groups_name, options)
        for name, metric in metrics.items()
    }


def _score(
    metric: Metric,
    prepared: Prepared,
    groups: Mapping[str, str],
    groups_name: str,
    options: EvaluateOptions,
) -> Score:
    by_item = metric.counts(prepared)
    counts = in_rows(by_item, prepared.items)
    total = add(counts)
    value = float(metric.rate(total))
    drawn = list(groups.values())
    values = resampled(
        metric, counts, drawn, resamples=options.resamples, seed=options.seed
    )  # (resamples,)
    alone = len(set(drawn)) == len(drawn)
    what = (options.grouped_by or "item") if alone else "group"
    interval = score_interval(metric, value, values, counts, drawn, what)
    return Score(
        metric=metric.full_name,
        value=value,
        interval=interval if isinstance(interval, Interval) else None,
        counts=total,
        items=len(prepared.items),
        undefined_items=int(getattr(total, "undefined", 0)),
        signature=sign(metric, len(prepared.items), groups_name, options),
        why=metric.undefined if math.isnan(value) else "",
        parts=dict(metric.parts(total)) if metric.parts else {},
        by_item=by_item,
        groups=groups,
        no_interval=interval.why if isinstance(interval, NoInterval) else "",
    )


def count_items(
    metric: Metric, reference: Sides, output: Sides, items: Sequence[str]
) -> Mapping[str, Any]:
    """Return each item's counts."""
    return metric.counts(Prepared(reference, output, items))


def sign(metric: Metric, items: int, groups: str, options: EvaluateOptions) -> Signature:
    """Return everything that can change the number or its interval, as one line."""
    ref, out = options.names or ("given", "given")
    settings = {
        **metric.options,
        "average": metric.average,
        "empty": metric.empty,
        "items": items,
        "groups": groups,
        "ref": ref,
        "out": out,
        # t: Student's t of the bootstrap's standard error (`stats/intervals.py`)
        "ci": f"boot{options.resamples}t" if options.resamples else "none",
        "seed": options.seed,
        "earmark": __version__,
    }
    return Signature.of(metric.full_name, settings)


def _names(reference: Sides, output: Sides) -> tuple[str, str]:
    """Return names for sides that were handed over without one: a digest of what they hold.

    Values that no file could hold have no digest.
    """
    return (f"given{_digest(reference)}", f"given{_digest(output)}")


def _digest(side: Sides) -> str:
    try:
        return f"@{digest(side)}"
    except (TypeError, InputError):
        return ""
