"""What any threshold could have done: the detection error trade-off, and the lowest score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.errors import InputError

Pairs = Iterable[tuple[Trial, Verdict]]


@dataclass(frozen=True, slots=True)
class Point:
    """The two error rates when everything at or above `threshold` wakes."""

    threshold: float
    miss_rate: float
    false_alarm_rate: float


@dataclass(frozen=True, slots=True)
class Oracle:
    """The lowest score that thresholds chosen with the labels in hand would reach.

    `one` uses a single threshold for everybody, `each` one for every speaker. Nobody can know
    these thresholds beforehand: the gap to the real score is what calibration costs.
    """

    one: float
    each: float
    threshold: float
    thresholds: Mapping[str, float]


def det_points(pairs: Pairs) -> list[Point]:
    """Miss rate against false-alarm rate for every threshold, speakers averaged.

    Examples
    --------
    >>> trials = [(Trial("a", True), Verdict(True, 0.9)), (Trial("a", False), Verdict(False, 0.2))]
    >>> [(p.miss_rate, p.false_alarm_rate) for p in det_points(trials)]
    [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0)]
    """
    import numpy as np

    scored = _by_speaker(pairs)
    every = np.unique(np.concatenate([np.concatenate(s) for s in scored.values()]))
    thresholds = np.concatenate([[np.inf], every[::-1]])
    misses = np.mean([1 - _shares(target, thresholds) for target, _ in scored.values()], axis=0)
    alarms = np.mean([_shares(other, thresholds) for _, other in scored.values()], axis=0)
    rows = zip(thresholds.tolist(), misses.tolist(), alarms.tolist(), strict=True)
    return [Point(*row) for row in rows]


def lowest_score(pairs: Pairs, *, penalty: float = 9.0) -> Oracle:
    """The oracle: S when thresholds are chosen after the fact."""
    pairs = list(pairs)
    one = min(det_points(pairs), key=lambda p: p.miss_rate + penalty * p.false_alarm_rate)
    each: dict[str, tuple[float, float]] = {}
    for speaker in sorted({trial.speaker for trial, _ in pairs}):
        own = det_points((t, v) for t, v in pairs if t.speaker == speaker)
        each[speaker] = min((p.miss_rate + penalty * p.false_alarm_rate, p.threshold) for p in own)
    return Oracle(
        one=one.miss_rate + penalty * one.false_alarm_rate,
        each=sum(score for score, _ in each.values()) / len(each),
        threshold=one.threshold,
        thresholds={speaker: threshold for speaker, (_, threshold) in each.items()},
    )


def _shares(scores: "np.ndarray", thresholds: "np.ndarray") -> "np.ndarray":  # type: ignore[name-defined] # noqa: F821
    """Share of the scores at or above each threshold."""
    import numpy as np

    ordered = np.sort(scores)
    return 1 - np.searchsorted(ordered, thresholds, side="left") / len(ordered)


def _by_speaker(pairs: Pairs) -> dict[str, tuple["np.ndarray", "np.ndarray"]]:  # type: ignore[name-defined] # noqa: F821
    """Scores of targets and of others; speakers who failed or lack one of the two are left out."""
    import numpy as np

    found: dict[str, tuple[list[float], list[float]]] = {}
    failed = set()
    for trial, verdict in pairs:
        sides = found.setdefault(trial.speaker, ([], []))
        if verdict.failed or verdict.score is None:
            failed.add(trial.speaker)
            continue
        sides[0 if trial.is_target else 1].append(verdict.score)
    whole = {
        speaker: (np.array(targets), np.array(others))
        for speaker, (targets, others) in found.items()
        if targets and others and speaker not in failed
    }
    if not whole:
        raise InputError(
            "a curve needs a speaker with scores for targets and for others",
            got="no score with any verdict" if failed else "targets or others only",
            fix="run a system that gives scores",
        )
    return whole
