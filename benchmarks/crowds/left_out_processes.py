"""Ten ways in which people may answer, on which the window HMM was never tried while it was made.

They were written down before the model was changed: seven of them before its levels, confusions and
places in a window, the last three (`habituation`, `criteria`, `leaving early`) before it learnt
that a sound which begins or ends in the window may be noticed otherwise. Results are reported on
these, and on other seeds of the known ones; nothing is chosen here.
"""

import numpy as np
from benchmarks.crowds.scene import WINDOW, Process, Scene, Work, false_ticks, heard

from earmark.arrays import Bools

Rng = np.random.Generator


def bursts(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Now and then somebody ticks one label in every window for about eight answers on end."""
    yes = heard(scene, work, np.full((len(work.window), len(scene.label)), 0.8), rng)
    for who in range(work.people):
        own = np.flatnonzero(work.person == who)
        own = own[np.argsort(work.order[own])]
        stuck = -1
        for k in own:
            if stuck < 0 and rng.random() < 0.03:
                stuck = int(rng.integers(len(scene.labels)))
            if stuck >= 0:
                yes[k, stuck] = True
                stuck = -1 if rng.random() < 1 / 8 else stuck
    return yes | false_ticks(work, len(scene.labels), 0.01, rng)


def lapses(scene: Scene, work: Work, rng: Rng) -> Bools:
    """A quarter of the answers comes from no listening: nothing, or one label at random."""
    hit = 0.95 * (1 - np.exp(-scene.overlap / 0.8))[work.window]
    yes = heard(scene, work, hit, rng) | false_ticks(work, len(scene.labels), 0.015, rng)
    absent = rng.random(len(yes)) < rng.beta(1, 3, work.people)[work.person]
    yes[absent] = False
    guesses = np.flatnonzero(absent & (rng.random(len(yes)) < 0.4))
    yes[guesses, rng.integers(len(scene.labels), size=len(guesses))] = True
    return yes


def masking(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Alone, a sound is heard by 92 %; beside a louder one in the window, by 92 % down to 20 %."""
    level = np.where(scene.overlap > 0, scene.level_db[None], -np.inf)  # (windows, events)
    order = np.sort(level, axis=1)
    loudest, second = order[:, -1:], order[:, -2:-1]
    beside = np.where(level == loudest, second, loudest)
    with np.errstate(invalid="ignore"):
        excess = np.nan_to_num(beside - scene.level_db[None], neginf=-50.0)
    hit = 0.92 - 0.72 / (1 + np.exp(-(excess - 4.0) / 2.0))
    return heard(scene, work, hit[work.window], rng) | false_ticks(
        work, len(scene.labels), 0.02, rng
    )


def private_ears(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Who hears which event is drawn once for each pair; false ticks by person and label."""
    ears = rng.random((work.people, len(scene.label))) < rng.beta(4, 1.5, len(scene.label))[None]
    hit = np.where(ears[work.person], 0.93, 0.07)
    fond = rng.beta(0.3, 8.0, (work.people, len(scene.labels)))  # mean .036, a few above .2
    return heard(scene, work, hit, rng) | false_ticks(
        work, len(scene.labels), fond[work.person], rng
    )


def recency(scene: Scene, work: Work, rng: Rng) -> Bools:
    """The end of a window is remembered, its beginning half forgotten."""
    hit = 0.92 * np.exp(-(WINDOW - scene.leaves) / 8.0)
    return heard(scene, work, hit[work.window], rng) | false_ticks(
        work, len(scene.labels), 0.02, rng
    )


def one_tick(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Half of the people tick only the label that sounds longest in the window."""
    yes = heard(scene, work, np.full((len(work.window), len(scene.label)), 0.88), rng)
    length = np.stack(
        [scene.overlap[:, scene.label == k].sum(axis=1) for k in range(len(scene.labels))], axis=1
    )[work.window]
    longest = np.argmax(np.where(yes, length, -1.0), axis=1)
    lazy = np.flatnonzero((rng.random(work.people) < 0.5)[work.person] & yes.any(axis=1))
    yes[lazy] = False
    yes[lazy, longest[lazy]] = True
    return yes | false_ticks(work, len(scene.labels), 0.02, rng)


def strange_sounds(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Sounds on no list, 2 to 6 s long, which a third of the people take for some label."""
    yes = heard(scene, work, np.full((len(work.window), len(scene.label)), 0.85), rng)
    starts = np.array([unit.span.start if unit.span else 0.0 for unit in scene.windows])
    group = np.array([unit.group for unit in scene.windows])
    for item in scene.items:
        seconds = scene.truth[item.id].duration
        for _ in range(round(seconds / 40)):
            onset, length = rng.uniform(0, seconds - 6), rng.uniform(2, 6)
            taken_for = int(rng.integers(len(scene.labels)))
            inside = (group == item.id) & (starts < onset + length) & (starts + WINDOW > onset)
            yes[:, taken_for] |= inside[work.window] & (rng.random(len(yes)) < 0.33)
    return yes | false_ticks(work, len(scene.labels), 0.015, rng)


def habituation(scene: Scene, work: Work, rng: Rng) -> Bools:
    """What has gone on for long is noticed ever less: 93 % at first, a third of it after 15 s."""
    gone_on = np.maximum(-scene.begins, 0.0)
    hit = 0.93 * np.exp(-gone_on / 15.0)
    return heard(scene, work, hit[work.window], rng) | false_ticks(
        work, len(scene.labels), 0.02, rng
    )


def criteria(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Everybody has an idea of how many seconds a sound must last in the window, 0 to 5 s."""
    wanted = rng.uniform(0.0, 5.0, work.people)[work.person][:, None]
    hit = np.where(scene.overlap[work.window] >= wanted, 0.9, 0.1)
    return heard(scene, work, hit, rng) | false_ticks(work, len(scene.labels), 0.02, rng)


def leaving_early(scene: Scene, work: Work, rng: Rng) -> Bools:
    """Half of the people answer before the window ends, at a moment of each answer's own."""
    hasty = (rng.random(work.people) < 0.5)[work.person]
    stops = np.where(hasty, rng.uniform(1.0, WINDOW, len(work.window)), WINDOW)[:, None]
    hit = np.where(scene.enters[work.window] < stops, 0.9, 0.0)
    return heard(scene, work, hit, rng) | false_ticks(work, len(scene.labels), 0.02, rng)


# By name, with how many people there are per 1,000 answers.
LEFT_OUT: dict[str, tuple[Process, float]] = {
    "bursts": (bursts, 20),
    "lapses": (lapses, 40),
    "masking": (masking, 40),
    "private ears": (private_ears, 8),
    "recency": (recency, 40),
    "one tick": (one_tick, 20),
    "strange sounds": (strange_sounds, 8),
    "habituation": (habituation, 40),
    "criteria": (criteria, 20),
    "leaving early": (leaving_early, 40),
}
