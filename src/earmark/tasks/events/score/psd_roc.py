"""The PSD-ROC: share of events found against effective false-alarm rate, label by label."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What turns counts into a curve: alpha_CT, alpha_ST, the unit of time and e_max."""

    cross_weight: float
    spread_weight: float
    per: str
    max_rate: float


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """One recording: by label, the scores at which counts change, and by how much.

    `events` and `seconds` say how many reference events of each label there are, and how long.
    """

    labels: tuple[str, ...]
    changes: Mapping[str, tuple[Floats, NDArray[np.int64]]]
    events: NDArray[np.int64]
    seconds: Floats
    duration: float


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """`found` as a function of `rate`, a staircase; `by_label` the labels' own staircases."""

    rate: Floats
    found: Floats
    by_label: Mapping[str, tuple[Floats, Floats]]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that have a curve."""
        return tuple(self.by_label)


@dataclass(frozen=True, slots=True, eq=False)
class _Label:
    """All changes of one label, highest score first; `ends` closes each run of equal scores."""

    number: int
    rows: Floats
    recording: NDArray[np.int64]
    ends: NDArray[np.int64]


def curve(recordings: Sequence[Recording], recipe: Recipe) -> Curve:
    """The curve of all recordings together."""
    return _pooled(recordings, recipe)(np.ones(len(recordings)))


def resampling(
    recordings: Sequence[Recording], recipe: Recipe
) -> Callable[[NDArray[np.int64]], float]:
    """A function from how often each recording was drawn to the area; sorts only once."""
    pooled = _pooled(recordings, recipe)
    return lambda weights: area(pooled(weights.astype(float)), recipe.max_rate)


def _pooled(recordings: Sequence[Recording], recipe: Recipe) -> Callable[[Floats], Curve]:
    labels = recordings[0].labels if recordings else ()
    sorted_labels = [_sorted(recordings, number) for number in range(len(labels))]
    events = np.array([r.events for r in recordings], dtype=float).reshape(-1, len(labels))
    seconds = np.array([r.seconds for r in recordings]).reshape(-1, len(labels))
    durations = np.array([r.duration for r in recordings])

    def pooled(weights: Floats) -> Curve:
        world = (weights @ events, weights @ seconds, float(weights @ durations))
        steps = {
            labels[changes.number]: _staircase(changes, weights, world, recipe)
            for changes in sorted_labels
            if world[0][changes.number] > 0
        }
        return _joined(steps, recipe)

    return pooled


def _sorted(recordings: Sequence[Recording], number: int) -> _Label:
    label = recordings[0].labels[number]
    found = [(k, r.changes[label]) for k, r in enumerate(recordings) if label in r.changes]
    empty = np.zeros((0, 2 + len(recordings[0].labels)))
    scores = np.concatenate([np.zeros(0), *(scores for _, (scores, _) in found)])
    rows = np.concatenate([empty, *(rows for _, (_, rows) in found)])
    owner = np.concatenate([np.zeros(0, np.int64), *(np.full(len(s), k) for k, (s, _) in found)])
    order = np.argsort(-scores, kind="stable")
    falls = np.flatnonzero(np.diff(scores[order]))
    ends = np.append(falls, len(order) - 1) if len(order) else falls
    return _Label(number, rows[order], owner[order].astype(np.int64), ends)


def _staircase(
    changes: _Label, weights: Floats, world: tuple[Floats, Floats, float], recipe: Recipe
) -> tuple[Floats, Floats]:
    """Rates and shares found of one label, rising, without points that gain nothing."""
    events, seconds, duration = world
    counts = np.cumsum(changes.rows * weights[changes.recording, None], axis=0)[changes.ends]
    rate = counts[:, 1] / duration
    if recipe.cross_weight:
        others = [k for k in range(len(seconds)) if k != changes.number]
        crossed = [counts[:, 2 + k] / max(seconds[k], 1e-12) for k in others]
        rate = rate + recipe.cross_weight * np.mean(crossed, axis=0) if others else rate
    rate = np.append(0.0, rate * SECONDS[recipe.per])
    found = np.append(0.0, counts[:, 0] / events[changes.number])
    order = np.lexsort((found, rate))
    rate, found = rate[order], np.maximum.accumulate(found[order])
    last = np.append(np.diff(rate) > 0, True)
    rises = np.append(True, np.diff(found[last]) > 0)
    keep = rises & (rate[last] <= recipe.max_rate)
    return rate[last][keep], found[last][keep]


def _joined(steps: Mapping[str, tuple[Floats, Floats]], recipe: Recipe) -> Curve:
    """Mean over labels less the weighted standard deviation, at every rate where a label rises."""
    if not steps:
        return Curve(np.zeros(0), np.zeros(0), {})
    rates = np.unique(np.concatenate([rate for rate, _ in steps.values()]))
    found = np.array([y[np.searchsorted(x, rates, side="right") - 1] for x, y in steps.values()])
    effective = found.mean(axis=0) - recipe.spread_weight * found.std(axis=0)
    return Curve(rates, np.maximum(effective, 0.0), steps)


def area(found: Curve, max_rate: float) -> float:
    """The area under the staircase up to `max_rate`, as a share; nan without a curve."""
    return _area(found.rate, found.found, max_rate)


def label_area(found: Curve, label: str, max_rate: float) -> float:
    """The same for one label."""
    return _area(*found.by_label[label], max_rate)


def _area(rate: Floats, found: Floats, max_rate: float) -> float:
    if not len(rate):
        return float("nan")
    widths = np.diff(np.append(rate, max_rate))
    return float(np.dot(widths, found) / max_rate)
