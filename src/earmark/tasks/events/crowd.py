"""A crowd that answers in place of people, so that a design can be tried before money is spent.

Model: every event has an audibility that all share; a person hears it in a window with a chance
that grows with how long it sounds there. Careless people overlook most, spammers tick at random.
The defaults come near the paper's 680 people; the README says how near.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.stats.draw import stream
from earmark.tasks.events.crowd_values import Crowd
from earmark.tasks.events.values import Event, Tags, Timeline

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Window:
    """One window to be answered: its id, recording, start and end."""

    id: str
    recording: str
    start: float
    end: float


def people(crowd: Crowd, seed: int) -> tuple[tuple[str, ...], Floats, NDArray[np.int64], Floats]:
    """Names, skill, kind (0 careful, 1 careless, 2 spammer) and how busy each is."""
    rng = stream(seed, "crowd")
    names = tuple(f"p{k:04d}" for k in range(crowd.people))
    kind = np.zeros(crowd.people, dtype=np.int64)
    spammers, careless = round(crowd.spammers * crowd.people), round(crowd.careless * crowd.people)
    shuffled = rng.permutation(crowd.people)
    kind[shuffled[:spammers]] = 2
    kind[shuffled[spammers : spammers + careless]] = 1
    skill = rng.normal(0.0, crowd.skill_spread, crowd.people)
    busy = np.exp(rng.normal(0.0, crowd.busy_spread, crowd.people))
    return names, skill, kind, busy


def assign(
    crowd: Crowd, batches: Sequence[Sequence[int]], seed: int, inside: NDArray[np.bool_]
) -> dict[int, list[int]]:
    """Who answers which window: different people for a window, busy ones more often, caps kept.

    `inside` marks those who passed the trial; nobody else is asked.
    """
    busy = people(crowd, seed)[3]
    rng = stream(seed, "assignment")
    given = np.zeros(crowd.people, dtype=np.int64)
    chosen: dict[int, list[int]] = {}
    for batch in batches:
        free = inside & (given < crowd.cap)
        if free.sum() < crowd.opinions:
            free = inside & (given < np.sort(given[inside])[crowd.opinions - 1] + 1)
        weight = np.where(free, np.log(busy), -np.inf)
        for window in batch:
            keys = weight + rng.gumbel(size=crowd.people)
            top = np.argpartition(-keys, crowd.opinions - 1)[: crowd.opinions]
            chosen[window] = sorted(top.tolist())
            given[top] += 1
    return chosen


def answer(
    crowd: Crowd,
    windows: Sequence[Window],
    assigned: Mapping[int, Sequence[int]],
    truth: Mapping[str, Timeline],
    options: Mapping[str, Any],
) -> Iterator[tuple[int, int, Tags]]:
    """(window, person, what they tick) for every assignment; `options` are labels and seed."""
    labels, seed = tuple(options["labels"]), int(options["seed"])
    _, skill, kind, _ = people(crowd, seed)
    audible = {name: _audibility(crowd, line, seed, name) for name, line in truth.items()}
    for index in sorted(assigned):
        window = windows[index]
        heard = _present(crowd, window, truth[window.recording].events, audible[window.recording])
        for person in assigned[index]:
            rng = stream(seed, "answer", window.id, person)
            chances = [
                chance(crowd, heard.get(label, ()), float(skill[person]), int(kind[person]))
                for label in labels
            ]
            ticked = rng.random(len(labels)) < np.array(chances)
            chosen = (label for label, yes in zip(labels, ticked, strict=True) if yes)
            yield index, person, Tags(frozenset(chosen))


def _audibility(crowd: Crowd, line: Timeline, seed: int, name: str) -> tuple[float, ...]:
    rng = stream(seed, "audibility", name)
    return tuple(rng.normal(crowd.audibility, crowd.audibility_spread, len(line.events)).tolist())


def _present(
    crowd: Crowd, window: Window, events: Sequence[Event], audible: Sequence[float]
) -> dict[str, list[tuple[float, float]]]:
    """By label, each event in the window: its audibility and the chance to notice it in time."""
    present: dict[str, list[tuple[float, float]]] = {}
    for event, logit in zip(events, audible, strict=True):
        shared = min(event.offset, window.end) - max(event.onset, window.start)
        if shared > 0:
            noticed = 1 - math.exp(-shared / crowd.settle)
            present.setdefault(event.label, []).append((logit, noticed))
    return present


def chance(crowd: Crowd, heard: Sequence[tuple[float, float]], skill: float, kind: int) -> float:
    """The chance that a person of that skill and kind ticks a label, given what sounds of it."""
    if kind == 2:
        return crowd.spam_yes
    silent = 1.0 - crowd.false_yes
    for logit, noticed in heard:
        hears = noticed / (1 + math.exp(-min(max(logit + skill, -50.0), 50.0)))
        silent *= 1 - hears * (crowd.careless_hears if kind == 1 else 1.0)
    return 1 - silent
