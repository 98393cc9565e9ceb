"""From preferences to references and a ranking of systems."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.stats.rates import proportion
from earmark.tasks.captions.ask import pair_of, said_of
from earmark.tasks.captions.values import FIRST, NEITHER, SECOND, Captions, Preference
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.reference import Reference

Floats = NDArray[np.float64]
PERSON = "people"


def by_preference(
    ballots: Ballots[Any], *, seed: int = 0, drop_rejected: bool = True
) -> Reference[Any]:
    """The references, without those that people found worse than a caption of another sound.

    Doubt is one less the mean share of judges who side with the winner of a sound's pairs. People
    are rated by how often they agree with the sum of the others. The winner of each pair and the
    Bradley-Terry strengths of the systems are kept in `made_by`.

    Parameters
    ----------
    drop_rejected
        Leave out references that lost to a caption of another sound.
    """
    given = votes(ballots)
    winners = {unit: winner_of(list(by.values())) for unit, by in given.items()}
    rejected = _rejected(ballots, winners) if drop_rejected else {}
    values = {}
    for item in ballots.material:
        human = said_of(item)[0]
        kept = [text for text in human if text not in rejected.get(item.id, set())]
        values[item.id] = Captions(tuple(kept or human))
    return Reference(
        name="preference",
        values=values,
        doubt=_doubt(ballots, given),
        people=agreement(given),
        made_by={
            "method": "preference",
            "winners": {unit: winner.winner for unit, winner in sorted(winners.items())},
            "margins": {unit: winner.margin for unit, winner in sorted(winners.items())},
            "systems": strengths(ballots),
        },
    )


def votes(ballots: Ballots[Any]) -> dict[str, dict[str, int]]:
    """Unit to person to 1 (first), -1 (second) or 0."""
    found: dict[str, dict[str, int]] = {unit.id: {} for unit in ballots.items}
    for answer in ballots.answers:
        found[answer.item][answer.person] = answer.value.sign
    return found


def winner_of(signs: Sequence[int]) -> Preference:
    """The sum of the votes decides; nothing or an even split is neither.

    Examples
    --------
    >>> winner_of([1, 1, -1, 0])
    Preference(winner='first', margin=1)
    """
    total = sum(signs)
    return Preference(FIRST if total > 0 else SECOND if total < 0 else NEITHER, abs(total))


def agreement(given: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    """How often each person sides with the sum of the others, own ties counting as wrong."""
    people = sorted({person for by in given.values() for person in by})
    found = {}
    for person in people:
        rows = [
            (by[person], sum(by.values()) - by[person]) for by in given.values() if person in by
        ]
        decided = [(own, rest) for own, rest in rows if rest]
        found[person] = proportion(sum(own * rest > 0 for own, rest in decided), of=len(decided))
    return found


def _doubt(ballots: Ballots[Any], given: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    by_sound: dict[str, list[float]] = {}
    for unit in ballots.items:
        signs = list(given[unit.id].values())
        if signs:
            total = sum(signs)
            side = (total > 0) - (total < 0)
            agreed = proportion(sum(sign == side for sign in signs), of=len(signs))
            by_sound.setdefault(str(unit.details["sound"]), []).append(1 - agreed)
    return {sound: float(np.mean(values)) for sound, values in by_sound.items()}


def _rejected(ballots: Ballots[Any], winners: Mapping[str, Preference]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for unit in ballots.items:
        pair = pair_of(unit)
        if pair.kind != "HI" or winners[unit.id].winner == NEITHER:
            continue
        first_won = winners[unit.id].winner == FIRST
        lost, lost_from = (
            (pair.second, pair.second_from) if first_won else (pair.first, pair.first_from)
        )
        if not lost_from.startswith("other:"):
            found.setdefault(str(unit.details["sound"]), set()).add(lost)
    return found


def strengths(ballots: Ballots[Any]) -> dict[str, float]:
    """Bradley-Terry strengths of machines and people from all judges' answers; they sum to 1."""
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
    """How strong each is, so that a beats b with chance s_a / (s_a + s_b); a tie is half a win.

    Parameters
    ----------
    prior
        Half of this many wins each way are added to every pair that met, so that nobody is
        infinitely strong.
    rounds
        Most steps of the minorise-maximise iteration (Hunter 2004).

    Examples
    --------
    >>> found = bradley_terry({("a", "b"): 3, ("b", "a"): 1}, prior=0.0)
    >>> round(found["a"], 3)
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
    met = (table + table.T) > 0
    table = table + met * prior / 2
    values = _iterate(table, rounds)
    return {name: float(value) for name, value in zip(names, values, strict=True)}


def _iterate(table: Floats, rounds: int) -> Floats:
    games = table + table.T
    values = np.full(len(table), 1 / len(table))
    for _ in range(rounds):
        pulls = np.divide(games, values[:, None] + values[None, :]).sum(axis=1)
        new = np.divide(table.sum(axis=1), pulls, out=values.copy(), where=pulls > 0)
        new = new / new.sum() if new.sum() > 0 else values
        done = np.abs(new - values).max() < 1e-12
        values = new
        if done:
            break
    return values
