"""Many segmentations, one reference: the panel with its agreement, its consensus, its windows."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from earmark.stats import rates
from earmark.task.task import Person
from earmark.tasks.boundaries.score import pairs, panels, windows
from earmark.tasks.boundaries.score.arrays import general, positions
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference


def by_panel(ballots: Ballots[Boundaries], *, seed: int) -> Reference[Panel]:
    """Everybody's boundaries, kept apart: what WiSeBE scores against.

    The doubt of a transcript is 1 less its agreement ratio; a person's competence is the mean F1
    against the others.
    """
    del seed
    found = whole_panels(ballots)
    return Reference(
        "panel",
        found,
        doubt={item: _doubt(panel) for item, panel in found.items()},
        people=competence(found),
        made_by={
            "by": "panel",
            "agreement_ratio": {item: _plain(_agreement(p)) for item, p in found.items()},
            "fleiss_kappa": {item: _plain(_kappa(p)) for item, p in found.items()},
        },
    )


def by_consensus(
    ballots: Ballots[Boundaries], *, seed: int, share: float = 0.5
) -> Reference[Boundaries]:
    """The boundaries that enough people marked.

    Parameters
    ----------
    share
        The share of people that must have marked a word.
    """
    del seed
    if not 0 < share <= 1:
        raise InputError("a share of people lies between 0 and 1", got=share)
    found = whole_panels(ballots)
    values = {
        item: Boundaries(panel.length, frozenset(_agreed(panel, share)))
        for item, panel in found.items()
    }
    return Reference(
        "consensus",
        values,
        doubt={item: _doubt(panel) for item, panel in found.items()},
        people=competence(found),
        made_by={"by": "consensus", "share": share},
    )


def by_windows(ballots: Ballots[Boundaries], *, seed: int, limit: int = 2) -> Reference[Boundaries]:
    """One boundary for each window of neighbouring marks: the word that most people marked.

    Parameters
    ----------
    limit
        Marks at most this many words apart fall into one window.
    """
    del seed
    found = whole_panels(ballots)
    values = {
        item: Boundaries(panel.length, frozenset(_heads(panel, limit)))
        for item, panel in found.items()
    }
    return Reference(
        "windows",
        values,
        doubt={item: _doubt(panel) for item, panel in found.items()},
        people=competence(found),
        made_by={"by": "windows", "limit": limit},
    )


def _agreed(panel: Panel, share: float) -> list[int]:
    return [int(at) for at in pairs.consensus(panel, share=share, final=True)]


def _heads(panel: Panel, limit: int) -> Iterator[int]:
    """The word with most votes in each window; of equals the first."""
    where, votes = general(panel, True)
    first, last = windows.find_windows(panel, limit=limit, final=True)
    low = np.searchsorted(where, first)
    high = np.searchsorted(where, last, side="right")
    for begin, end in zip(low.tolist(), high.tolist(), strict=True):
        yield int(where[begin + int(np.argmax(votes[begin:end]))])


def _agreement(panel: Panel) -> float:
    if len(panel.references) < 2:
        return math.nan
    together, possible = panels.agreement_parts(panel, final=False)
    return rates.proportion(together, of=possible)


def _kappa(panel: Panel) -> float:
    return panels.kappa(*panels.kappa_parts(panel, final=False), people=len(panel.references))


def _doubt(panel: Panel) -> float:
    agreement = _agreement(panel)
    return 1.0 if math.isnan(agreement) else 1 - agreement


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def competence(found: Mapping[str, Panel]) -> dict[str, float]:
    """Each person's mean F1 against the others, over the transcripts they marked."""
    scores: dict[str, list[float]] = {}
    for panel in found.values():
        for person, own in zip(panel.people, panel.references, strict=True):
            mine = positions(own, final=False)
            others = [
                rates.f1(pairs.count_hits(positions(one, final=False), mine))
                for name, one in zip(panel.people, panel.references, strict=True)
                if name != person
            ]
            scores.setdefault(person, []).append(pairs.mean_defined(others))
    means = {person: pairs.mean_defined(values) for person, values in scores.items()}
    return {person: value for person, value in sorted(means.items()) if not math.isnan(value)}


def whole_panels(ballots: Ballots[Boundaries]) -> dict[str, Panel]:
    """The pages put together again: for each transcript, everybody who marked all of it."""
    pages: dict[str, list[Item]] = {}
    for unit in ballots.items:
        pages.setdefault(str(unit.details.get("item", unit.id)), []).append(unit)
    given = {(answer.item, answer.person): answer.value for answer in ballots.answers}
    found = {}
    for item, units in pages.items():
        ordered = sorted(units, key=lambda unit: int(str(unit.details.get("start", 0))))
        people = [p for p in ballots.people if all((u.id, p) in given for u in ordered)]
        if not people:
            raise InputError(
                "a transcript needs one person who marked all of its pages",
                at=f"item {item}",
                fix="collect the missing answers",
            )
        found[item] = Panel(
            tuple(_joined([given[unit.id, person] for unit in ordered]) for person in people),
            tuple(people),
        )
    return found


def _joined(parts: Iterable[Boundaries]) -> Boundaries:
    after: set[int] = set()
    length = 0
    for part in parts:
        after |= {at + length for at in part.after}
        length += part.length
    return Boundaries(length, frozenset(after))


def people_as_systems(ballots: Ballots[Boundaries], reference: Reference[Any]) -> Iterator[Person]:
    """Everybody as a system: against the others where the reference is the panel, else against it.

    The panel's people are left out of it one at a time, so that nobody is scored against
    themselves.
    """
    found = whole_panels(ballots)
    everybody = sorted({person for panel in found.values() for person in panel.people})
    for person in everybody:
        references: dict[str, Any] = {}
        outputs: dict[str, Boundaries] = {}
        for item, panel in found.items():
            held = panel_of(reference.values[item])
            if person not in panel.people or held.people == (person,):
                continue
            references[item] = held.without(person) if person in held.people else held
            outputs[item] = panel.references[panel.people.index(person)]
        if outputs:
            yield Person(person, references, outputs)
