"""The flags of several people reconciled into one set."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.stats.rates import proportion
from earmark.task.options import option
from earmark.tasks.context.posterior import FlagPosterior, tally
from earmark.tasks.context.values import Flags, Range
from earmark.values.answer import Answer, Ballots
from earmark.values.checks import within
from earmark.values.item import Item
from earmark.values.reference import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareOptions:
    """How many people must agree."""

    share: float = option(
        0.5, "A word is held to be out of context when more than this share marked it."
    )

    def __post_init__(self) -> None:
        within(self.share, 0, 1, what="share")


def by_share(
    ballots: Ballots[Flags], options: ShareOptions = ShareOptions(), *, seed: int
) -> Reference[Flags]:
    """Mark the words that more than a share of those who saw them marked."""
    return _reference("share", ballots, options.share)


def by_majority(ballots: Ballots[Flags], *, seed: int) -> Reference[Flags]:
    """Mark the words that more than half of those who saw them marked."""
    return _reference("majority", ballots, 0.5)


def by_union(ballots: Ballots[Flags], *, seed: int) -> Reference[Flags]:
    """Mark the words that anybody marked."""
    return _reference("union", ballots, 0.0)


def _reference(name: str, ballots: Ballots[Flags], share: float) -> Reference[Flags]:
    parents = parents_of(ballots)
    values, doubt = {}, {}
    for item, answers in by_passage(ballots.answers, parents).items():
        marks, asked = tally(answer.value for answer in answers)
        seen = np.flatnonzero(asked)
        shares = marks[seen] / asked[seen]
        # twice the smaller of yes and no: 0 when all agree, 1 when opinions are evenly divided
        marked = frozenset(int(token) for token in seen[shares > share])
        values[item] = Flags(answers[0].value.length, marked, joined(answers).seen)
        doubt[item] = float(np.mean(2 * np.minimum(shares, 1 - shares))) if len(seen) else 1.0
    return Reference(
        name,
        values,
        doubt,
        _agreement(ballots, values, parents),
        {"by": name, "share": share},
        _posteriors(ballots, parents, share),
    )


def _posteriors(
    ballots: Ballots[Flags], parents: Mapping[str, str], share: float
) -> dict[str, FlagPosterior]:
    """Return for each passage who marked what in each of its units."""
    posteriors = {}
    for item, answers in by_passage(ballots.answers, parents).items():
        units: dict[str, dict[str, Flags]] = {}
        for answer in answers:
            units.setdefault(answer.item, {})[answer.person] = answer.value
        rows = [dict(sorted(units[unit].items())) for unit in sorted(units)]
        people, flags = tuple(map(tuple, rows)), tuple(tuple(row.values()) for row in rows)
        posteriors[item] = FlagPosterior(share, people, flags)
    return posteriors


def _agreement(
    ballots: Ballots[Flags], values: dict[str, Flags], parents: dict[str, str]
) -> dict[str, float]:
    """Return each person's F1 of marks against the reference; 0 where neither marked anything."""
    agreed, total = defaultdict[str, int](int), defaultdict[str, int](int)
    for answer in ballots.answers:
        reference = values[parents[answer.item]]
        shown = {p for p in reference.at if any(a <= p < b for a, b in answer.value.seen)}
        agreed[answer.person] += len(shown & answer.value.at)
        total[answer.person] += len(shown) + len(answer.value.at)
    return {
        name: proportion(2 * agreed[name], of=total[name]) if total[name] else 0.0
        for name in sorted(total)
    }


def parents_of(ballots: Ballots[Any]) -> dict[str, str]:
    """Return the passage of each question."""
    return {unit.id: _parent(unit) for unit in ballots.items}


def _parent(unit: Item) -> str:
    return unit.parent or unit.id


def by_passage(
    answers: Iterable[Answer[Flags]], parents: Mapping[str, str]
) -> dict[str, list[Answer[Flags]]]:
    """Return the answers to each passage, passages in order."""
    grouped: dict[str, list[Answer[Flags]]] = defaultdict(list)
    for answer in answers:
        grouped[parents[answer.item]].append(answer)
    return dict(sorted(grouped.items()))


def joined(answers: list[Answer[Flags]]) -> Flags:
    """Return all marks of some answers to one passage, and everything that they saw."""
    marked = frozenset(place for answer in answers for place in answer.value.at)
    ranges = sorted({span for answer in answers for span in answer.value.seen})
    return Flags(answers[0].value.length, marked, tuple(_merged(ranges)))


def _merged(ranges: list[Range]) -> list[Range]:
    """Return sorted ranges with those that overlap or touch joined."""
    merged: list[Range] = []
    for low, high in ranges:
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged
