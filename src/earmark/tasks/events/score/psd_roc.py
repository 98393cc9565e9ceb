"""The PSD-ROC: recall against the effective false-positive rate, label by label."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from earmark.arrays import Floats, Ints

SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}


@dataclass(frozen=True, slots=True)
class RocRecipe:
    """What turns counts into a curve: alpha_CT, alpha_ST, the unit of time and e_max."""

    cross_weight: float
    spread_weight: float
    per: str
    max_rate: float


class Changes(NamedTuple):
    """The scores at which the counts of one recording and label change, falling, and by how much.

    A row is (true positives, false positives, cross-triggers by other label).
    """

    scores: Floats  # (changes,)
    rows: Ints  # (changes, 2 + labels)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRecording:
    """One recording: by label, where its counts change; how many reference events, and how long."""

    labels: tuple[str, ...]
    changes: Mapping[str, Changes]
    events: Ints  # (labels,)
    seconds: Floats  # (labels,)
    duration: float


class Staircase(NamedTuple):
    """Recall as a function of the false-positive rate: level from each rate to the next."""

    rate: Floats  # (steps,), rising
    recall: Floats  # (steps,)


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """What the recordings of one resample hold together."""

    events: Floats  # (labels,), reference events
    seconds: Floats  # (labels,), their length
    duration: float


@dataclass(frozen=True, slots=True, eq=False)
class PsdRoc:
    """The mean staircase less its spread, and the labels' own staircases."""

    rate: Floats  # (steps,)
    recall: Floats  # (steps,)
    by_label: Mapping[str, Staircase]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that have a curve."""
        return tuple(self.by_label)


@dataclass(frozen=True, slots=True, eq=False)
class _LabelChanges:
    """All changes of one label, highest score first; `ends` closes each run of equal scores."""

    number: int
    rows: Floats  # (changes, 2 + labels)
    recording: Ints  # (changes,)
    ends: Ints  # (different scores,)


def curve(recordings: Sequence[ScoredRecording], recipe: RocRecipe) -> PsdRoc:
    """Return the curve of all recordings together."""
    return _pooled(recordings, recipe)(np.ones(len(recordings)))


def resampling(recordings: Sequence[ScoredRecording], recipe: RocRecipe) -> Callable[[Ints], float]:
    """Return a function from how often each recording was drawn to the area; sorts only once."""
    pooled = _pooled(recordings, recipe)
    return lambda weights: area(pooled(weights.astype(float)), recipe.max_rate)


def _pooled(recordings: Sequence[ScoredRecording], recipe: RocRecipe) -> Callable[[Floats], PsdRoc]:
    labels = recordings[0].labels if recordings else ()
    sorted_labels = [_sorted(recordings, number) for number in range(len(labels))]
    events = np.array([r.events for r in recordings], dtype=float).reshape(-1, len(labels))
    seconds = np.array([r.seconds for r in recordings]).reshape(-1, len(labels))
    durations = np.array([r.duration for r in recordings])

    def pooled(weights: Floats) -> PsdRoc:
        world = World(weights @ events, weights @ seconds, float(weights @ durations))
        steps = {
            labels[changes.number]: _staircase(changes, weights, world, recipe)
            for changes in sorted_labels
            if world.events[changes.number] > 0
        }
        return _joined(steps, recipe)

    return pooled


def _sorted(recordings: Sequence[ScoredRecording], number: int) -> _LabelChanges:
    label = recordings[0].labels[number]
    own = [(k, r.changes[label]) for k, r in enumerate(recordings) if label in r.changes]
    empty = np.zeros((0, 2 + len(recordings[0].labels)))
    scores = np.concatenate([np.zeros(0), *(changes.scores for _, changes in own)])
    rows = np.concatenate([empty, *(changes.rows for _, changes in own)])
    owners = (np.full(len(changes.scores), k) for k, changes in own)
    owner = np.concatenate([np.zeros(0, np.int64), *owners])
    order = np.argsort(-scores, kind="stable")
    falls = np.flatnonzero(np.diff(scores[order]))
    ends = np.append(falls, len(order) - 1) if len(order) else falls
    return _LabelChanges(number, rows[order], owner[order].astype(np.int64), ends)


def _staircase(
    changes: _LabelChanges, weights: Floats, world: World, recipe: RocRecipe
) -> Staircase:
    """Return rates and recalls of one label, rising, without points that gain nothing."""
    counts = np.cumsum(changes.rows * weights[changes.recording, None], axis=0)[changes.ends]
    rate = counts[:, 1] / world.duration
    if recipe.cross_weight:
        others = [k for k in range(len(world.seconds)) if k != changes.number]
        crossed = [counts[:, 2 + k] / max(world.seconds[k], 1e-12) for k in others]
        rate = rate + recipe.cross_weight * np.mean(crossed, axis=0) if others else rate
    rate = np.append(0.0, rate * SECONDS[recipe.per])
    recall = np.append(0.0, counts[:, 0] / world.events[changes.number])
    order = np.lexsort((recall, rate))
    rate, recall = rate[order], np.maximum.accumulate(recall[order])
    last = np.append(np.diff(rate) > 0, True)
    rises = np.append(True, np.diff(recall[last]) > 0)
    keep = rises & (rate[last] <= recipe.max_rate)
    return Staircase(rate[last][keep], recall[last][keep])


def _joined(steps: Mapping[str, Staircase], recipe: RocRecipe) -> PsdRoc:
    """Return the mean over labels less the weighted spread, at every rate where a label rises."""
    if not steps:
        return PsdRoc(np.zeros(0), np.zeros(0), {})
    rates = np.unique(np.concatenate([step.rate for step in steps.values()]))
    recall = np.array([y[np.searchsorted(x, rates, side="right") - 1] for x, y in steps.values()])
    effective = recall.mean(axis=0) - recipe.spread_weight * recall.std(axis=0)
    return PsdRoc(rates, np.maximum(effective, 0.0), steps)


def area(roc: PsdRoc, max_rate: float) -> float:
    """Return the area under the staircase up to `max_rate`, as a share; nan without a curve."""
    return _area(Staircase(roc.rate, roc.recall), max_rate)


def label_area(roc: PsdRoc, label: str, max_rate: float) -> float:
    """Return the same for one label."""
    return _area(roc.by_label[label], max_rate)


def _area(steps: Staircase, max_rate: float) -> float:
    if not len(steps.rate):
        return float("nan")
    widths = np.diff(np.append(steps.rate, max_rate))
    return float(np.dot(widths, steps.recall) / max_rate)
