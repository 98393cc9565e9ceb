"""The challenge's numbers: miss rate, false-alarm rate, and the wake-up score S."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.score.metric import Metric
from earmark.stats.rates import mean_defined
from earmark.task.options import changed, option
from earmark.tasks.keywords.score.curve import lowest_score
from earmark.tasks.keywords.score.tallies import SpeakerTallies, Tally, count_trial
from earmark.tasks.keywords.values import OK, PENALTY, Trial, Verdict
from earmark.values.errors import InputError
from earmark.values.score import number

# A value from a miss rate and a false-alarm rate, of one speaker or of arrays of them.
Blend = Callable[[Any, Any], Any]
UNDEFINED = "no speaker has both target trials and others"


@dataclass(frozen=True, slots=True, kw_only=True)
class WakeScoreOptions:
    """How the two error rates are weighted."""

    penalty: float = option(
        PENALTY,
        "How many times worse a false alarm rate is than a miss rate (the paper's alpha).",
    )

    def __post_init__(self) -> None:
        if not 0 <= self.penalty < math.inf:
            raise InputError("a penalty must be >= 0 and finite", got=self.penalty)


def wake_score(options: WakeScoreOptions = WakeScoreOptions(), **changes: Any) -> Metric:
    """Build S: miss rate plus `penalty` times false-alarm rate, averaged over speakers.

    Definition
    ----------
    Wang et al. 2021, section 2.1: S_i = MR + alpha x FAR with alpha = 9, averaged over speakers,
    each with the same weight. A speaker for whom a system failed, ran out of time or wrote an
    illegal file scores 1.0 (the device never wakes); `details` shows the status. The other
    speakers keep their own scores.

    Undefined
    ---------
    nan when no speaker has both target trials and others; such speakers are left out.

    Examples
    --------
    >>> from earmark.tasks.keywords.values import Trial, Verdict
    >>> metric = wake_score()
    >>> trials = [Trial("ana", True)] * 2 + [Trial("ana", False)] * 3
    >>> awake = [True, False, False, True, False]
    >>> counts = [metric.count(t, Verdict(a)) for t, a in zip(trials, awake, strict=True)]
    >>> metric.rate(sum(counts[1:], counts[0]))
    3.5

    Notes
    -----
    Lower is better; 0 to 1 + penalty. Never waking scores 1, always waking scores the penalty.
    """
    penalty = changed(options, changes).penalty
    return _metric(
        "wake_score",
        lambda miss, alarm: miss + penalty * alarm,
        {"penalty": penalty},
        high=1.0 + penalty,
    )


def miss_rate() -> Metric:
    """Build the share of target trials that did not wake the device, averaged over speakers.

    Definition
    ----------
    Wang et al. 2021, section 2.1 (MR). A speaker for whom a system failed has 1.

    Undefined
    ---------
    nan when no speaker has target trials.

    Examples
    --------
    >>> from earmark.tasks.keywords.values import Trial, Verdict
    >>> metric = miss_rate()
    >>> metric.rate(metric.count(Trial("ana", True), Verdict(awake=False)))
    1.0
    """
    return _metric("miss_rate", lambda miss, _: miss, {}, high=1.0)


def false_alarm_rate() -> Metric:
    """Build the share of other trials that woke the device, averaged over speakers.

    Definition
    ----------
    Wang et al. 2021, section 2.1 (FAR). A speaker for whom a system failed has 0.

    Undefined
    ---------
    nan when no speaker has trials that must not wake.

    Examples
    --------
    >>> from earmark.tasks.keywords.values import Trial, Verdict
    >>> metric = false_alarm_rate()
    >>> metric.rate(metric.count(Trial("ana", False), Verdict(awake=False)))
    0.0
    """
    return _metric("false_alarm_rate", lambda _, alarm: alarm, {}, high=1.0)


def _metric(name: str, blend: Blend, options: Mapping[str, object], *, high: float) -> Metric:
    """Build the mean over speakers of a value blended from their two error rates."""

    def mean(counts: SpeakerTallies) -> float:
        return mean_defined(_value(tally, blend) for tally in counts.speakers.values())

    def resampled(counts: Sequence[SpeakerTallies], weights: Ints) -> Floats:
        return _resampled_means(counts, weights, blend)

    def parts(counts: SpeakerTallies) -> Mapping[str, object]:
        speakers = {n: _details(tally, blend) for n, tally in sorted(counts.speakers.items())}
        failed = sorted(n for n, tally in counts.speakers.items() if tally.status != OK)
        details = {"speakers": speakers, "failed": failed}
        return {**details, "oracle": _oracle(counts, options)} if "penalty" in options else details

    return Metric(
        task="keywords",
        name=name,
        count=count_trial,
        rate=mean,
        options=options,
        average="speakers",
        higher_is_better=False,
        low=0.0,
        high=high,
        undefined=UNDEFINED,
        parts=parts,
        rate_resamples=resampled,
    )


def _value(tally: Tally, blend: Blend) -> float:
    return float(blend(tally.miss_rate, tally.false_alarm_rate))


def _details(tally: Tally, blend: Blend) -> dict[str, object]:
    return {
        "value": number(_value(tally, blend)),
        "miss_rate": number(tally.miss_rate),
        "false_alarm_rate": number(tally.false_alarm_rate),
        "targets": int(tally.targets),
        "missed": int(tally.missed),
        "others": int(tally.others),
        "false_alarms": int(tally.false_alarms),
        "status": tally.status,
    }


def _oracle(counts: SpeakerTallies, options: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the lowest score of thresholds chosen with the labels in hand; None without scores.

    It is no result of the system: nobody knows these thresholds beforehand.
    """
    pairs = [
        (Trial(speaker, target), Verdict(awake=False, score=score, status=tally.status))
        for speaker, tally in counts.speakers.items()
        for score, target in tally.scored
    ]
    try:
        oracle = lowest_score(pairs, penalty=options["penalty"])
    except InputError:
        return None
    return {"one_threshold": oracle.one, "a_threshold_each": oracle.each}


def _resampled_means(counts: Sequence[SpeakerTallies], weights: Ints, blend: Blend) -> Floats:
    """Return the mean over speakers in each resample, (resamples,).

    `weights`, (resamples, trials), says how often each trial was drawn. Speakers are weighted by
    the mean weight of their trials, which is how often the speaker was drawn when speakers are
    resampled whole.
    """
    one = [next(iter(tally.speakers.items())) for tally in counts]
    names = sorted({name for name, _ in one})
    owner = np.array([[name == speaker for speaker in names] for name, _ in one], dtype=float)
    drawn = weights.astype(float)

    def totals(column: Sequence[float]) -> Floats:
        """Sum a number per trial over each speaker's drawn trials, (resamples, speakers)."""
        return np.asarray(drawn @ (owner * np.array(column)[:, None]))

    targets = totals([tally.targets for _, tally in one])
    missed = totals([tally.missed for _, tally in one])
    others = totals([tally.others for _, tally in one])
    alarms = totals([tally.false_alarms for _, tally in one])
    failed = totals([float(tally.status != OK) for _, tally in one])
    miss = np.where(failed > 0, 1.0, _proportions(missed, targets))
    alarm = np.where(failed > 0, 0.0, _proportions(alarms, others))
    values, often = blend(miss, alarm), drawn @ (owner / owner.sum(axis=0))
    often = np.where(np.isnan(values), 0.0, often)
    return _proportions((often * np.nan_to_num(values)).sum(axis=1), often.sum(axis=1))


def _proportions(part: Floats, of: Floats) -> Floats:
    """Return `part / of` element by element, nan where `of` is 0."""
    return np.divide(part, of, out=np.full_like(of, np.nan), where=of > 0)
