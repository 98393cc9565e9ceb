"""An equally skilled machine and person must land within noise of each other on every ceiling.

In every world people of one skill answer, and one more than needed, who is taken out of the answers
to be the machine: nothing but chance sets it apart from the others. The table has means over
worlds: of people, of the machine on the same leave-one-out references, of the machine on the whole
reference (with which one would compare people wrongly), and how often the 95 % interval of the
difference holds 0. `python -m benchmarks.simulate people` prints this table alone.
"""

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from benchmarks.simulate.frame import Part, Row

from earmark.score.build import build_metrics
from earmark.score.evaluate import evaluate_all
from earmark.score.leave_one_out import Asked, leave_each_out
from earmark.score.people import PeopleOptions, beside_people
from earmark.stats.draw import stream
from earmark.task.options import call_with
from earmark.task.people import People
from earmark.tasks import load
from earmark.values.answer import Ballots
from earmark.values.item import Item
from earmark.values.reference import Reference

MACHINE = "machine"
WORDS = "a b c d e f g h i j k l m n o p q r s t u v w x y z".split()
LABELS = ("dog", "horn", "siren", "voices")
TITLE = "people and an equally skilled machine"


class World(NamedTuple):
    """What people answered, what the machine said by item, and the truth where it is scored."""

    ballots: Ballots[Any]
    machine: dict[str, Any]
    truth: Reference[Any]


@dataclass(frozen=True)
class Case:
    """A way of asking, a way of reconciling, and the metric of the ceiling."""

    task: str
    about: str
    world: Callable[[int], World]
    metric: str
    by: str | None = None
    worlds: int = 80
    options: tuple[tuple[str, object], ...] = ()


class Outcome(NamedTuple):
    """Means over worlds."""

    people: float
    machine: float
    whole: float
    difference: float
    error: float
    covered: float

    @property
    def errors(self) -> float:
        """The difference in standard errors of it."""
        return self.difference / self.error


def boundaries(seed: int) -> World:
    """Three people mark five transcripts of 150 words; a sentence has twelve words on average."""
    from earmark.tasks.boundaries.ask import CROWD, pages, simulate
    from earmark.tasks.boundaries.values import Boundaries

    rng = stream(seed, "transcripts")
    items, truth = [], {}
    for number in range(5):
        items.append(Item(f"talk{number}", "transcript", text=" ".join(["word"] * 150)))
        ends = np.flatnonzero(rng.random(150) < 1 / 12).tolist()
        truth[items[-1].id] = Boundaries(150, {*ends, 149})
    units, known = tuple(pages(items)), Reference("truth", truth)
    answers = simulate(units, known, crowd={**CROWD, "opinions": 4, "spread": 0.0}, seed=seed)
    ballots, machine = _taken_out(Ballots(units, tuple(answers), tuple(items)))
    return World(ballots, {answer.item: answer.value for answer in machine}, known)


def context(seed: int) -> World:
    """Three people mark six passages of 60 words in which one of ten does not fit."""
    from earmark.tasks.context.ask import CROWD, simulate, units
    from earmark.tasks.context.values import Swap, Swaps

    rng = stream(seed, "passages")
    items, truth = [], {}
    for number in range(6):
        text = " ".join(["words"] * 60)
        offsets = [place for word in range(60) for place in (6 * word, 6 * word + 5)]
        items.append(Item(f"talk{number}", "passage", text=text, details={"offsets": offsets}))
        places = np.flatnonzero(rng.random(60) < 0.1).tolist()
        swaps = tuple(Swap(place, 0, "a", "b", "NN", 0, 1, 1, 1, 1, 1, 1) for place in places)
        truth[items[-1].id] = Swaps(60, swaps)
    asked, known = tuple(units(tuple(items), _passages())), Reference("truth", truth)
    answers = simulate(asked, known, crowd={**CROWD, "opinions": 4}, seed=seed)
    ballots, machine = _taken_out(Ballots(asked, tuple(answers), tuple(items)))
    return World(ballots, {answer.item: answer.value for answer in machine}, known)


def _passages() -> Any:
    from earmark.tasks.context.ask import UnitOptions

    return UnitOptions(show="passage")


def events(seed: int, *, people: int = 3, opinions: int = 3) -> World:
    """People tick sounds in six recordings of a minute; a window may have fewer than all of them.

    Windows of five seconds follow one another, so that what the machine ticks is a timeline.
    """
    from earmark.tasks.events.ask.crowd import Crowd
    from earmark.tasks.events.ask.question import WindowSizeOptions, simulate, windows
    from earmark.tasks.events.reconcile.windows import span
    from earmark.tasks.events.values import Event, Timeline

    rng = stream(seed, "recordings")
    items, truth = [], {}
    for number in range(6):
        details = {"seconds": 60.0, "labels": list(LABELS)}
        items.append(Item(f"street{number}", "recording", details=details))
        starts = rng.uniform(0, 45, len(LABELS))
        lasts = rng.uniform(2, 15, len(LABELS))
        sounds = zip(LABELS, starts.tolist(), lasts.tolist(), strict=True)
        truth[items[-1].id] = Timeline(60, tuple(Event(k, a, a + b) for k, a, b in sounds))
    units = tuple(windows(items, WindowSizeOptions(window=5.0, hop=5.0)))
    known = Reference("truth", truth)
    size = people + 1
    everybody = Crowd(people=size, opinions=size, spammers=0, careless=0, skill_spread=0, cap=10**6)
    answers = simulate(units, known, crowd=asdict(everybody), seed=seed)
    ballots, machine = _taken_out(Ballots(units, tuple(answers), tuple(items)))
    drawn = {unit.id: rng.permutation(people)[:opinions].tolist() for unit in units}
    names = ballots.people
    some = [a for a in ballots.answers if names.index(a.person) in drawn[a.item]]
    spans = {unit.id: unit for unit in units}
    ticked: dict[str, list[Event]] = {item.id: [] for item in items}
    for answer in machine:
        start, end = span(spans[answer.item]).start, span(spans[answer.item]).end
        ticked[spans[answer.item].group] += [Event(k, start, end) for k in answer.value.labels]
    lines = {item: Timeline(60, tuple(own)) for item, own in ticked.items()}
    return World(replace(ballots, answers=tuple(some)), lines, known)


def crowd(seed: int) -> World:
    """Twelve people, three of whom answer each window."""
    return events(seed, people=12, opinions=3)


def captions(seed: int) -> World:
    """Five writers describe ten sounds; each takes six of the ten words that suit a sound."""
    from earmark.tasks.captions.ask import CROWD, pairs, simulate
    from earmark.tasks.captions.values import Captions

    rng = stream(seed, "sounds")
    items, machine, truth = [], {}, {}
    for number in range(10):
        suits = rng.permutation(WORDS)[:10]
        texts = [" ".join(rng.permutation(suits)[:6].tolist()) for _ in range(6)]
        name = f"sound{number}"
        machine[name] = Captions.of(texts.pop())
        items.append(Item(name, "sound", details={"captions": texts, "systems": {}}))
        truth[name] = Captions(tuple(texts))
    units, known = tuple(pairs(items)), Reference("truth", truth)
    answers = simulate(units, known, crowd=CROWD, seed=seed)
    return World(Ballots(units, tuple(answers), tuple(items)), machine, known)


def trials(seed: int) -> World:
    """Three people judge ten speakers' trials, four of which must wake the device and eight not."""
    from earmark.tasks.keywords.ask.judging import LISTENERS, simulate_listeners, trial_units
    from earmark.tasks.keywords.values import Trial

    items, truth = [], {}
    for speaker in range(10):
        for number in range(12):
            items.append(Item(f"s{speaker}-{number:02d}", "trial", parent=f"s{speaker}"))
            truth[items[-1].id] = Trial(f"s{speaker}", number < 4)
    units, known = tuple(trial_units(items)), Reference("truth", truth)
    four = {**LISTENERS, "people": 4, "opinions": 4, "wakes_to_targets": 0.85}
    answers = simulate_listeners(units, known, crowd=four, seed=seed)
    ballots, machine = _taken_out(Ballots(units, tuple(answers), tuple(items)))
    return World(ballots, {answer.item: answer.value for answer in machine}, known)


def _taken_out(ballots: Ballots[Any]) -> tuple[Ballots[Any], list[Any]]:
    """Return the ballots without the last person, and that person's answers: the machine's."""
    last = ballots.people[-1]
    others = tuple(answer for answer in ballots.answers if answer.person != last)
    return replace(ballots, answers=others), [a for a in ballots.answers if a.person == last]


CASES = (
    Case("boundaries", "consensus of 3", boundaries, "window_f1", "consensus"),
    Case("boundaries", "windows of 3", boundaries, "window_f1", "windows"),
    Case("boundaries", "panel of 3", boundaries, "wisebe", "panel"),
    Case("boundaries", "truth", boundaries, "window_f1"),
    Case("context", "majority of 3", context, "f_at_dev_threshold", "majority"),
    Case("context", "union of 3", context, "f_at_dev_threshold", "union"),
    Case("context", "truth", context, "f_at_dev_threshold"),
    Case("events", "majority of 3", events, "tag_f1", "majority"),
    Case("events", "mace, 3 of 12 a window", crowd, "tag_f1", "mace", 50, (("restarts", 2),)),
    Case("events", "truth, 3 of 12 a window", crowd, "tag_f1", worlds=50),
    Case("captions", "five writers", captions, "rouge_l", worlds=200),
    Case("captions", "preference, five writers", captions, "rouge_l", "preference", 200),
    Case("keywords", "majority of 3", trials, "wake_score", "majority", 200),
    Case("keywords", "truth", trials, "wake_score", worlds=200),
)


def outcome(case: Case) -> Outcome:
    """Return the means over the worlds of a case."""
    rows = np.array([_world(case, seed) for seed in range(case.worlds)])  # (worlds, 6)
    people, machine, whole, difference, low, high = rows.T
    error = float(difference.std(ddof=1) / len(rows) ** 0.5)
    covered = float(np.mean((low <= 0) & (high >= 0)))
    means = [float(column.mean()) for column in (people, machine, whole, difference)]
    return Outcome(*means, error, covered)


def _world(case: Case, seed: int) -> tuple[float, ...]:
    task, world = load(case.task), case.world(seed)
    people = task.people or People()
    reference = world.truth
    if case.by:
        options = dict(case.options)
        made_by = {"verb": "reconcile", "recipe": {"by": case.by, "seed": seed, **options}}
        method = task.reconcile[case.by]
        reconciled = call_with(method, world.ballots, options=options, seed=seed)
        reference = replace(reconciled, made_by=made_by)
    metrics = build_metrics(task, (case.metric,), {})
    asked = Asked(people, task.reconcile, world.ballots, reference, {MACHINE: world.machine})
    # captions are judged in pairs, but sounds are scored, each of which is a group of its own
    asked_by_item = case.task != "captions"
    groups = {unit.id: unit.group for unit in world.ballots.items} if asked_by_item else {}
    rows = beside_people(leave_each_out(asked), PeopleOptions(metrics, groups, 60, seed))
    own = rows["metrics"][case.metric]["people"]
    beside = rows["metrics"][case.metric]["systems"][MACHINE]
    gap = beside["difference"]
    whole = evaluate_all(metrics, *_whole(task, world, reference), resamples=0)[case.metric]
    numbers = (own["value"], beside["value"], whole.value, gap["value"], gap["low"], gap["high"])
    return tuple(0.0 if number is None else float(number) for number in numbers)


def _whole(task: Any, world: World, reference: Reference[Any]) -> tuple[Any, Any]:
    """Return the whole reference and the machine on everything that anybody was shown."""
    if task.name != "events":
        return reference.values, world.machine
    first = replace(world.ballots, answers=tuple(_everything(world.ballots)))
    sides = (reference.values, world.machine)
    return tuple(task.people.shown(side, first, MACHINE) for side in sides)  # type: ignore[return-value]


def _everything(ballots: Ballots[Any]) -> Iterable[Any]:
    """Yield an answer of somebody who was shown every unit."""
    answered = {answer.item: answer for answer in ballots.answers}
    return (replace(answer, person=MACHINE) for answer in answered.values())


COLUMNS = {
    "people": "people",
    "machine": "machine",
    "machine, whole reference": "whole",
    "machine less people": "difference",
    "standard error": "error",
    "intervals with 0": "covered",
    "in standard errors": "errors",
}


def rows() -> Iterator[Row]:
    """Yield the rows of the table; the difference must be within three standard errors of 0."""
    for case in CASES:
        run = functools.partial(outcome, case)
        cells = {column: Part(run, name) for column, name in COLUMNS.items()}
        name = f"{case.task}, {case.about}: {case.metric}"
        yield Row(TITLE, name, cells, low=-3, high=3, must=("in standard errors",))
