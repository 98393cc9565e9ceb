"""The challenge's numbers: miss rate, false-alarm rate, and the wake-up score S."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from earmark.score.metric import Metric
from earmark.stats import rates
from earmark.tasks.keywords.score.curve import lowest_score
from earmark.tasks.keywords.score.tallies import SpeakerTallies, Tally, count_trial
from earmark.tasks.keywords.values import OK, Trial, Verdict
from earmark.values.errors import InputError
from earmark.values.score import number

Blend = Callable[[Any, Any], Any]
UNDEFINED = "no speaker has both target trials and others"


def wake_score(*, penalty: float = 9.0) -> Metric:
    """S: miss rate plus `penalty` times false-alarm rate, averaged over speakers.

    Parameters
    ----------
    penalty
        How many times worse a false alarm rate is than a miss rate (the paper's alpha).

    Definition
    ----------
    Wang et al. 2021, section 2.1: S_i = MR + alpha x FAR with alpha = 9, averaged over speakers,
    each weighing the same. A speaker for whom a system failed, ran out of time or wrote nonsense
    scores 1.0 (the device never wakes); `details` shows the status. The other speakers keep
    their own scores.

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
    if not 0 <= penalty < math.inf:
        raise InputError("a penalty is a number from 0", got=penalty)
    return _metric(
        "wake_score",
        lambda miss, alarm: miss + penalty * alarm,
        {"penalty": penalty},
        high=1.0 + penalty,
    )


def miss_rate() -> Metric:
    """Share of target trials that did not wake the device, averaged over speakers.

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
    """Share of other trials that woke the device, averaged over speakers.

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
    """A mean over speakers of something blended from their two error rates."""

    def mean(counts: SpeakerTallies) -> float:
        values = [_value(tally, blend) for tally in counts.speakers.values()]
        known = [value for value in values if not math.isnan(value)]
        return rates.proportion(math.fsum(known), of=len(known))

    def resampled(counts: Sequence[SpeakerTallies], weights: Any) -> Any:
        return _resampled_means(counts, weights, blend)

    def parts(counts: SpeakerTallies) -> Mapping[str, object]:
        speakers = {n: _told(tally, blend) for n, tally in sorted(counts.speakers.items())}
        failed = sorted(n for n, tally in counts.speakers.items() if tally.status != OK)
        told = {"speakers": speakers, "failed": failed}
        return {**told, "oracle": _oracle(counts, options)} if "penalty" in options else told

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


def _told(tally: Tally, blend: Blend) -> dict[str, object]:
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
    """The lowest score of thresholds chosen with the labels in hand; None without scores.

    It is no result of the system: nobody knows these thresholds beforehand.
    """
    pairs = [
        (Trial(speaker, target), Verdict(awake=False, score=score, status=tally.status))
        for speaker, tally in counts.speakers.items()
        for score, target in tally.scored
    ]
    try:
        found = lowest_score(pairs, penalty=options["penalty"])
    except InputError:
        return None
    return {"one_threshold": found.one, "a_threshold_each": found.each}


def _resampled_means(counts: Sequence[SpeakerTallies], weights: Any, blend: Blend) -> Any:
    """The mean over speakers in each resample.

    Trials are weighed as they were drawn, and so are speakers: by the mean weight of their
    trials, which is how often the speaker was drawn when speakers are resampled whole.
    """
    import numpy as np

    one = [next(iter(tally.speakers.items())) for tally in counts]
    names = sorted({name for name, _ in one})
    owner = np.array([[name == speaker for speaker in names] for name, _ in one], dtype=float)
    columns = [
        [tally.targets for _, tally in one],
        [tally.missed for _, tally in one],
        [tally.others for _, tally in one],
        [tally.false_alarms for _, tally in one],
        [float(tally.status != OK) for _, tally in one],
    ]
    drawn = weights.astype(float)
    targets, missed, others, alarms, failed = (
        drawn @ (owner * np.array(column)[:, None]) for column in columns
    )
    miss = np.where(failed > 0, 1.0, _shares(missed, targets))
    alarm = np.where(failed > 0, 0.0, _shares(alarms, others))
    values, often = blend(miss, alarm), drawn @ (owner / owner.sum(axis=0))
    often = np.where(np.isnan(values), 0.0, often)
    return _shares((often * np.nan_to_num(values)).sum(axis=1), often.sum(axis=1))


def _shares(part: Any, whole: Any) -> Any:
    import numpy as np

    return np.divide(part, whole, out=np.full_like(whole, np.nan), where=whole > 0)
