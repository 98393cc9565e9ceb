"""The challenge's numbers: miss rate, false-alarm rate, and the wake-up score S."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from earmark.score.metric import Metric
from earmark.stats import rates
from earmark.tasks.keywords.score.tallies import SpeakerTallies, Tally, count_trial
from earmark.values.errors import InputError
from earmark.values.score import number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    return _metric("wake_score", lambda tally: tally.score(penalty), {"penalty": penalty})


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
    return _metric("miss_rate", lambda tally: tally.miss_rate, {})


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
    return _metric("false_alarm_rate", lambda tally: tally.false_alarm_rate, {})


def _metric(name: str, rate: Callable[[Tally], float], options: Mapping[str, object]) -> Metric:
    """A mean over speakers of one number of their tallies."""

    def mean(counts: SpeakerTallies) -> float:
        values = [rate(tally) for tally in counts.speakers.values()]
        known = [value for value in values if not math.isnan(value)]
        return rates.share(math.fsum(known), of=len(known))

    def resampled(counts: Sequence[SpeakerTallies], weights: "NDArray[np.int64]") -> Any:
        return _resampled_means(counts, weights, rate)

    def parts(counts: SpeakerTallies) -> Mapping[str, object]:
        speakers = {n: _told(tally, rate) for n, tally in sorted(counts.speakers.items())}
        return {"speakers": speakers, "failed": _failed(counts)}

    return Metric(
        task="keywords",
        name=name,
        count=count_trial,
        rate=mean,
        options=options,
        average="speakers",
        higher_is_better=False,
        low=0.0,
        high=1.0 + float(options.get("penalty", 0.0)),  # type: ignore[arg-type]
        undefined=UNDEFINED,
        parts=parts,
        rate_resamples=resampled,
    )


def _told(tally: Tally, rate: Callable[[Tally], float]) -> dict[str, object]:
    return {
        "value": number(rate(tally)),
        "miss_rate": number(tally.miss_rate),
        "false_alarm_rate": number(tally.false_alarm_rate),
        "targets": int(tally.targets),
        "missed": int(tally.missed),
        "others": int(tally.others),
        "false_alarms": int(tally.false_alarms),
        "status": tally.status,
    }


def _failed(counts: SpeakerTallies) -> list[str]:
    return sorted(name for name, tally in counts.speakers.items() if tally.status != "ok")


def _resampled_means(
    counts: Sequence[SpeakerTallies], weights: Any, rate: Callable[[Tally], float]
) -> Any:
    """The mean over speakers in each resample.

    Speakers are resampled whole, so a speaker's value never changes: only how often it is drawn.
    Where single trials are drawn instead, a speaker weighs as much as its trials on average.
    """
    import numpy as np

    names = [next(iter(tally.speakers)) for tally in counts]
    speakers = sorted(set(names))
    place = {name: k for k, name in enumerate(speakers)}
    total = sum(counts[1:], counts[0])
    values = np.array([rate(total.speakers[name]) for name in speakers])
    drawn = np.zeros((len(weights), len(speakers)))
    for column, name in enumerate(names):
        drawn[:, place[name]] += weights[:, column]
    drawn /= np.bincount([place[name] for name in names])
    drawn = np.where(np.isnan(values), 0.0, drawn)
    size = drawn.sum(axis=1)
    sums = drawn @ np.nan_to_num(values)
    return np.divide(sums, size, out=np.full(len(weights), np.nan), where=size > 0)
