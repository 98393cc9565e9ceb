"""Populations of groups of items, with systems that are equally good, or `step` apart.

A population is a function of a generator, a number of groups and a number of systems; it returns
a metric and each system's score over the same items. Items are hard or easy for all systems alike,
and besides each system has its own luck with each of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator

from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.stats.rates import f1
from earmark.tasks.context.score import words
from earmark.tasks.context.values import Flags, Scores
from earmark.tasks.events.score.psds import psds as build_psds
from earmark.tasks.events.values import Event, FrameScores, Timeline
from earmark.tasks.keywords.score.wake import wake_score
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.counts import Hits, Mean
from earmark.values.score import Score

Drawn = tuple[Metric, dict[str, Score]]
# Values alone: no interval, and no digests of data that nobody else has.
UNNAMED: dict[str, Any] = {"resamples": 0, "names": ("drawn", "drawn")}

MEAN = Metric("made", "mean", lambda _, value: Mean.of(value), mean)
F1 = Metric("made", "f1", lambda _, hits: Hits(*hits), f1)


def name_of(system: int) -> str:
    return f"system-{system:02}"


def scored(
    metric: Metric, columns: Sequence[Sequence[Any]], groups: Mapping[str, str] | None = None
) -> Drawn:
    """Return the scores of systems whose counts are given item by item."""
    items = [f"item-{k:04}" for k in range(len(columns[0]))]
    sides = [dict(zip(items, column, strict=True)) for column in columns]
    truth = dict.fromkeys(items)
    scores = [evaluate(metric, truth, side, groups=groups, **UNNAMED) for side in sides]
    return metric, {name_of(k): score for k, score in enumerate(scores)}


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def means(rng: Generator, groups: int, systems: int, step: float = 0.0) -> Drawn:
    """A mean of values from 0 to 1, most of them high."""
    shared = rng.normal(1.5, 1.0, groups)
    values = logistic(shared + rng.normal(0, 1.0, (systems, groups)))
    values = values - step * np.arange(systems)[:, None]
    return scored(MEAN, values.tolist())


def ratios(rng: Generator, groups: int, systems: int, step: float = 0.0) -> Drawn:
    """F1 pooled over recordings, of which some have many events."""
    events = 1 + rng.poisson(rng.gamma(2.0, 3.0, groups))
    shared = rng.normal(1.0, 0.6, groups)
    quality = logistic(shared + rng.normal(0, 0.6, (systems, groups)))
    quality = np.clip(quality - step * np.arange(systems)[:, None], 0, 1)
    right = rng.binomial(events, quality)
    wrong = rng.poisson(events * (1 - quality))
    counts = np.stack([right, events - right, wrong], axis=2)
    return scored(F1, [[tuple(row) for row in own] for own in counts.tolist()])


def operating_points(rng: Generator, groups: int, systems: int) -> Drawn:
    """The same F1 of .7 in two ways: recall .7 with few false positives, .85 with many."""
    events = 1 + rng.poisson(rng.gamma(2.0, 3.0, groups))
    sides = []
    for recall, false in ((0.7, 0.3), (0.85, 1.7 / 0.7 - 1.85))[:systems]:
        right = rng.binomial(events, rng.beta(8 * recall, 8 * (1 - recall), groups))
        wrong = rng.poisson(events * false * rng.gamma(4, 0.25, groups))
        sides.append(
            list(zip(right.tolist(), (events - right).tolist(), wrong.tolist(), strict=True))
        )
    return scored(F1, sides)


def clusters(rng: Generator, groups: int, systems: int, size: int = 5) -> Drawn:
    """A mean over items in groups of five; a system that is good on one is good on its four."""
    own = np.repeat(rng.normal(0, 0.8, (systems, groups)), size, axis=1)
    shared = np.repeat(rng.normal(1.5, 0.8, groups), size)
    values = logistic(shared + own + rng.normal(0, 0.8, (systems, groups * size)))
    belongs = {f"item-{k:04}": f"group-{k // size:04}" for k in range(groups * size)}
    return scored(MEAN, values.tolist(), belongs)


def skewed(rng: Generator, groups: int, systems: int) -> Drawn:
    """Equal means and no exchangeable systems: mostly a little better, rarely much worse."""
    rare = rng.random(groups) < 0.1
    difference = np.where(rare, -0.45, 0.05) + rng.normal(0, 0.01, groups)
    shared = rng.uniform(0.5, 0.6, groups)
    return scored(MEAN, [(shared + difference).tolist(), shared.tolist()][:systems])


def wake(rng: Generator, groups: int, systems: int) -> Drawn:
    """The wake-word score averaged over speakers; 4 target and 8 other trials of each."""
    targets = np.tile(np.arange(12) < 4, groups)
    speakers = np.repeat(np.arange(groups), 12)
    items = [f"trial-{k:04}" for k in range(len(targets))]
    pairs = zip(items, speakers.tolist(), targets.tolist(), strict=True)
    trials = {item: Trial(f"speaker-{speaker:03}", target) for item, speaker, target in pairs}
    belongs = {item: trial.speaker for item, trial in trials.items()}
    metric, scores = wake_score(), {}
    for system in range(systems):
        own = rng.normal(0, 0.7, groups)[speakers]
        wakes = rng.random(len(items)) < logistic(np.where(targets, 2 + own, -4 - own))
        outputs = {item: Verdict(awake=w) for item, w in zip(items, wakes.tolist(), strict=True)}
        scores[name_of(system)] = evaluate(metric, trials, outputs, groups=belongs, **UNNAMED)
    return metric, scores


def tokens(rng: Generator, groups: int, systems: int, metric: Metric, step: float = 0.0) -> Drawn:
    """Scores of tokens, few of them out of context; every system scores on a scale of its own."""
    sides: list[dict[str, Scores]] = [{} for _ in range(systems)]
    truth = {}
    for number in range(groups):
        size, item = int(rng.integers(20, 60)), f"item-{number:04}"
        marked = np.zeros(size)
        marked[rng.choice(size, int(rng.integers(0, 4)), replace=False)] = 1
        truth[item] = Flags(size, frozenset(np.flatnonzero(marked).tolist()))
        shared = rng.normal(0, 0.7, size) + rng.normal(0, 0.5)
        for k, side in enumerate(sides):
            gain = 1.5 + rng.normal(0, 0.5) - step * k
            raw = gain * marked + shared + rng.normal(0, 0.7, size)
            side[item] = Scores(tuple((raw if k % 2 else 3 * np.exp(raw / 2)).tolist()))
    scores = [evaluate(metric, truth, side, **UNNAMED) for side in sides]
    return metric, {name_of(k): score for k, score in enumerate(scores)}


def average_precision(rng: Generator, groups: int, systems: int, step: float = 0.0) -> Drawn:
    return tokens(rng, groups, systems, words.average_precision(), step)


def best_f(rng: Generator, groups: int, systems: int, step: float = 0.0) -> Drawn:
    return tokens(rng, groups, systems, words.best_f(), step)


LABELS = ("car", "dog", "siren")
FRAMES, SECONDS = 25, 10.0


def psds(rng: Generator, groups: int, systems: int) -> Drawn:
    """Frame scores of three labels in recordings of ten seconds."""
    edges = np.linspace(0, SECONDS, FRAMES + 1)
    truth, sides = {}, [{} for _ in range(systems)]  # type: ignore[var-annotated]
    for number in range(groups):
        item = f"item-{number:04}"
        events = drawn_events(rng)
        truth[item] = Timeline(SECONDS, events)
        active = np.zeros((FRAMES, len(LABELS)))
        for event in events:
            inside = (edges[:-1] >= event.onset - 0.2) & (edges[1:] <= event.offset + 0.2)
            active[inside, LABELS.index(event.label)] = 1
        shared = smooth(rng.normal(0, 0.7, active.shape))
        for k, side in enumerate(sides):
            gain = 2.2 + rng.normal(0, 0.5, len(LABELS))
            raw = gain * active + shared + smooth(rng.normal(0, 0.7, active.shape))
            frames = FrameScores(LABELS, edges, np.exp(raw / 2) if k % 2 else raw)
            side[item] = Timeline(SECONDS, (), frames)
    metric = build_psds()
    scores = [evaluate(metric, truth, side, **UNNAMED) for side in sides]
    return metric, {name_of(k): score for k, score in enumerate(scores)}


def drawn_events(rng: Generator) -> tuple[Event, ...]:
    """Return at most one event of a label in each half of the recording."""
    events = []
    for label, often in zip(LABELS, (0.5, 0.35, 0.25), strict=True):
        for start in (0.0, SECONDS / 2):
            onset = start + rng.uniform(0, 2)
            if rng.random() < often:
                events.append(Event(label, onset, onset + rng.uniform(0.8, 2.5)))
    return tuple(events)


def smooth(noise: Any) -> Any:
    """Return noise whose neighbouring frames are alike."""
    padded = np.pad(noise, ((1, 1), (0, 0)))
    return (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
