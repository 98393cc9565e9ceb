"""Which caption describes the sound better? Pairs of four kinds, four judges, ties allowed."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark.tables.rows import read_table
from earmark.stats.draw import stream
from earmark.task.task import Json, Question
from earmark.tasks.captions.values import FIRST, KINDS, NEITHER, SECOND, Pair, Preference
from earmark.values import checks
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

PAIR = "pair"
CROWD: Mapping[str, object] = {"opinions": 4, "care": 8.0, "tie": 0.12, "spread": 0.5}
CHOICES = {"1": FIRST, "-1": SECOND, "0": NEITHER, FIRST: FIRST, SECOND: SECOND, NEITHER: NEITHER}


def pairs(items: Iterable[Item], *, machine_pairs: int = 3, pair_seed: int = 0) -> Iterator[Item]:
    """One pair of each kind a sound, and several of two machines, sides drawn at random.

    Parameters
    ----------
    machine_pairs
        Pairs of two machines a sound.
    pair_seed
        Seed of the draws.
    """
    sounds = list(items)
    for item in sounds:
        for number, pair in enumerate(_of_sound(item, sounds, machine_pairs, pair_seed)):
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


def _of_sound(item: Item, sounds: list[Item], most: int, seed: int) -> Iterator[Pair]:
    rng = stream(seed, "pairs", item.id)
    human, machine = said_of(item)
    others = [other for other in sounds if other.id != item.id]
    if len(human) > 1:
        one, two = rng.choice(len(human), size=2, replace=False).tolist()
        yield _turned(rng, Pair(human[one], human[two], "HC", f"person-{one}", f"person-{two}"))
    if others:
        other = others[int(rng.integers(len(others)))]
        wrong = said_of(other)[0]
        strange = wrong[int(rng.integers(len(wrong)))]
        right = human[int(rng.integers(len(human)))]
        yield _turned(rng, Pair(right, strange, "HI", "person", f"other:{other.id}"))
    names = sorted(machine)
    if names:
        name = names[int(rng.integers(len(names)))]
        right = human[int(rng.integers(len(human)))]
        yield _turned(rng, Pair(right, machine[name], "HM", "person", name))
    both = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
    for chosen in rng.permutation(len(both))[:most].tolist():
        a, b = both[chosen]
        yield _turned(rng, Pair(machine[a], machine[b], "MM", a, b))


def said_of(item: Item) -> tuple[list[str], dict[str, str]]:
    """What people and what machines say of a sound."""
    human = [str(text) for text in _list(item.details.get("captions"))]
    machine = item.details.get("systems") or {}
    if not isinstance(machine, Mapping):
        raise InputError("systems map names to captions", at=f"item {item.id}", got=machine)
    return human, {str(name): str(text) for name, text in machine.items()}


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _turned(rng: Any, pair: Pair) -> Pair:
    """In half of the cases the other way round, so that no side is the good one."""
    if rng.random() < 0.5:
        return pair
    return Pair(pair.second, pair.first, pair.kind, pair.second_from, pair.first_from)


def pair_of(unit: Item) -> Pair:
    """The pair that a unit asks about."""
    told = {name: str(unit.details[name]) for name in ("first", "second", "kind")}
    sources = {n: str(unit.details.get(n, "")) for n in ("first_from", "second_from")}
    return Pair(**told, **sources)


def show(unit: Item) -> Json:
    """What the page needs: two captions; who wrote them is not told."""
    pair = pair_of(unit)
    return {"first": pair.first, "second": pair.second, "sound": unit.media}


def read(unit: Item, form: Json) -> Preference:
    """The value of a filled form."""
    return _choice(str(form.get("winner", "")), at=f"item {unit.id}")


def _choice(text: str, *, at: str) -> Preference:
    if text.strip() not in CHOICES:
        raise InputError(
            "a preference names a winner", at=at, got=text, want="first, second, neither (1, -1, 0)"
        )
    return Preference(CHOICES[text.strip()])


def read_answers(path: Path, units: tuple[Item, ...]) -> Iterator[Answer[Preference]]:
    """Answers from a CSV or TSV with item, person and winner."""
    known = {unit.id for unit in units}
    for line, cells in read_table(path, columns=("item", "person", "winner")):
        at = f"{path}:{line}"
        checks.one_of(cells["item"], known, what="item", at=at)
        yield Answer(cells["item"], cells["person"], _choice(cells["winner"], at=at))


def simulate(
    units: tuple[Item, ...], truth: Reference[Any], *, crowd: Mapping[str, Any], seed: int
) -> Iterator[Answer[Preference]]:
    """Judges who compare words with the references, with more or less care.

    `care` is how steeply the difference of ROUGE-L decides, `tie` how near two captions may be
    before a judge says neither, `spread` how much judges differ in care.
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
                left = [tokenise(text) for text in texts if text != caption] or [tokenise(texts[0])]
                scores.append(rouge(tuple(left), tokenise(caption)))
            rng = stream(seed, "answer", person, unit.id)
            lean = care * (scores[0] - scores[1]) + float(rng.logistic())
            winner = NEITHER if abs(lean) < float(crowd["tie"]) * care else ""
            yield Answer(
                unit.id, person, Preference(winner or (FIRST if lean > 0 else SECOND)), 20.0
            )


QUESTION = Question(
    prompt="Which caption describes the sound better?",
    units=pairs,
    show=show,
    read=read,
    read_answers=read_answers,
    simulate=simulate,
    crowd=CROWD,
    seconds=20.0,
)
__all__ = ["KINDS", "QUESTION", "pair_of", "pairs", "said_of"]
