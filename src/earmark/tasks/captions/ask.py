"""Which caption describes the sound better? Pairs of four kinds, four judges, ties allowed.

Judges choose between captions and write none: the people beside the systems are those who wrote the
references, each against what the others wrote.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from earmark.stats.draw import stream
from earmark.tables.answers import AnswerColumns
from earmark.task.options import option
from earmark.task.people import People
from earmark.task.task import Json, Question
from earmark.tasks.captions.values import FIRST, NEITHER, SECOND, Captions, Pair, Preference
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

PAIR = "pair"
WRITER = "writer"  # of references: the first is whoever wrote the first caption of each sound
SECONDS = 20.0  # that a judge takes for a pair; an estimate
# Four judges, as in FENSE; the other values were chosen by hand.
CROWD: Mapping[str, object] = {"opinions": 4, "care": 8.0, "tie": 0.12, "spread": 0.5}
CHOICES = {
    **{"1": FIRST, "-1": SECOND, "0": NEITHER},
    **{FIRST: FIRST, SECOND: SECOND, NEITHER: NEITHER},
    # as Label Studio calls the two sides
    **{"left": FIRST, "right": SECOND},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOptions:
    """Which pairs are drawn."""

    machine_pairs: int = option(3, "Pairs of two machines per sound.")
    pair_seed: int = option(0, "Seed of the draws.")


def pairs(items: Iterable[Item], options: PairOptions = PairOptions()) -> Iterator[Item]:
    """Yield one pair of each kind per sound, and several of two machines; sides are random."""
    sounds = list(items)
    for item in sounds:
        for number, pair in enumerate(_pairs_of(item, sounds, options)):
            yield Item(
                f"{item.id}-{pair.kind}-{number}",
                PAIR,
                media=item.media,
                parent=item.group,
                details={
                    "sound": item.id,
                    "kind": pair.kind,
                    "first": pair.first,
                    "second": pair.second,
                    "first_from": pair.first_from,
                    "second_from": pair.second_from,
                },
            )


def _pairs_of(item: Item, sounds: list[Item], options: PairOptions) -> Iterator[Pair]:
    rng = stream(options.pair_seed, "pairs", item.id)
    human, machine = captions_of(item)
    others = [other for other in sounds if other.id != item.id]
    if len(human) > 1:
        one, two = rng.choice(len(human), size=2, replace=False).tolist()
        yield _random_sides(
            rng, Pair(human[one], human[two], "HC", f"person-{one}", f"person-{two}")
        )
    if others:
        other = others[int(rng.integers(len(others)))]
        wrong = captions_of(other).human
        strange = wrong[int(rng.integers(len(wrong)))]
        right = human[int(rng.integers(len(human)))]
        yield _random_sides(rng, Pair(right, strange, "HI", "person", f"other:{other.id}"))
    names = sorted(machine)
    if names:
        name = names[int(rng.integers(len(names)))]
        right = human[int(rng.integers(len(human)))]
        yield _random_sides(rng, Pair(right, machine[name], "HM", "person", name))
    both = list(combinations(names, 2))
    for chosen in rng.permutation(len(both))[: options.machine_pairs].tolist():
        a, b = both[chosen]
        yield _random_sides(rng, Pair(machine[a], machine[b], "MM", a, b))


class CaptionsBySource(NamedTuple):
    """The captions of a sound by people, and by machines under their names."""

    human: list[str]
    machine: dict[str, str]


def captions_of(item: Item) -> CaptionsBySource:
    """Return the captions of a sound by people and by machines."""
    human = [str(text) for text in _list(item.details.get("captions"))]
    machine = item.details.get("systems") or {}
    if not isinstance(machine, Mapping):
        raise InputError("systems map names to captions", at=f"item {item.id}", got=machine)
    return CaptionsBySource(human, {str(name): str(text) for name, text in machine.items()})


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _random_sides(rng: np.random.Generator, pair: Pair) -> Pair:
    """Swap the captions with probability 1/2, so that neither side is the better one."""
    if rng.random() < 0.5:
        return pair
    return Pair(pair.second, pair.first, pair.kind, pair.second_from, pair.first_from)


def pair_of(unit: Item) -> Pair:
    """Return the pair that a unit asks about."""
    fields = {name: str(unit.details[name]) for name in ("first", "second", "kind")}
    sources = {n: str(unit.details.get(n, "")) for n in ("first_from", "second_from")}
    return Pair(**fields, **sources)


def show(unit: Item) -> Json:
    """Return what the page needs: two captions, without their authors."""
    pair = pair_of(unit)
    return {"first": pair.first, "second": pair.second, "sound": unit.media}


def read(unit: Item, form: Json) -> Preference:
    """Return the value of a filled form."""
    return _choice(str(form.get("winner", "")), at=f"item {unit.id}")


def _choice(text: str, *, at: str) -> Preference:
    if text.strip() not in CHOICES:
        raise InputError(
            "a preference names a winner", at=at, got=text, want="first, second, neither (1, -1, 0)"
        )
    return Preference(CHOICES[text.strip()])


def read_answers(
    path: Path, units: tuple[Item, ...], options: AnswerColumns = AnswerColumns()
) -> Iterator[Answer[Preference]]:
    """Yield the answers of a file: CSV (item, person, winner), MTurk, Prolific, Label Studio."""
    from earmark.ask.imports import AnswerForm, read_rows
    from earmark.ask.label_studio import preferred_side

    for row in read_rows(path, units, AnswerForm(("winner",), "pair"), options):
        said = (
            row.cells["winner"] if row.regions is None else preferred_side(row.regions, at=row.at)
        )
        value = _choice(said, at=row.at)
        yield Answer(row.item, row.person, value, row.seconds_taken, row.given_at)


def simulate(
    units: tuple[Item, ...], truth: Reference[Any], *, crowd: Mapping[str, Any], seed: int
) -> Iterator[Answer[Preference]]:
    """Simulate judges who compare words with the references, with more or less care.

    `care` is the steepness of the logistic function of the difference of ROUGE-L, `tie` the
    difference below which a judge chooses neither, `spread` the standard deviation of log `care`
    over judges.
    """
    from earmark.tasks.captions.score.ngrams.rouge import rouge
    from earmark.tasks.captions.score.ngrams.tokens import tokenise

    for number in range(int(crowd["opinions"])):
        person = f"judge-{number + 1}"
        habit = stream(seed, "judge", person)
        care = float(crowd["care"]) * float(habit.lognormal(0, float(crowd["spread"])))
        for unit in units:
            pair = pair_of(unit)
            texts = truth.values[str(unit.details["sound"])].texts
            scores = []
            for caption in (pair.first, pair.second):
                others = [text for text in texts if text != caption] or texts[:1]
                scores.append(rouge([tokenise(text) for text in others], tokenise(caption)))
            rng = stream(seed, "answer", person, unit.id)
            lean = care * (scores[0] - scores[1]) + float(rng.logistic())
            winner = FIRST if lean > 0 else SECOND
            if abs(lean) < float(crowd["tie"]) * care:
                winner = NEITHER
            yield Answer(unit.id, person, Preference(winner), SECONDS)


def more(ballots: Ballots[Preference], *, seed: int) -> Iterator[tuple[str, float]]:
    """Yield pairs to ask about again by expected information gain, the highest first."""
    from earmark.ask.gain import rank_by_gain

    winners = (FIRST, SECOND, NEITHER)
    return rank_by_gain(
        ballots,
        lambda own: np.array([[float(sum(one.winner == w for one in own)) for w in winners]]),
    )


QUESTION = Question(
    prompt="Which caption describes the sound better?",
    units=pairs,
    show=show,
    read=read,
    read_answers=read_answers,
    simulate=simulate,
    crowd=CROWD,
    seconds=SECONDS,
    more=more,
)


def writers(ballots: Ballots[Any]) -> tuple[str, ...]:
    """Return as many writers as the sound with most captions has."""
    most = max((len(captions_of(item).human) for item in ballots.material), default=0)
    return tuple(f"{WRITER} {number + 1}" for number in range(most))


def own_captions(ballots: Ballots[Any], person: str) -> dict[str, Captions]:
    """Return a writer's caption of each sound that has one."""
    number = int(person.removeprefix(WRITER)) - 1
    texts = {item.id: captions_of(item).human for item in ballots.material}
    return {item: Captions.of(own[number]) for item, own in texts.items() if number < len(own)}


def leave_out(
    values: Mapping[str, Captions], ballots: Ballots[Any], person: str
) -> dict[str, Captions]:
    """Return the references without a writer's; a sound with none left is left out.

    Of two writers who used the same words, the other's stay.
    """
    own = own_captions(ballots, person)
    left = {}
    for item, captions in values.items():
        texts = list(captions.texts)
        if item in own and own[item].texts[0] in texts:
            texts.remove(own[item].texts[0])
        if texts:
            left[item] = Captions(tuple(texts))
    return left


PEOPLE = People(
    names=writers, output=own_captions, leave_out=leave_out, who="writers of the references"
)
