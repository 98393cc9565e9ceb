"""Shares of agreement with their intervals, and paired comparison of metrics."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from earmark.stats import bootstrap
from earmark.stats.rates import proportion
from earmark.tasks.captions.audit.benchmark import Contest
from earmark.tasks.captions.values import KINDS

Floats = NDArray[np.float64]
TOTAL = "total"


def weigh(contests: Sequence[Contest], resamples: int, seed: int) -> Floats | None:
    """How often each decided contest is drawn in each resample of the sounds."""
    sounds = [contest.sound for contest in contests]
    if not resamples or len(set(sounds)) < 2:
        return None
    drawn = np.vstack(list(bootstrap.resample_weights(sounds, resamples=resamples, seed=seed)))
    decided = np.array([contest.preferred != 0 for contest in contests])
    return np.asarray(drawn * decided, dtype=float)


def cells(
    contests: Sequence[Contest], right: NDArray[np.bool_], weights: Floats | None
) -> dict[str, dict[str, object]]:
    """The share of agreement for each kind of pair and in total, with both intervals."""
    kinds = np.array([contest.kind for contest in contests])
    decided = np.array([contest.preferred != 0 for contest in contests])
    masks = {kind: decided & (kinds == kind) for kind in KINDS if (kinds == kind).any()}
    return {name: _cell(right, mask, weights) for name, mask in {**masks, TOTAL: decided}.items()}


def _cell(
    right: NDArray[np.bool_], mask: NDArray[np.bool_], weights: Floats | None
) -> dict[str, object]:
    pairs, hits = int(mask.sum()), int(right[mask].sum())
    wilson = bootstrap.wilson_interval(hits, pairs)
    found = None
    if weights is not None:
        found = bootstrap.percentile_interval(_shares(right.astype(float), mask, weights))
    value = proportion(hits, of=pairs)
    return {
        "value": None if np.isnan(value) else value,
        "low": found.low if found else None,
        "high": found.high if found else None,
        "pairs": pairs,
        "wilson": [wilson.low, wilson.high] if wilson else None,
    }


def _shares(values: Floats, mask: NDArray[np.bool_], weights: Floats) -> Floats:
    chosen = weights[:, mask]
    total = chosen.sum(axis=1)
    sums = chosen @ values[mask]
    shares: Floats = np.divide(sums, total, out=np.full(len(total), np.nan), where=total > 0)
    return shares


def differences(
    contests: Sequence[Contest], verdicts: Mapping[str, NDArray[np.bool_]], weights: Floats | None
) -> list[dict[str, object]]:
    """Each metric against each other one: difference of totals, paired over the same resamples."""
    decided = np.array([contest.preferred != 0 for contest in contests])
    rows: list[dict[str, object]] = []
    for one, other in combinations(verdicts, 2):
        gap = verdicts[one].astype(float) - verdicts[other].astype(float)
        found = None
        if weights is not None:
            found = bootstrap.percentile_interval(_shares(gap, decided, weights))
        rows.append(
            {
                "metrics": [one, other],
                "difference": proportion(float(gap[decided].sum()), of=int(decided.sum())),
                "low": found.low if found else None,
                "high": found.high if found else None,
                "only_first_right": int((gap[decided] > 0).sum()),
                "only_second_right": int((gap[decided] < 0).sum()),
                "mcnemar_p": mcnemar(int((gap[decided] > 0).sum()), int((gap[decided] < 0).sum())),
            }
        )
    return rows


def mcnemar(first: int, second: int) -> float:
    """Exact McNemar test of two counts of disagreement: two-sided binomial probability.

    Examples
    --------
    >>> mcnemar(0, 5)
    0.0625
    """
    from math import comb

    trials = first + second
    if not trials:
        return 1.0
    tail = sum(comb(trials, hits) for hits in range(min(first, second) + 1))
    return float(min(1.0, 2 * tail / 2**trials))
