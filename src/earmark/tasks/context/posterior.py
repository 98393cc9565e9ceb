"""What else a passage's flags could be: the people who saw it, drawn anew."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Floats
from earmark.reconcile.panel import drawn_people
from earmark.tasks.context.values import Flags
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True)
class FlagPosterior:
    """Everybody's flags of a passage, unit by unit, and the share that marks a word.

    `people[k]` marked `flags[k]`; both have one entry per unit of the passage.
    """

    share: float
    people: tuple[tuple[str, ...], ...]
    flags: tuple[tuple[Flags, ...], ...]

    def __post_init__(self) -> None:
        if [len(row) for row in self.people] != [len(row) for row in self.flags]:
            raise InputError("every person of a unit needs one set of flags")

    def draw(self, value: Flags, *, item: str, seed: int) -> Flags:
        """Return the flags that as many people per unit, drawn with replacement, give."""
        answers: list[Flags] = []
        for people, flags in zip(self.people, self.flags, strict=True):
            own = dict(zip(people, flags, strict=True))
            answers += [own[person] for person in drawn_people(people, seed=seed)]
        return Flags(value.length, marked(answers, share=self.share), value.seen)


def tally(answers: Iterable[Flags]) -> tuple[Floats, Floats]:
    """Return for every token how many marked it and how many saw it; (tokens,) each."""
    flags = list(answers)
    marks, asked = np.zeros(flags[0].length), np.zeros(flags[0].length)
    for one in flags:
        marks[sorted(one.at)] += 1
        for low, high in one.seen:
            asked[low:high] += 1
    return marks, asked


def marked(answers: Iterable[Flags], *, share: float) -> frozenset[int]:
    """Return the tokens that more than a share of those who saw them marked."""
    marks, asked = tally(answers)
    seen = np.flatnonzero(asked)
    return frozenset(int(token) for token in seen[marks[seen] / asked[seen] > share])
