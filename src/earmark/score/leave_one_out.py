"""Each person beside the systems, against a reference that the person has no part in.

The reference without a person is made by the method and the options of the reference itself, from
the answers of all others. Systems are scored against the same one, on the same items: two people's
majority is another thing than three people's, and nobody could be compared across the two.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.stats.draw import stream
from earmark.task.options import call_with
from earmark.task.people import People, Sides
from earmark.task.progress import track
from earmark.values import checks
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.values.reference import Reference

# Everybody costs one more reconciling. So many people, drawn at random, give the mean of a crowd
# with a standard error of less than a fifth of the spread between people.
MOST_PEOPLE = 30
NOTHING_LEFT = "nobody else answered what they answered"


@dataclass(frozen=True, slots=True)
class PersonSides:
    """A reference without a person, what the person said, and what each system said, by item.

    `against` names the reference.
    """

    name: str
    against: str
    reference: Sides
    output: Sides
    systems: Mapping[str, Sides]


@dataclass(frozen=True, slots=True)
class Everybody:
    """The people who can be scored, how many there were, and why some of them cannot be.

    `how` says in words what was done to the reference.
    """

    people: int
    sides: tuple[PersonSides, ...]
    left_out: Mapping[str, int]
    how: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Everybody's answers, a reference, the outputs of systems by item, and how people are scored.

    `methods` are the ways of reconciling, by name.
    """

    people: People
    methods: Mapping[str, Callable[..., Reference[Any]]]
    ballots: Ballots[Any]
    reference: Reference[Any]
    systems: Mapping[str, Sides]


def leave_each_out(asked: Asked, *, most: int = MOST_PEOPLE, seed: int = 0) -> Everybody:
    """Return people with references that leave them out; of more than `most`, a random sample."""
    names = asked.people.names(asked.ballots)
    order = sorted(stream(seed, "people").permutation(len(names))[:most].tolist())
    sides: list[PersonSides] = []
    reasons: Counter[str] = Counter()
    for index in track(order, label="people"):
        try:
            own = _sides(asked, names[index])
        except InputError as error:
            reasons[str(error).partition("\n")[0]] += 1
            continue
        if own.reference:
            sides.append(own)
        else:
            reasons[NOTHING_LEFT] += 1
    return Everybody(len(names), tuple(sides), dict(reasons), _how(asked))


def _sides(asked: Asked, name: str) -> PersonSides:
    people, ballots = asked.people, asked.ballots
    output = people.output(ballots, name)
    reference = people.shown(_without(asked, name), ballots, name)
    keys = sorted(set(output) & set(reference))
    systems = {
        system: people.shown(values, ballots, name) for system, values in asked.systems.items()
    }
    is_whole = people.leave_out is None and recipe_of(asked.reference) is None
    against = asked.reference.name
    return PersonSides(
        name,
        against if is_whole else f"{against} without {name}",
        {key: reference[key] for key in keys},
        {key: output[key] for key in keys},
        {system: {key: values[key] for key in keys} for system, values in systems.items()},
    )


def _without(asked: Asked, name: str) -> Sides:
    """Return the reference's values without a person."""
    if asked.people.leave_out:
        return asked.people.leave_out(asked.reference.values, asked.ballots, name)
    recipe = recipe_of(asked.reference)
    if recipe is None:
        return asked.reference.values
    others = asked.people.others(asked.ballots, name)
    if not others.answers:
        return {}
    method = checks.one_of(str(recipe["by"]), asked.methods, what="way of reconciling")
    options = {key: _plural(value) for key, value in recipe.items() if key not in ("by", "seed")}
    again: Reference[Any] = call_with(
        asked.methods[method], others, options=options, seed=recipe["seed"]
    )
    return again.values


def recipe_of(reference: Reference[Any]) -> Mapping[str, Any] | None:
    """Return the method and options that made a reference of answers; None if none did."""
    recipe = reference.made_by.get("recipe")
    if reference.made_by.get("verb") != "reconcile" or not isinstance(recipe, Mapping):
        return None
    return recipe


def _plural(value: object) -> object:
    """Return an option as its record wants it: JSON has lists where a record has tuples."""
    return tuple(value) if isinstance(value, list) else value


def _how(asked: Asked) -> str:
    recipe = recipe_of(asked.reference)
    if asked.people.leave_out:
        return "without what they wrote themselves"
    if recipe is None:
        return "in which no answer of theirs has a part"
    return f"reconciled again by {recipe['by']} from the answers of all others"
