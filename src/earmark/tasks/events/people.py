"""People beside systems: by the sounds that are in a window, which is all that a person ticks.

Nobody draws a timeline: the reference and the systems' timelines are cut to the windows that a
person answered, and the tags of all three compared.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from earmark.task.people import People
from earmark.values.answer import Ballots

if TYPE_CHECKING:
    from earmark.tasks.events.values import Tags, Timeline


def shown(
    values: "Mapping[str, Timeline]", ballots: "Ballots[Tags]", person: str
) -> "dict[str, Tags]":
    """Return the labels that sound, however briefly, in each window that a person answered."""
    from earmark.tasks.events.reconcile.windows import span
    from earmark.tasks.events.values import Tags

    answered = {answer.item for answer in ballots.answers if answer.person == person}
    tags = {}
    for window in ballots.items:
        if window.id not in answered or window.group not in values:
            continue
        start, end = span(window).start, span(window).end
        events = values[window.group].events
        tags[window.id] = Tags(
            frozenset(event.label for event in events if event.onset < end and event.offset > start)
        )
    return tags


def others(ballots: "Ballots[Tags]", person: str) -> "Ballots[Tags]":
    """Return the others' answers about the recordings of which they answered every window."""
    answers = tuple(answer for answer in ballots.answers if answer.person != person)
    answered = {answer.item for answer in answers}
    open_still = {window.group for window in ballots.items if window.id not in answered}
    windows = tuple(window for window in ballots.items if window.group not in open_still)
    asked = {window.id for window in windows}
    return replace(
        ballots, items=windows, answers=tuple(answer for answer in answers if answer.item in asked)
    )


PEOPLE = People(shown=shown, others=others, metrics=("tag_f1", "tag_precision", "tag_recall"))
