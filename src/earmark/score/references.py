"""What the reference does to scores and ranks: the same outputs against several references.

A score depends on what a system is compared with as well as on the system. Here each output is
scored against every reference, differences are resampled by the same items on both sides, and the
order of systems under one reference is compared with that under another, in every resample.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.arrays import Floats
from earmark.score.compare import compare_scores
from earmark.score.metric import Metric
from earmark.score.resampling import in_rows, resampled
from earmark.stats.paired import SLACK
from earmark.task.task import Json
from earmark.values.errors import InputError
from earmark.values.score import Score, number

Cell = tuple[str, str]  # system, reference


@dataclass(frozen=True, slots=True)
class Resamples:
    """How differences are resampled."""

    count: int
    seed: int


def parse_cell(word: str, systems: Sequence[str], references: Sequence[str]) -> Cell:
    """Return the system and the reference of SYSTEM@REFERENCE; raise InputError if it is none.

    Examples
    --------
    >>> parse_cell("crnn@mace", ["crnn"], ["truth", "mace"])
    ('crnn', 'mace')
    """
    system, _, reference = word.rpartition("@")
    if system not in systems or reference not in references:
        raise InputError(
            "a row is a system and a reference",
            got=word,
            want=f"SYSTEM@REFERENCE: {', '.join(systems)}; {', '.join(references)}",
        )
    return system, reference


def rows_as_json(
    metric: Metric, scores: Mapping[Cell, Score], rows: Sequence[Cell], how: Resamples
) -> list[Json]:
    """Return each row's value and its difference to the first row, both with intervals."""
    first = scores[rows[0]]
    result = []
    for cell in rows:
        score = scores[cell]
        row: Json = {
            "system": cell[0],
            "reference": cell[1],
            "value": number(score.value),
            **_interval(score.interval),
        }
        if cell != rows[0]:
            difference = compare_scores(metric, score, first, resamples=0)
            if how.count:
                difference = compare_scores(
                    metric, score, first, resamples=how.count, seed=how.seed
                )
            row["difference"] = {
                "value": number(difference.value), **_interval(difference.interval)
            }  # fmt: skip
        result.append(row)
    return result


def _interval(interval: Any) -> Json:
    return {
        "low": number(interval.low) if interval else None,
        "high": number(interval.high) if interval else None,
    }


def orders_as_json(
    metric: Metric,
    scores: Mapping[Cell, Score],
    systems: Sequence[str],
    references: Sequence[str],
    how: Resamples,
) -> list[Json]:
    """Return how far the order under each reference is that under the first.

    `swapped` are the pairs of systems whose order the reference turns round. Over resamples of the
    items: the mean number of such pairs, the share in which any is, and the share in which another
    system is best; `resampled` has the same for the first reference against itself on all items,
    which is what the draw of items alone does.
    """
    defined = [
        name
        for name in systems
        if not any(math.isnan(scores[name, reference].value) for reference in references)
    ]
    # (systems, 1), also where no system has a value under every reference
    whole = {
        reference: np.array([scores[name, reference].value for name in defined]).reshape(-1, 1)
        for reference in references
    }
    base = references[0]
    drawn = {reference: _drawn(metric, scores, defined, reference, how) for reference in references}
    result = []
    for reference in references:
        same = reference == base
        pairs = _turned(whole[reference], whole[base])  # (pairs, 1)
        names = list(itertools.combinations(defined, 2))
        row: Json = {
            "reference": reference,
            "systems": len(defined),
            "pairs": len(names),
            "order": _ordered(defined, whole[reference][:, 0], higher=metric.higher_is_better),
            "swapped": [list(names[k]) for k in np.flatnonzero(pairs[:, 0])],
        }
        if drawn[base].shape[1]:
            against = np.broadcast_to(whole[base], drawn[base].shape) if same else drawn[base]
            row["resampled"] = _shares(drawn[reference], against, higher=metric.higher_is_better)
        result.append(row)
    return result


def _drawn(
    metric: Metric, scores: Mapping[Cell, Score], systems: Sequence[str], reference: str,
    how: Resamples,
) -> Floats:  # fmt: skip
    """Return the values of all systems in every resample: (systems, resamples)."""
    rows = []
    for name in systems:
        score = scores[name, reference]
        items = tuple(score.by_item)
        groups = [score.groups[item] for item in items]
        counts = in_rows(score.by_item, items)
        rows.append(resampled(metric, counts, groups, resamples=how.count, seed=how.seed))
    return np.array(rows) if rows else np.empty((0, 0))


def _turned(first: Floats, second: Floats) -> Floats:
    """Return which pairs of rows are in opposite orders: (pairs, columns)."""
    pairs = list(itertools.combinations(range(len(first)), 2))
    turned = [
        (first[a] - first[b] > SLACK) & (second[a] - second[b] < -SLACK)
        | (first[a] - first[b] < -SLACK) & (second[a] - second[b] > SLACK)
        for a, b in pairs
    ]
    return np.array(turned) if turned else np.zeros((0, first.shape[1]), dtype=bool)


def _shares(first: Floats, second: Floats, *, higher: bool) -> Json:
    turned = _turned(first, second)
    sign = 1 if higher else -1
    best = (sign * first).argmax(axis=0) != (sign * second).argmax(axis=0)
    return {
        "pairs_swapped": float(turned.sum(axis=0).mean()),
        "order_changed": float(turned.any(axis=0).mean()),
        "another_is_best": float(best.mean()),
    }


def _ordered(names: Sequence[str], values: Floats, *, higher: bool) -> list[str]:
    order = np.argsort(-values if higher else values, kind="stable")
    return [names[k] for k in order.tolist()]
