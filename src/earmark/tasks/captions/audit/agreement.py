"""Shares of agreement with their intervals, and paired comparison of metrics."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Bools, Floats
from earmark.stats import bootstrap
from earmark.stats.intervals import ValueRange, resampled_interval, wilson_interval
from earmark.stats.rates import proportion
from earmark.tasks.captions.audit.benchmark import Contest
from earmark.tasks.captions.values import KINDS
from earmark.values.score import Interval, number

TOTAL = "total"


def resample_weights(contests: Sequence[Contest], resamples: int, seed: int) -> Floats | None:
    """Return how often each contest is drawn, of shape (resamples, contests); 0 if undecided.

    Sounds are drawn, so that the contests of one sound come together. None without resamples or
    with a single sound.
    """
    sounds = [contest.sound for contest in contests]
    if not resamples or len(set(sounds)) < 2:
        return None
    drawn = np.vstack(list(bootstrap.resample_weights(sounds, resamples=resamples, seed=seed)))
    decided = np.array([contest.preferred != 0 for contest in contests])
    return np.asarray(drawn * decided, dtype=float)


def cells(
    contests: Sequence[Contest], right: Bools, weights: Floats | None
) -> dict[str, dict[str, object]]:
    """Return the share of agreement for each kind of pair and in total, with both intervals."""
    kinds = np.array([contest.kind for contest in contests])
    decided = np.array([contest.preferred != 0 for contest in contests])
    masks = {kind: decided & (kinds == kind) for kind in KINDS if (kinds == kind).any()}
    sounds = np.array([contest.sound for contest in contests])
    return {
        name: _cell(right, mask, sounds, weights)
        for name, mask in {**masks, TOTAL: decided}.items()
    }


def _cell(
    right: Bools, mask: Bools, sounds: NDArray[np.str_], weights: Floats | None
) -> dict[str, object]:
    pairs, hits = int(mask.sum()), int(right[mask].sum())
    wilson = wilson_interval(hits, pairs)
    interval = None
    if weights is not None and pairs:
        interval = _interval(right.astype(float), mask, sounds, weights, ValueRange(0, 1))
    return {
        "value": number(proportion(hits, of=pairs)),
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "pairs": pairs,
        "wilson": [wilson.low, wilson.high] if wilson else None,
    }


def _interval(
    values: Floats,
    mask: Bools,
    sounds: NDArray[np.str_],
    weights: Floats,
    within: ValueRange,
) -> Interval | None:
    """Return the interval of the mean of the masked values over sounds."""
    interval = resampled_interval(
        float(values[mask].mean()),
        _shares(values, mask, weights),
        groups=len(np.unique(sounds[mask])),
        within=within,
        is_difference=within.low < 0,
    )
    return interval if isinstance(interval, Interval) else None


def _shares(values: Floats, mask: Bools, weights: Floats) -> Floats:
    """Return the weighted mean of the masked values in each resample, of shape (resamples,)."""
    chosen = weights[:, mask]
    total = chosen.sum(axis=1)
    sums = chosen @ values[mask]
    shares: Floats = np.divide(sums, total, out=np.full(len(total), np.nan), where=total > 0)
    return shares


def differences(
    contests: Sequence[Contest], verdicts: Mapping[str, Bools], weights: Floats | None
) -> list[dict[str, object]]:
    """Return the difference of totals of each pair of metrics, over the same resamples."""
    decided = np.array([contest.preferred != 0 for contest in contests])
    sounds = np.array([contest.sound for contest in contests])
    rows: list[dict[str, object]] = []
    for one, other in combinations(verdicts, 2):
        gap = verdicts[one].astype(float) - verdicts[other].astype(float)
        interval = None
        if weights is not None and decided.any():
            interval = _interval(gap, decided, sounds, weights, ValueRange(-1, 1))
        rows.append(
            {
                "metrics": [one, other],
                "difference": proportion(float(gap[decided].sum()), of=int(decided.sum())),
                "low": interval.low if interval else None,
                "high": interval.high if interval else None,
                "only_first_right": int((gap[decided] > 0).sum()),
                "only_second_right": int((gap[decided] < 0).sum()),
                "mcnemar_p": mcnemar(int((gap[decided] > 0).sum()), int((gap[decided] < 0).sum())),
            }
        )
    return rows


def mcnemar(first: int, second: int) -> float:
    """Return the p of the exact McNemar test: the two-sided binomial probability of two counts.

    Examples
    --------
    >>> mcnemar(0, 5)
    0.0625
    """
    trials = first + second
    if not trials:
        return 1.0
    tail = sum(comb(trials, hits) for hits in range(min(first, second) + 1))
    return float(min(1.0, 2 * tail / 2**trials))
