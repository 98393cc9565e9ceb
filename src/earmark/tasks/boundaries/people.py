"""People beside systems: whoever marked all pages of a transcript has segmented it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from earmark.task.people import People
from earmark.values.answer import Ballots

if TYPE_CHECKING:
    from earmark.tasks.boundaries.values import Boundaries


def own_boundaries(ballots: "Ballots[Boundaries]", person: str) -> "dict[str, Boundaries]":
    """Return a person's boundaries in the transcripts of which they marked all pages."""
    from earmark.tasks.boundaries.reconcile import finished_panels

    panels = finished_panels(ballots)
    return {
        item: panel.of_person(person) for item, panel in panels.items() if person in panel.people
    }


def others(ballots: "Ballots[Boundaries]", person: str) -> "Ballots[Boundaries]":
    """Return the others' answers about the transcripts of which one of them marked all pages."""
    from earmark.tasks.boundaries.reconcile import finished_panels, pages_of

    answers = tuple(answer for answer in ballots.answers if answer.person != person)
    finished = finished_panels(replace(ballots, answers=answers))
    pages = pages_of(ballots)
    units = tuple(unit for item in finished for unit in pages[item])
    asked = {unit.id for unit in units}
    return replace(
        ballots, items=units, answers=tuple(answer for answer in answers if answer.item in asked)
    )


PEOPLE = People(output=own_boundaries, others=others)
