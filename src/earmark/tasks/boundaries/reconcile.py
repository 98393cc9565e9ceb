"""Many segmentations, one reference: the panel with its agreement, its consensus, its windows.

And people beside systems: whoever marked all pages of a transcript has segmented it.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from earmark.stats import rates
from earmark.task.options import option
from earmark.task.people import People
from earmark.tasks.boundaries.score.agreement import count_agreement, kappa
from earmark.tasks.boundaries.score.pairs import consensus, count_hits
from earmark.tasks.boundaries.score.windows import find_windows
from earmark.tasks.boundaries.values import Boundaries, Panel, PanelPosterior
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference
from earmark.values.score import number


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusReferenceOptions:
    """How many people must agree."""

    share: float = option(0.5, "The share of people that must have marked a word.")

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise InputError("share must be > 0 and <= 1", got=self.share)


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowReferenceOptions:
    """What makes a window."""

    limit: int = option(2, "Marks at most this many words apart fall into one window.")

    def __post_init__(self) -> None:
        if self.limit < 0:
            raise InputError("limit must be >= 0", got=self.limit)


def by_panel(ballots: Ballots[Boundaries], *, seed: int) -> Reference[Panel]:
    """Return everybody's boundaries as they are: what WiSeBE scores against.

    The doubt of a transcript is 1 less its agreement ratio; a person's competence is the mean F1
    against the others.
    """
    del seed
    panels = whole_panels(ballots)
    agreement = {item: number(_agreement_ratio(panel)) for item, panel in panels.items()}
    kappas = {item: number(kappa(panel, final=False)) for item, panel in panels.items()}
    made_by = {"by": "panel", "agreement_ratio": agreement, "fleiss_kappa": kappas}
    posterior = dict.fromkeys(panels, PanelPosterior("panel"))
    return replace(_reference("panel", panels, panels, made_by), posterior=posterior)


def by_consensus(
    ballots: Ballots[Boundaries],
    options: ConsensusReferenceOptions = ConsensusReferenceOptions(),
    *,
    seed: int,
) -> Reference[Boundaries]:
    """Return the boundaries that enough people marked."""
    del seed
    panels = whole_panels(ballots)
    share = options.share
    values = {item: agreed_boundaries(panel, share=share) for item, panel in panels.items()}
    reference = _reference("consensus", values, panels, {"by": "consensus", "share": share})
    drawn_from = {item: PanelPosterior("consensus", share, panel) for item, panel in panels.items()}
    return replace(reference, posterior=drawn_from)


def by_windows(
    ballots: Ballots[Boundaries],
    options: WindowReferenceOptions = WindowReferenceOptions(),
    *,
    seed: int,
) -> Reference[Boundaries]:
    """Return one boundary per window of neighbouring marks: the word that most people marked."""
    del seed
    panels = whole_panels(ballots)
    limit = options.limit
    values = {item: window_heads(panel, limit=limit) for item, panel in panels.items()}
    reference = _reference("windows", values, panels, {"by": "windows", "limit": limit})
    drawn_from = {item: PanelPosterior("windows", limit, panel) for item, panel in panels.items()}
    return replace(reference, posterior=drawn_from)


def _reference(
    name: str,
    values: Mapping[str, Any],
    panels: Mapping[str, Panel],
    made_by: Mapping[str, object],
) -> Reference[Any]:
    return Reference(
        name,
        values,
        doubt={item: _doubt(panel) for item, panel in panels.items()},
        people=competence(panels),
        made_by=made_by,
    )


def agreed_boundaries(panel: Panel, *, share: float) -> Boundaries:
    """Return the boundaries that at least this share of a panel marked."""
    words = consensus(panel, share=share, final=True)
    return Boundaries(panel.length, frozenset(words.tolist()))


def window_heads(panel: Panel, *, limit: int) -> Boundaries:
    """Return the word with most votes in each window; of equals the first."""
    words, counts = panel.votes()
    first, last = find_windows(panel, limit=limit, final=True)
    starts = np.searchsorted(words, first)
    ends = np.searchsorted(words, last, side="right")
    heads = [
        int(words[start + int(np.argmax(counts[start:end]))])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return Boundaries(panel.length, frozenset(heads))


def _agreement_ratio(panel: Panel) -> float:
    """Return the agreement ratio without the end of the text; nan with one person."""
    if len(panel.references) < 2:
        return math.nan
    counts = count_agreement(panel, final=False)
    return rates.proportion(counts.votes, of=counts.possible)


def _doubt(panel: Panel) -> float:
    agreement = _agreement_ratio(panel)
    return 1.0 if math.isnan(agreement) else 1 - agreement


def competence(panels: Mapping[str, Panel]) -> dict[str, float]:
    """Return each person's mean F1 against the others, over the transcripts they marked."""
    scores: dict[str, list[float]] = {}
    for panel in panels.values():
        for person, own in zip(panel.people, panel.references, strict=True):
            others = (
                other
                for name, other in zip(panel.people, panel.references, strict=True)
                if name != person
            )
            mean = rates.mean_defined(_f1_without_final(other, own) for other in others)
            scores.setdefault(person, []).append(mean)
    means = {person: rates.mean_defined(values) for person, values in scores.items()}
    return {person: value for person, value in sorted(means.items()) if not math.isnan(value)}


def _f1_without_final(reference: Boundaries, output: Boundaries) -> float:
    hits = count_hits(reference.positions(final=False), output.positions(final=False))
    return rates.f1(hits)


def whole_panels(ballots: Ballots[Boundaries]) -> dict[str, Panel]:
    """Put pages together again: return for each transcript everybody who marked all of it.

    Raises
    ------
    InputError
        If nobody marked all pages of a transcript.
    """
    panels = finished_panels(ballots)
    for item in pages_of(ballots):
        if item not in panels:
            raise InputError(
                "a transcript needs one person who marked all of its pages",
                at=f"item {item}",
                fix="collect the missing answers",
            )
    return panels


def finished_panels(ballots: Ballots[Boundaries]) -> dict[str, Panel]:
    """Return the panels of the transcripts of which somebody marked all pages."""
    answers = {(answer.item, answer.person): answer.value for answer in ballots.answers}
    panels = {}
    for item, units in pages_of(ballots).items():
        people = [p for p in ballots.people if all((unit.id, p) in answers for unit in units)]
        if people:
            panels[item] = Panel(
                tuple(_joined([answers[unit.id, person] for unit in units]) for person in people),
                tuple(people),
            )
    return panels


def pages_of(ballots: Ballots[Boundaries]) -> dict[str, list[Item]]:
    """Return the pages of each transcript, in order."""
    pages: dict[str, list[Item]] = {}
    for unit in ballots.items:
        pages.setdefault(str(unit.details.get("item", unit.id)), []).append(unit)
    return {
        item: sorted(units, key=lambda unit: int(str(unit.details.get("start", 0))))
        for item, units in pages.items()
    }


def _joined(parts: Iterable[Boundaries]) -> Boundaries:
    after: set[int] = set()
    length = 0
    for part in parts:
        after |= {word + length for word in part.after}
        length += part.length
    return Boundaries(length, frozenset(after))


def own_boundaries(ballots: Ballots[Boundaries], person: str) -> dict[str, Boundaries]:
    """Return a person's boundaries in the transcripts of which they marked all pages."""
    panels = finished_panels(ballots)
    return {
        item: panel.of_person(person) for item, panel in panels.items() if person in panel.people
    }


def others(ballots: Ballots[Boundaries], person: str) -> Ballots[Boundaries]:
    """Return the others' answers about the transcripts of which one of them marked all pages."""
    answers = tuple(answer for answer in ballots.answers if answer.person != person)
    finished = finished_panels(replace(ballots, answers=answers))
    pages = pages_of(ballots)
    units = tuple(unit for item in finished for unit in pages[item])
    asked = {unit.id for unit in units}
    return replace(
        ballots, items=units, answers=tuple(answer for answer in answers if answer.item in asked)
    )


PEOPLE = People(output=own_boundaries, others=others)
