"""Ten ways in which people may answer, which the window HMM was developed on (seeds 1 to 9).

`onsets` was left out of development at first; when the HMM lost it, it was looked into and came
here, with three relatives.
"""

import numpy as np
from benchmarks.crowds.scene import WINDOW, Process, Scene, Work, false_ticks, heard

from earmark.arrays import Bools

Rng = np.random.Generator


def by_loudness(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Everybody has a threshold in dB; half a second above it is heard, however long the sound."""
    threshold = rng.normal(9.0, 3.0, work.people)[work.person][:, None]
    above = (scene.level_db[None] - threshold) / 2.0
    probability = 1 / (1 + np.exp(-above)) * (scene.overlap[work.window] >= 0.5)
    yes = heard(scene, work, probability, rng)
    return yes | false_ticks(work, len(scene.labels), 0.01, rng)


def spam_and_copying(scene: Scene, work: Work, rng: Rng) -> Bools:
    """A tenth ticks at random; a quarter copies what the person before them in a window ticked."""
    spam = (rng.random(work.people) < 0.1)[work.person]
    copies = (rng.random(work.people) < 0.25)[work.person]
    hit = rng.beta(8, 3, work.people)[work.person][:, None] * np.ones(len(scene.label))
    yes = heard(scene, work, hit, rng) | false_ticks(work, len(scene.labels), 0.02, rng)
    yes[spam] = rng.random((int(spam.sum()), len(scene.labels))) < 0.3
    for k in range(1, len(yes)):
        if copies[k] and not spam[k] and work.window[k] == work.window[k - 1]:
            yes[k] = yes[k - 1]
    return yes


def fatigue(scene: Scene, work: Work, rng: Rng) -> Bools:
    """People begin with 95 % of what sounds and notice ever less, each at a pace of their own."""
    pace = rng.gamma(2.0, 15.0, work.people)[work.person]  # answers until a third is left
    hit = 0.95 * np.exp(-work.order / pace)[:, None] * np.ones(len(scene.label))
    return heard(scene, work, hit, rng) | false_ticks(work, len(scene.labels), 0.02, rng)


def missed_at_edges(scene: Scene, work: Work, rng: Rng) -> Bools:
    """What sounds only in a window's first or last two seconds is mostly missed."""
    inside = np.minimum(scene.leaves, 8.0) - np.maximum(scene.enters, 2.0) > 0.25
    hit = np.where(inside, 0.85, 0.15)[work.window]
    return heard(scene, work, hit, rng) | false_ticks(work, len(scene.labels), 0.02, rng)


def independent_errors(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Everybody hears 88 % of everything, long or short, loud or faint, and ticks 5 % falsely."""
    hit = np.full((len(work.window), len(scene.label)), 0.88)
    return heard(scene, work, hit, rng) | false_ticks(work, len(scene.labels), 0.05, rng)


def confusions(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Each label has another for which some take it: 15 % tick that instead, 10 % as well."""
    hit = np.full((len(work.window), len(scene.label)), 0.85)
    yes = heard(scene, work, hit, rng)
    labels = len(scene.labels)
    other = (np.arange(labels) + 1 + rng.integers(0, labels - 1, labels)) % labels
    luck = rng.random(yes.shape)
    instead, also = yes & (luck < 0.15), yes & (luck < 0.25)
    ticked = yes & ~instead
    for k in range(labels):
        ticked[:, other[k]] |= also[:, k]
    return ticked | false_ticks(work, labels, 0.01, rng)


def onsets(scene: Scene, work: Work, rng: Rng) -> Bools:
    """A sound that begins in the window is heard by 90 %, one that goes on from before by half."""
    hit = np.where(scene.goes_on, 0.5, 0.9)
    return heard(scene, work, hit[work.window], rng) | false_ticks(
        work, len(scene.labels), 0.02, rng
    )


def offsets(scene: Scene, work: Work, rng: Rng) -> Bools:
    """A sound that ends in the window is heard by 90 %, one that goes on after it by half."""
    lasts = (scene.ends > WINDOW) & (scene.overlap > 0)
    hit = np.where(lasts, 0.5, 0.9)
    return heard(scene, work, hit[work.window], rng) | false_ticks(
        work, len(scene.labels), 0.02, rng
    )


def middle(scene: Scene, work: Work, rng: Rng) -> Bools:
    """A sound counts if it covers the middle of the window; others are ticked by one in seven."""
    covers = (scene.enters <= WINDOW / 2) & (scene.leaves >= WINDOW / 2)
    hit = np.where(covers, 0.88, 0.15)
    return heard(scene, work, hit[work.window], rng) | false_ticks(
        work, len(scene.labels), 0.02, rng
    )


def late(scene: Scene, work: Work, rng: Rng) -> Bools:
    """People notice a sound three seconds after it began, and go on ticking it when it is over."""
    hit = np.where(scene.begins + 3.0 < WINDOW, 0.88, 0.1)
    yes = heard(scene, work, hit[work.window], rng)
    over = (scene.ends <= 0) & (scene.ends > -2.0)  # ended at most two seconds before the window
    for k in range(len(scene.labels)):
        echo = np.asarray(over[:, scene.label == k].any(axis=1))[work.window]
        yes[:, k] |= echo & (rng.random(len(yes)) < 0.4)
    return yes | false_ticks(work, len(scene.labels), 0.01, rng)


# By name, with how many people there are per 1,000 answers: 40 as in the paper, or far fewer.
KNOWN: dict[str, tuple[Process, float]] = {
    "loudness": (by_loudness, 40),
    "spam and copying": (spam_and_copying, 40),
    "fatigue": (fatigue, 40),
    "missed at edges": (missed_at_edges, 40),
    "independent errors": (independent_errors, 8),
    "confusions": (confusions, 20),
    "onsets": (onsets, 40),
    "offsets": (offsets, 40),
    "middle": (middle, 20),
    "late": (late, 40),
}
