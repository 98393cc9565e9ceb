"""A crowd that answers in place of people, so that a design can be tried before money is spent.

The model: every event has an audibility, a logit that everybody shares; a person adds their skill
to it. An event that sounds for t seconds of a window is noticed with probability
1 - exp(-t / settle), and then heard with the probability of that logit. Careless people hear
`careless_hears` of what others would, and everybody but a spammer ticks a label by mistake with
probability `false_yes`. Spammers tick each label with probability `spam_yes`, whatever sounds.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.ask.batch import batches
from earmark.stats.draw import stream
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.values import Event, Tags, Timeline, labels_of
from earmark.values.answer import Answer
from earmark.values.item import Item

CAREFUL, CARELESS, SPAMMER = 0, 1, 2

# Logits beyond this are as good as certain; exp of far larger ones would overflow.
CERTAIN = 50.0


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedPeople:
    """Everybody in a crowd; the arrays have one entry per person."""

    names: tuple[str, ...]
    skill: Floats  # added to an event's logit
    kind: Ints  # CAREFUL, CARELESS or SPAMMER
    busy: Floats  # relative amount of work that they take


class AudibleEvent(NamedTuple):
    """An event in a window: the logit of hearing it, and the probability to notice it in time."""

    logit: float
    noticed: float


def simulate_answers(
    crowd: Crowd, units: Sequence[Item], truth: Mapping[str, Timeline], *, seed: int
) -> Iterator[Answer[Tags]]:
    """Yield the crowd's answers to every window."""
    from earmark.tasks.events.ask.qualification import admitted

    labels = labels_of(units[0])
    everybody = people(crowd, seed)
    chosen = assign(crowd, batches(units), admitted(crowd, labels, seed), seed=seed)
    audible = {name: _audibility(crowd, line, seed, name) for name, line in truth.items()}
    for index in sorted(chosen):
        unit = units[index]
        events = truth[unit.group].events
        sounding = _sounding(crowd, unit, events, audible[unit.group])
        for person in chosen[index]:
            rng = stream(seed, "answer", unit.id, person)
            skill, kind = float(everybody.skill[person]), int(everybody.kind[person])
            probabilities = [
                tick_probability(crowd, sounding.get(label, ()), skill, kind) for label in labels
            ]
            ticked = rng.random(len(labels)) < np.array(probabilities)
            tags = (label for label, yes in zip(labels, ticked, strict=True) if yes)
            yield Answer(unit.id, everybody.names[person], Tags(frozenset(tags)))


def people(crowd: Crowd, seed: int) -> SimulatedPeople:
    """Draw the people of a crowd."""
    rng = stream(seed, "crowd")
    names = tuple(f"p{k:04d}" for k in range(crowd.people))
    kind = np.full(crowd.people, CAREFUL, dtype=np.int64)
    spammers, careless = round(crowd.spammers * crowd.people), round(crowd.careless * crowd.people)
    shuffled = rng.permutation(crowd.people)
    kind[shuffled[:spammers]] = SPAMMER
    kind[shuffled[spammers : spammers + careless]] = CARELESS
    skill = rng.normal(0.0, crowd.skill_spread, crowd.people)
    busy = np.exp(rng.normal(0.0, crowd.busy_spread, crowd.people))
    return SimulatedPeople(names, skill, kind, busy)


def assign(
    crowd: Crowd, batches: Sequence[Sequence[int]], admitted: Bools, *, seed: int
) -> dict[int, list[int]]:
    """Return the people who answer each window: different ones, busy ones more often.

    Nobody is asked who is not admitted, or who has reached the cap in earlier batches; when too
    few are left, those with the fewest answers go on.
    """
    busy = people(crowd, seed).busy
    rng = stream(seed, "assignment")
    answers = np.zeros(crowd.people, dtype=np.int64)
    chosen: dict[int, list[int]] = {}
    for batch in batches:
        free = admitted & (answers < crowd.cap)
        if free.sum() < crowd.opinions:
            free = admitted & (answers < np.sort(answers[admitted])[crowd.opinions - 1] + 1)
        weight = np.where(free, np.log(busy), -np.inf)
        for window in batch:
            # the largest of log-weights with Gumbel noise are a weighted draw without replacement
            keys = weight + rng.gumbel(size=crowd.people)
            top = np.argpartition(-keys, crowd.opinions - 1)[: crowd.opinions]
            chosen[window] = sorted(top.tolist())
            answers[top] += 1
    return chosen


def _audibility(crowd: Crowd, line: Timeline, seed: int, name: str) -> tuple[float, ...]:
    """Draw one logit per event of a recording."""
    rng = stream(seed, "audibility", name)
    return tuple(rng.normal(crowd.audibility, crowd.audibility_spread, len(line.events)).tolist())


def _sounding(
    crowd: Crowd, unit: Item, events: Sequence[Event], logits: Sequence[float]
) -> dict[str, list[AudibleEvent]]:
    """Return the events of each label that sound in a window."""
    sounding: dict[str, list[AudibleEvent]] = {}
    if unit.span is None:
        return sounding
    for event, logit in zip(events, logits, strict=True):
        shared = min(event.offset, unit.span.end) - max(event.onset, unit.span.start)
        if shared > 0:
            noticed = 1 - math.exp(-shared / crowd.settle)
            sounding.setdefault(event.label, []).append(AudibleEvent(logit, noticed))
    return sounding


def tick_probability(
    crowd: Crowd, events: Sequence[AudibleEvent], skill: float, kind: int
) -> float:
    """Return the probability that a person ticks a label of which these events sound."""
    if kind == SPAMMER:
        return crowd.spam_yes
    silent = 1.0 - crowd.false_yes
    for event in events:
        logit = min(max(event.logit + skill, -CERTAIN), CERTAIN)
        hears = event.noticed / (1 + math.exp(-logit))
        silent *= 1 - hears * (crowd.careless_hears if kind == CARELESS else 1.0)
    return 1 - silent
