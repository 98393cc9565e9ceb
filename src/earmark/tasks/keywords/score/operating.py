"""Misses at a stated rate of false alarms: one operating point of the trade-off curve.

S depends on the threshold that a system chose. This number does not: it asks how many keywords
would be missed if one threshold, the same for everybody, were set so that at most 1 % of the other
clips wake the device.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.score.metric import Metric
from earmark.task.options import changed, option
from earmark.tasks.keywords.score.tallies import SpeakerTallies, count_trial
from earmark.tasks.keywords.values import OK
from earmark.values.errors import InputError

UNDEFINED = "not every verdict has a score, or no speaker has both target trials and others"
# Resamples that are rated together: as many rows of floats as there are scores, for each.
BLOCK = 64
# A rate that equals the limit but for rounding is within it.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingOptions:
    """Where on the trade-off curve misses are counted."""

    false_alarms: float = option(
        0.01, "The highest false-alarm rate, mean over speakers, that the threshold may have."
    )

    def __post_init__(self) -> None:
        if not 0 <= self.false_alarms < 1:
            raise InputError(
                "a false-alarm rate must be at least 0 and below 1", got=self.false_alarms
            )


def misses_at_false_alarms(
    options: OperatingOptions = OperatingOptions(), **changes: Any
) -> Metric:
    """Build the miss rate at the threshold where at most 1 % of the other clips wake.

    Definition
    ----------
    Of all thresholds, the same for every speaker, whose false-alarm rate (mean over speakers) is
    at most `false_alarms`, the lowest miss rate (mean over speakers). A speaker for whom a system
    failed has a miss rate of 1 and no false alarms. The threshold is chosen with the labels in
    hand: the number says what scores are worth, not what a system decided.

    Undefined
    ---------
    nan when a verdict has no score, or no speaker has both target trials and others.

    Examples
    --------
    >>> from earmark.tasks.keywords.values import Trial, Verdict
    >>> metric = misses_at_false_alarms()
    >>> trials = [Trial("ana", True)] * 2 + [Trial("ana", False)] * 2
    >>> scores = [0.9, 0.2, 0.4, 0.1]
    >>> counts = [metric.count(t, Verdict(False, s)) for t, s in zip(trials, scores, strict=True)]
    >>> metric.rate(sum(counts[1:], counts[0]))
    0.5

    Notes
    -----
    Lower is better; 0 to 1. With few clips 1 % means "no false alarm": the rate of a speaker with
    thirty other clips moves by 3 % with one of them.
    """
    limit = changed(options, changes).false_alarms

    def rate(counts: SpeakerTallies) -> float:
        trials = _Trials.of([counts])
        return float(trials.misses(np.ones((1, len(trials.scores))), limit)[0])

    def resampled(counts: Sequence[SpeakerTallies], weights: Ints) -> Floats:
        trials = _Trials.of(counts)
        blocks = np.array_split(weights, max(1, -(-len(weights) // BLOCK)))
        return np.concatenate([trials.misses(block.astype(float), limit) for block in blocks])

    return Metric(
        task="keywords",
        name="misses_at_false_alarms",
        count=count_trial,
        rate=rate,
        options={"false_alarms": limit},
        average="speakers",
        higher_is_better=False,
        low=0.0,
        high=1.0,
        undefined=UNDEFINED,
        rate_resamples=resampled,
        poolable=False,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Trials:
    """Trials one by one, in the order in which they were counted; `owner` numbers the speakers."""

    scores: Floats  # (trials,), -inf for the trials of a speaker who failed
    is_target: Floats  # (trials,), 1 or 0
    owner: Ints  # (trials,)
    has_scores: bool

    @classmethod
    def of(cls, counts: Sequence[SpeakerTallies]) -> "_Trials":
        failed = {
            name for one in counts for name, tally in one.speakers.items() if tally.status != OK
        }
        rows: list[tuple[str, float, float]] = []
        complete = True
        for one in counts:
            for name, tally in one.speakers.items():
                pairs = tally.scored
                if name in failed:
                    pairs = tuple(
                        (-math.inf, target)
                        for target, size in ((True, tally.targets), (False, tally.others))
                        for _ in range(int(size))
                    )
                complete &= len(pairs) == int(tally.targets + tally.others)
                rows += [(name, score, float(target)) for score, target in pairs]
        names = {name: k for k, name in enumerate(sorted({row[0] for row in rows}))}
        return cls(
            scores=np.array([row[1] for row in rows]),
            is_target=np.array([row[2] for row in rows]),
            owner=np.array([names[row[0]] for row in rows], dtype=int),
            has_scores=complete and bool(rows),
        )

    def misses(self, weights: Floats, limit: float) -> Floats:
        """Return the miss rate at the best allowed threshold in each resample, (resamples,).

        `weights`, (resamples, trials), says how often each trial was drawn; a speaker weighs as
        much as its trials on average.
        """
        if not self.has_scores:
            return np.full(len(weights), np.nan)
        thresholds = np.unique(self.scores[np.isfinite(self.scores)])[::-1]
        # the place of a score among the falling thresholds: it is at or above this one and the next
        place = np.searchsorted(-thresholds, -self.scores, side="left")
        size = len(thresholds) + 1  # the first column: a threshold above every score
        miss, alarm = np.zeros((len(weights), size)), np.zeros((len(weights), size))
        total = np.zeros(len(weights))
        for speaker in range(int(self.owner.max()) + 1):
            own = self.owner == speaker
            hits = _shares(weights[:, own] * self.is_target[own], place[own], size)
            alarms = _shares(weights[:, own] * (1 - self.is_target[own]), place[own], size)
            often = weights[:, own].mean(axis=1)
            often = np.where(np.isnan(hits[:, -1]) | np.isnan(alarms[:, -1]), 0.0, often)
            miss += often[:, None] * np.nan_to_num(1 - hits)
            alarm += often[:, None] * np.nan_to_num(alarms)
            total += often
        with np.errstate(invalid="ignore"):
            miss, alarm = miss / total[:, None], alarm / total[:, None]
        allowed = np.where(alarm <= limit + ROUNDING, miss, np.inf).min(axis=1)
        return np.where(total > 0, allowed, np.nan)


def _shares(weights: Floats, place: Ints, size: int) -> Floats:
    """Return the share of the weight at or above each threshold, (resamples, size), nan for none.

    A place of `size - 1` or more is below every threshold.
    """
    mass = np.zeros((size + 1, len(weights)))
    np.add.at(mass, place + 1, weights.T)
    whole = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.cumsum(mass[:size], axis=0).T / whole[:, None])
