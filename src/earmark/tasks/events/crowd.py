"""A crowd that answers in place of people, so that a design can be tried before money is spent.

Model: every event has an audibility that all share; a person hears it in a window with a chance
that grows with how long it sounds there. Careless people overlook most, spammers tick at random.
The defaults come near the paper's 680 people; the README says how near.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.stats.draw import stream
from earmark.tasks.events.values import Event, Tags, Timeline
from earmark.values.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who answers, and how.

    `audibility` and `audibility_spread` are mean and standard deviation of the logit of the chance
    to hear an event at all; `skill_spread` is how people differ on that scale. `settle` is how many
    seconds of a sound it takes to notice it. `careless_hears` is the share of what others hear that
    the careless notice. `busy_spread` says how unevenly work is spread; nobody who has given
    `cap` answers or more in earlier batches gets another.
    """

    people: int = 680
    opinions: int = 5
    spammers: float = 33 / 680
    careless: float = 0.09
    audibility: float = 1.6
    audibility_spread: float = 4.6
    skill_spread: float = 1.0
    settle: float = 1.2
    false_yes: float = 0.008
    careless_hears: float = 0.35
    spam_yes: float = 0.2
    busy_spread: float = 0.7
    cap: int = 50

    @classmethod
    def of(cls, options: Mapping[str, object]) -> "Crowd":
        """A crowd from the values of a TOML file; names it does not know are an error."""
        known = {field.name: field.type for field in fields(cls)}
        strange = sorted(set(options) - set(known))
        if strange:
            raise InputError(
                "a crowd has other parameters",
                got=", ".join(strange),
                want=", ".join(known),
            )
        numbers = {name: _number(name, value) for name, value in options.items()}
        whole = {name: int(numbers[name]) for name in ("people", "opinions", "cap") if name in numbers}
        return cls(**{**numbers, **whole})  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        if not 1 <= self.opinions <= self.people:
            raise InputError(
                "a crowd needs as many people as opinions a window",
                got=f"{self.people} people, {self.opinions} opinions",
            )
        if not 0 <= self.spammers + self.careless <= 1:
            raise InputError("shares of people lie between 0 and 1", got=self.spammers + self.careless)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError("a crowd's parameters are numbers", at=name, got=repr(value))
    return float(value)


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


def assign(crowd: Crowd, batches: Sequence[Sequence[int]], seed: int) -> dict[int, list[int]]:
    """Who answers which window: different people for a window, busy ones more often, caps kept."""
    busy = people(crowd, seed)[3]
    rng = stream(seed, "assignment")
    given = np.zeros(crowd.people, dtype=np.int64)
    chosen: dict[int, list[int]] = {}
    for batch in batches:
        free = given < crowd.cap
        if free.sum() < crowd.opinions:
            free = given < np.sort(given)[crowd.opinions - 1] + 1
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
                _chance(crowd, heard.get(label, ()), float(skill[person]), int(kind[person]))
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


def _chance(
    crowd: Crowd, heard: Sequence[tuple[float, float]], skill: float, kind: int
) -> float:
    if kind == 2:
        return crowd.spam_yes
    silent = 1.0 - crowd.false_yes
    for logit, noticed in heard:
        hears = noticed / (1 + math.exp(-min(max(logit + skill, -50.0), 50.0)))
        silent *= 1 - hears * (crowd.careless_hears if kind == 1 else 1.0)
    return 1 - silent
