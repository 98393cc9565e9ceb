"""What any threshold could have done: the detection error trade-off, and the lowest score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Floats
from earmark.stats.rates import proportion
from earmark.tasks.keywords.values import PENALTY, Trial, Verdict
from earmark.values.errors import InputError

Pairs = Iterable[tuple[Trial, Verdict]]


@dataclass(frozen=True, slots=True)
class Point:
    """The two error rates when everything at or above `threshold` wakes."""

    threshold: float
    miss_rate: float
    false_alarm_rate: float

    def score(self, penalty: float) -> float:
        """Return miss rate plus `penalty` times false-alarm rate."""
        return self.miss_rate + penalty * self.false_alarm_rate


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


@dataclass(frozen=True, slots=True, eq=False)
class SpeakerScores:
    """A system's scores on one speaker's target trials and on the other trials."""

    targets: Floats  # (targets,)
    others: Floats  # (others,)


def det_points(pairs: Pairs) -> list[Point]:
    """Return miss rate against false-alarm rate for every threshold, speakers averaged.

    Examples
    --------
    >>> trials = [(Trial("a", True), Verdict(True, 0.9)), (Trial("a", False), Verdict(False, 0.2))]
    >>> [(p.miss_rate, p.false_alarm_rate) for p in det_points(trials)]
    [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0)]
    """
    speakers = _by_speaker(pairs).values()
    scores = np.unique(np.concatenate([np.concatenate([s.targets, s.others]) for s in speakers]))
    thresholds = np.concatenate([[np.inf], scores[::-1]])
    misses = np.mean([1 - _shares_above(s.targets, thresholds) for s in speakers], axis=0)
    alarms = np.mean([_shares_above(s.others, thresholds) for s in speakers], axis=0)
    rows = zip(thresholds.tolist(), misses.tolist(), alarms.tolist(), strict=True)
    return [Point(*row) for row in rows]


def lowest_score(pairs: Pairs, *, penalty: float = PENALTY) -> Oracle:
    """Return the oracle: S when thresholds are chosen after the fact."""
    pairs = list(pairs)
    one = min(det_points(pairs), key=lambda point: point.score(penalty))
    best: dict[str, tuple[float, float]] = {}
    for speaker in sorted({trial.speaker for trial, _ in pairs}):
        own = det_points((t, v) for t, v in pairs if t.speaker == speaker)
        best[speaker] = min((point.score(penalty), point.threshold) for point in own)
    return Oracle(
        one=one.score(penalty),
        each=proportion(sum(score for score, _ in best.values()), of=len(best)),
        threshold=one.threshold,
        thresholds={speaker: threshold for speaker, (_, threshold) in best.items()},
    )


def _shares_above(scores: Floats, thresholds: Floats) -> Floats:
    """Return the share of the scores at or above each threshold, (thresholds,)."""
    ordered = np.sort(scores)
    return np.asarray(1 - np.searchsorted(ordered, thresholds, side="left") / len(ordered))


def _by_speaker(pairs: Pairs) -> dict[str, SpeakerScores]:
    """Return each speaker's scores; speakers who failed or lack one kind of trial are left out."""
    pairs = list(pairs)
    targets: dict[str, list[float]] = {}
    others: dict[str, list[float]] = {}
    failed = set()
    for trial, verdict in pairs:
        if verdict.failed or verdict.score is None:
            failed.add(trial.speaker)
            continue
        side = targets if trial.is_target else others
        side.setdefault(trial.speaker, []).append(verdict.score)
    whole = {
        speaker: SpeakerScores(np.array(targets[speaker]), np.array(others[speaker]))
        for speaker in dict.fromkeys(trial.speaker for trial, _ in pairs)
        if speaker in targets and speaker in others and speaker not in failed
    }
    if not whole:
        raise InputError(
            "a curve needs a speaker with scores for targets and for others",
            got="no score with any verdict" if failed else "targets or others only",
            fix="run a system that gives scores",
        )
    return whole
