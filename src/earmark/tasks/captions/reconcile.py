"""From preferences to references and a ranking of systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.arrays import Floats
from earmark.stats.rates import proportion
from earmark.task.options import option
from earmark.tasks.captions.ask import captions_of, pair_of
from earmark.tasks.captions.values import (
    FIRST,
    NEITHER,
    SECOND,
    ContestPosterior,
    JudgedCaption,
    Preference,
    accepted,
)
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

PERSON = "people"
CONVERGED = 1e-12  # largest change of a strength in the last round


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceOptions:
    """Which references stay."""

    drop_rejected: bool = option(
        True, "Leave out references that lost to a caption of another sound."
    )


def by_preference(
    ballots: Ballots[Any], options: PreferenceOptions = PreferenceOptions(), *, seed: int = 0
) -> Reference[Any]:
    """Return the references without those that lost to a caption of another sound.

    Doubt is one less the mean share of judges who side with the winner of a sound's pairs. People
    are rated by how often they agree with the sum of the others. The winner of each pair and the
    Bradley-Terry strengths of the systems are stored in `made_by`.
    """
    by_unit = votes(ballots)
    winners = {unit: winner_of(list(signs.values())) for unit, signs in by_unit.items()}
    rejected = _rejected(ballots, winners) if options.drop_rejected else {}
    human = {item.id: tuple(captions_of(item).human) for item in ballots.material}
    contests = _contests(ballots, by_unit) if options.drop_rejected else {}
    values = {sound: accepted(human[sound], rejected.get(sound, set())) for sound in human}
    return Reference(
        name="preference",
        values=values,
        doubt=_doubt(ballots, by_unit),
        people=agreement(by_unit),
        made_by={
            "method": "preference",
            "winners": {unit: winner.winner for unit, winner in sorted(winners.items())},
            "margins": {unit: winner.margin for unit, winner in sorted(winners.items())},
            "systems": strengths(ballots),
        },
        posterior={
            sound: ContestPosterior(texts, tuple(contests.get(sound, ())))
            for sound, texts in human.items()
        },
    )


def votes(ballots: Ballots[Any]) -> dict[str, dict[str, int]]:
    """Return unit to person to 1 (first), -1 (second) or 0 (neither)."""
    signs: dict[str, dict[str, int]] = {unit.id: {} for unit in ballots.items}
    for answer in ballots.answers:
        signs[answer.item][answer.person] = answer.value.sign
    return signs


def winner_of(signs: Sequence[int]) -> Preference:
    """Return the winner by the sum of the votes; no vote or an even split is neither.

    Examples
    --------
    >>> winner_of([1, 1, -1, 0])
    Preference(winner='first', margin=1)
    """
    total = sum(signs)
    return Preference(FIRST if total > 0 else SECOND if total < 0 else NEITHER, abs(total))


def agreement(by_unit: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    """Return how often each person sides with the sum of the others; own ties count as wrong."""
    people = sorted({person for signs in by_unit.values() for person in signs})
    shares = {}
    for person in people:
        rows = [
            (signs[person], sum(signs.values()) - signs[person])
            for signs in by_unit.values()
            if person in signs
        ]
        decided = [(own, rest) for own, rest in rows if rest]
        shares[person] = proportion(sum(own * rest > 0 for own, rest in decided), of=len(decided))
    return shares


def _doubt(ballots: Ballots[Any], by_unit: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    by_sound: dict[str, list[float]] = {}
    for unit in ballots.items:
        signs = list(by_unit[unit.id].values())
        if signs:
            total = sum(signs)
            side = (total > 0) - (total < 0)
            agreed = proportion(sum(sign == side for sign in signs), of=len(signs))
            by_sound.setdefault(str(unit.details["sound"]), []).append(1 - agreed)
    return {sound: float(np.mean(values)) for sound, values in by_sound.items()}


def _rejected(ballots: Ballots[Any], winners: Mapping[str, Preference]) -> dict[str, set[str]]:
    """Return the references of each sound that lost to a caption of another sound."""
    rejected: dict[str, set[str]] = {}
    for unit in ballots.items:
        for caption, side in _own_captions(unit):
            if winners[unit.id].sign == -side:
                rejected.setdefault(str(unit.details["sound"]), set()).add(caption)
    return rejected


def _own_captions(unit: Item) -> Iterator[tuple[str, int]]:
    """Yield what of a pair with another sound's caption is a reference: the text, and its sign."""
    pair = pair_of(unit)
    sides = (pair.first, pair.first_from, 1), (pair.second, pair.second_from, -1)
    if pair.kind == "HI":
        yield from ((text, side) for text, by, side in sides if not by.startswith("other:"))


def _contests(
    ballots: Ballots[Any], by_unit: Mapping[str, Mapping[str, int]]
) -> dict[str, list[JudgedCaption]]:
    """Return the votes for and against each reference that met a caption of another sound."""
    contests: dict[str, list[JudgedCaption]] = {}
    for unit in ballots.items:
        signs = dict(sorted(by_unit[unit.id].items()))
        for caption, side in _own_captions(unit):
            contest = JudgedCaption(
                caption, tuple(signs), tuple(side * sign for sign in signs.values())
            )
            contests.setdefault(str(unit.details["sound"]), []).append(contest)
    return contests


def strengths(ballots: Ballots[Any]) -> dict[str, float]:
    """Return Bradley-Terry strengths of machines and people from all answers; they sum to 1."""
    units = {unit.id: pair_of(unit) for unit in ballots.items}
    wins: dict[tuple[str, str], float] = {}
    for answer in ballots.answers:
        pair = units[answer.item]
        if pair.kind in {"HM", "MM"}:
            _tally(wins, pair.first_from, pair.second_from, answer)
    return bradley_terry(wins)


def _tally(wins: dict[tuple[str, str], float], one: str, two: str, answer: Answer[Any]) -> None:
    names = [PERSON if name.startswith("person") else name for name in (one, two)]
    won = {FIRST: (1.0, 0.0), SECOND: (0.0, 1.0), NEITHER: (0.5, 0.5)}[answer.value.winner]
    for a, b, times in ((names[0], names[1], won[0]), (names[1], names[0], won[1])):
        wins[(a, b)] = wins.get((a, b), 0.0) + times


def bradley_terry(
    wins: Mapping[tuple[str, str], float], *, prior: float = 0.1, rounds: int = 1000
) -> dict[str, float]:
    """Return strengths s so that a beats b with probability s_a / (s_a + s_b); a tie is half a win.

    Parameters
    ----------
    prior
        Half of this many wins each way are added to every pair that met, so that nobody is
        infinitely strong.
    rounds
        Most steps of the minorise-maximise iteration (Hunter 2004).

    Examples
    --------
    >>> strengths = bradley_terry({("a", "b"): 3, ("b", "a"): 1}, prior=0.0)
    >>> round(strengths["a"], 3)
    0.75
    """
    names = sorted({name for pair in wins for name in pair})
    if not names:
        return {}
    if prior < 0 or any(times < 0 for times in wins.values()):
        raise InputError("wins and prior are 0 or more", got=prior)
    table = np.zeros((len(names), len(names)))
    for (a, b), times in wins.items():
        table[names.index(a), names.index(b)] += times
    compared = (table + table.T) > 0
    table = table + compared * prior / 2
    values = _iterate(table, rounds)
    return {name: float(value) for name, value in zip(names, values, strict=True)}


def _iterate(table: Floats, rounds: int) -> Floats:
    """Return the strengths that maximise the likelihood of a table of wins (Hunter 2004, MM).

    `table[a, b]` counts wins of a over b; strengths have shape (names,) and sum to 1.
    """
    games = table + table.T
    values = np.full(len(table), 1 / len(table))
    for _ in range(rounds):
        pulls = np.divide(games, values[:, None] + values[None, :]).sum(axis=1)
        new = np.divide(table.sum(axis=1), pulls, out=values.copy(), where=pulls > 0)
        new = new / new.sum() if new.sum() > 0 else values
        done = np.abs(new - values).max() < CONVERGED
        values = new
        if done:
            break
    return values
