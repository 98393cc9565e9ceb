"""Answers of small crowds for the tests: one that hears everything, and a noisy one."""

from dataclasses import asdict

from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.ask.question import simulate, windows
from earmark.tasks.events.values import Event, Tags, Timeline
from earmark.values.answer import Answer, Ballots
from earmark.values.item import Item
from earmark.values.reference import Reference

LABELS = ("dog", "siren")


def recording(seconds: float = 20.0, name: str = "r") -> Item:
    return Item(name, "recording", details={"seconds": seconds, "labels": list(LABELS)})


def perfect_ballots(truth: Timeline, *, people: int = 3) -> Ballots[Tags]:
    """Everybody hears everything that sounds in a window."""
    item = recording(truth.duration)
    units = tuple(windows([item]))
    answers = []
    for unit in units:
        span = unit.span
        assert span is not None
        labels = {e.label for e in truth.events if e.onset < span.end and e.offset > span.start}
        answers += [Answer(unit.id, f"p{k}", Tags(frozenset(labels))) for k in range(people)]
    return Ballots(units, tuple(answers), (item,))


NOISY_TRUTH = {
    "r": Timeline(60, (Event("dog", 4, 9), Event("siren", 14, 31), Event("dog", 35, 52))),
    "s": Timeline(60, (Event("siren", 2, 6), Event("dog", 20, 24), Event("siren", 40, 58))),
}


def noisy_ballots(seed: int = 1) -> Ballots[Tags]:
    """Sixty people who overlook much, about two recordings of a minute."""
    items = tuple(recording(60.0, name) for name in NOISY_TRUTH)
    units = tuple(windows(items))
    crowd = asdict(Crowd(people=60, cap=999))
    answers = simulate(units, Reference("truth", NOISY_TRUTH), crowd=crowd, seed=seed)
    return Ballots(units, tuple(answers), items)
