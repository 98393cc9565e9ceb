"""What a crowd listens to, and who of it answers which window: the part all processes share.

Nothing here is taken from the package's simulated crowd (`tasks/events/ask/simulation`): only the
soundscapes are planned by the package, which says what is true and nothing about people.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.stats.draw import stream
from earmark.tasks.events.ask.question import windows
from earmark.tasks.events.make.clips import synthesised_clips
from earmark.tasks.events.make.plan import PlannedEvent, plan, timeline_of
from earmark.tasks.events.make.soundscapes import SoundscapeOptions
from earmark.tasks.events.values import Tags, Timeline
from earmark.values.answer import Answer, Ballots
from earmark.values.item import Item

WINDOW = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Recordings, their windows and events as arrays."""

    truth: Mapping[str, Timeline]
    items: tuple[Item, ...]
    windows: tuple[Item, ...]
    labels: tuple[str, ...]
    label: Ints  # (events,): place in `labels`
    level_db: Floats  # (events,): over the background, 0 to 20
    enters: Floats  # (windows, events): seconds into the window at which the event is first heard
    leaves: Floats  # (windows, events): seconds into the window at which it is last heard
    begins: Floats  # (windows, events): seconds from the window's start to the event's, or nan
    ends: Floats  # (windows, events): seconds from the window's start to the event's end, or nan

    @property
    def goes_on(self) -> Bools:
        """Whether each event began before each window, and sounds in it: (windows, events)."""
        return np.asarray((self.begins < 0) & (self.ends > 0))

    @property
    def overlap(self) -> Floats:
        """Seconds of each event in each window, (windows, events)."""
        return np.maximum(self.leaves - self.enters, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Who answers which window, and as their how-manieth answer; one entry per answer."""

    window: Ints
    person: Ints
    order: Ints
    people: int


# Which labels each answer ticks, (answers, labels), given the scene and the work.
Process = Callable[[Scene, Work, np.random.Generator], Bools]


def make_scene(seed: int, *, recordings: int, seconds: float) -> Scene:
    """Plan soundscapes as `earmark make events` would, without synthesising them."""
    options = SoundscapeOptions(seconds=seconds)
    clips = synthesised_clips(options.rate, seed)
    plans = {
        f"soundscape-{k:02d}": plan(options, clips, stream(seed, "soundscape", k))
        for k in range(recordings)
    }
    truth = {name: timeline_of(planned, seconds) for name, planned in plans.items()}
    labels = tuple(sorted(clips.labels))
    details: dict[str, object] = {"seconds": seconds, "labels": list(labels)}
    items = tuple(Item(name, "recording", details=details) for name in truth)
    units = tuple(windows(items))
    begins, ends = _times_in_windows(units, plans)
    here = ~np.isnan(begins)
    events = [each for planned in plans.values() for each in planned]
    return Scene(
        truth=truth,
        items=items,
        windows=units,
        labels=labels,
        label=np.array([labels.index(each.event.label) for each in events]),
        level_db=np.array([each.level_db for each in events]),
        enters=np.where(here, np.clip(begins, 0.0, WINDOW), WINDOW),
        leaves=np.where(here, np.clip(ends, 0.0, WINDOW), 0.0),
        begins=begins,
        ends=ends,
    )


def _times_in_windows(
    units: tuple[Item, ...], plans: Mapping[str, tuple[PlannedEvent, ...]]
) -> tuple[Floats, Floats]:
    """Return when each event begins and ends, from each window's start on; nan in others' windows.

    Both are (windows, events).
    """
    starts = np.array([unit.span.start if unit.span else 0.0 for unit in units])[:, None]
    group = np.array([unit.group for unit in units])[:, None]
    rows = [(name, each.event) for name, planned in plans.items() for each in planned]
    here = group == np.array([name for name, _ in rows])[None]
    times = (
        np.array([event.onset for _, event in rows]),
        np.array([event.offset for _, event in rows]),
    )
    begins, ends = (np.where(here, each[None] - starts, np.nan) for each in times)
    return begins, ends


def share_work(scene: Scene, rng: np.random.Generator, *, people: int, opinions: int) -> Work:
    """Give each window `opinions` different people, some busier, each in an order of theirs."""
    busy = np.exp(rng.normal(0.0, 0.6, people))
    keys = np.log(busy) + rng.gumbel(size=(len(scene.windows), people))
    chosen = np.sort(np.argsort(-keys, axis=1)[:, :opinions], axis=1)
    window = np.repeat(np.arange(len(scene.windows)), opinions)
    person = chosen.ravel()
    order = np.zeros(len(window), dtype=np.int64)
    for who in range(people):
        own = np.flatnonzero(person == who)
        order[rng.permutation(own)] = np.arange(len(own))
    return Work(window, person, order, people)


def ballots_of(scene: Scene, work: Work, yes: Bools) -> Ballots[Tags]:
    """Return the ticks as ballots."""
    answers = tuple(
        Answer(
            scene.windows[window].id,
            f"p{person:03d}",
            Tags(frozenset(label for label, tick in zip(scene.labels, row, strict=True) if tick)),
        )
        for window, person, row in zip(work.window, work.person, yes.tolist(), strict=True)
    )
    return Ballots(scene.windows, answers, scene.items)


def first_ballots(ballots: Ballots[Tags], opinions: int) -> Ballots[Tags]:
    """Return the first so many answers to each window; they are sorted by person, not by merit."""
    asked: dict[str, int] = {}
    answers = []
    for answer in ballots.answers:
        asked[answer.item] = asked.get(answer.item, 0) + 1
        if asked[answer.item] <= opinions:
            answers.append(answer)
    return Ballots(ballots.items, tuple(answers), ballots.material)


def heard(scene: Scene, work: Work, probability: Floats, rng: np.random.Generator) -> Bools:
    """Return which labels are ticked when each answer hears each event with that probability.

    `probability` is (answers, events) and counts only where the event sounds in the window.
    """
    hears = (rng.random(probability.shape) < probability) & (scene.overlap[work.window] > 0)
    yes = np.zeros((len(work.window), len(scene.labels)), dtype=np.bool_)
    for k in range(len(scene.labels)):
        yes[:, k] = hears[:, scene.label == k].any(axis=1)
    return yes


def false_ticks(work: Work, labels: int, share: float | Floats, rng: np.random.Generator) -> Bools:
    """Return ticks that have no cause, each with probability `share`."""
    return np.asarray(rng.random((len(work.window), labels)) < share)
