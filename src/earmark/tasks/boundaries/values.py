"""Words, where their sentences end, and several people's opinions of that."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from earmark.arrays import Ints
from earmark.reconcile.panel import drawn_people
from earmark.values.errors import InputError
from earmark.values.item import Item

Times = tuple[tuple[float, float], ...]
TRANSCRIPT = "transcript"
PanelMethod = Literal["panel", "consensus", "windows"]


@dataclass(frozen=True, slots=True)
class Transcript:
    """The words of a talk, and when each was said where that is known."""

    words: tuple[str, ...]
    times: Times | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", tuple(self.words))
        if self.times is None:
            return
        object.__setattr__(self, "times", tuple((start, end) for start, end in self.times))
        if len(self.times) != len(self.words):
            raise InputError(
                "a transcript must have times for all of its words or for none",
                got=f"{len(self.words)} words, {len(self.times)} times",
            )


@dataclass(frozen=True, init=False)
class Boundaries:
    """Which of `length` words end a unit: the indices of those words, counted from 0.

    Examples
    --------
    >>> Boundaries(6, [2, 5]).after == frozenset({2, 5})
    True
    """

    length: int
    after: frozenset[int]

    def __init__(self, length: int, after: Iterable[int] = ()) -> None:
        object.__setattr__(self, "length", length)
        object.__setattr__(self, "after", frozenset(after))
        if self.after and not (0 <= min(self.after) and max(self.after) < self.length):
            outside = min(self.after) if min(self.after) < 0 else max(self.after)
            raise InputError(
                "a boundary must come after one of the words",
                got=f"after word {outside} of {self.length}",
                want=f"0 to {self.length - 1}",
            )

    @classmethod
    def of_marks(cls, marks: Iterable[object]) -> "Boundaries":
        """Return the boundaries given by one truth value per word.

        Examples
        --------
        >>> sorted(Boundaries.of_marks([0, 0, 1, 1]).after)
        [2, 3]
        """
        flags = list(marks)
        return cls(len(flags), frozenset(word for word, flag in enumerate(flags) if flag))

    @classmethod
    def of_sizes(cls, sizes: Iterable[int]) -> "Boundaries":
        """Return the boundaries given by the number of words in each unit.

        Examples
        --------
        >>> sorted(Boundaries.of_sizes([3, 1]).after)
        [2, 3]
        """
        ends = []
        total = 0
        for size in sizes:
            if size < 1:
                raise InputError("a unit must have at least one word", got=size)
            total += size
            ends.append(total - 1)
        return cls(total, frozenset(ends))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many words each unit has; the last unit ends with the text."""
        if not self.length:
            return ()
        ends = sorted(self.after | {self.length - 1})
        return tuple(end - start for start, end in zip([-1, *ends[:-1]], ends, strict=True))

    def without_final(self) -> "Boundaries":
        """Return the same boundaries without the one after the last word."""
        return Boundaries(self.length, self.after - {self.length - 1})

    def with_final(self) -> "Boundaries":
        """Return the same boundaries and one after the last word."""
        return Boundaries(self.length, self.after | {self.length - 1}) if self.length else self

    def positions(self, *, final: bool = True) -> Ints:
        """Return the words that end a unit, ascending; without the text's last if not `final`."""
        if not final and self.length - 1 in self.after:
            return self._positions[:-1]
        return self._positions

    # Every metric starts from the sorted positions, so they are computed once per value. This is
    # why the class has no slots.
    @cached_property
    def _positions(self) -> Ints:  # (boundaries,)
        positions = np.fromiter(self.after, dtype=np.int64, count=len(self.after))
        positions.sort()
        positions.setflags(write=False)
        return positions


class Votes(NamedTuple):
    """The words that somebody marked, ascending, and how many people marked each."""

    words: Ints  # (marked words,)
    counts: Ints  # (marked words,)


@dataclass(frozen=True)
class Panel:
    """Several people's boundaries over the same words, with their names."""

    references: tuple[Boundaries, ...]
    people: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "references", tuple(self.references))
        object.__setattr__(self, "people", tuple(self.people or _numbered(len(self.references))))
        if not self.references:
            raise InputError("a panel needs at least one reference", fix="name one")
        if len({reference.length for reference in self.references}) > 1:
            raise InputError(
                "the references of a panel must be about the same words",
                got=", ".join(f"{reference.length} words" for reference in self.references),
                want="one number of words",
            )
        if len(self.people) != len(self.references):
            raise InputError(
                "every reference of a panel must have one name",
                got=f"{len(self.people)} names, {len(self.references)} references",
            )

    @property
    def length(self) -> int:
        """How many words there are."""
        return self.references[0].length

    def of_person(self, person: str) -> Boundaries:
        """Return one person's boundaries."""
        return self.references[self.people.index(person)]

    def without(self, person: str) -> "Panel":
        """Return the panel without one person; raise InputError if nobody would be left."""
        others = [
            (reference, name)
            for reference, name in zip(self.references, self.people, strict=True)
            if name != person
        ]
        return Panel(tuple(r for r, _ in others), tuple(name for _, name in others))

    def in_one_order(self) -> "Panel":
        """Return the panel sorted by name, and by content where names are but numbers.

        No metric depends on the order of people, so digests must not either.
        """
        pairs = list(zip(self.people, self.references, strict=True))
        if self.people == _numbered(len(pairs)):
            ordered = sorted(self.references, key=lambda one: sorted(one.after))
            return Panel(tuple(ordered), self.people)
        pairs.sort(key=lambda pair: pair[0])
        return Panel(tuple(one for _, one in pairs), tuple(name for name, _ in pairs))

    def votes(self, *, final: bool = True) -> Votes:
        """Return the paper's general reference (eq. 4), without the words that nobody marked.

        Unless `final`, the last word of the text is left out.
        """
        words, counts = self._votes
        if not final and len(words) and words[-1] == self.length - 1:
            return Votes(words[:-1], counts[:-1])
        return self._votes

    # As for Boundaries._positions: every metric on panels starts from the votes.
    @cached_property
    def _votes(self) -> Votes:
        marked = np.concatenate([reference.positions() for reference in self.references])
        words, counts = np.unique(marked, return_counts=True)
        return Votes(words, counts.astype(np.int64))


@dataclass(frozen=True, slots=True)
class PanelPosterior:
    """The people of a transcript, and how their boundaries were made one.

    `setting` is the share of a consensus or the limit of windows; `panel` is left out where the
    reference itself is the panel.
    """

    by: PanelMethod
    setting: float = 0.0
    panel: Panel | None = None

    def __post_init__(self) -> None:
        if self.by not in get_args(PanelMethod) or (self.panel is None) != (self.by == "panel"):
            raise InputError("a posterior of boundaries needs its method and its panel")

    def draw(self, value: Panel | Boundaries, *, item: str, seed: int) -> Panel | Boundaries:
        """Return the reference that a panel of as many people, drawn with replacement, gives."""
        from earmark.tasks.boundaries.reconcile import agreed_boundaries, window_heads

        panel = drawn_panel(self.panel or _panel(value, item), seed=seed)
        if self.by == "consensus":
            return agreed_boundaries(panel, share=self.setting)
        return window_heads(panel, limit=int(self.setting)) if self.by == "windows" else panel


def drawn_panel(panel: Panel, *, seed: int) -> Panel:
    """Return the panel with its people drawn with replacement; who is drawn twice has two votes."""
    drawn = drawn_people(panel.people, seed=seed)
    times = [drawn[:k].count(person) for k, person in enumerate(drawn)]
    names = [f"{p} ({n + 1})" if n else p for p, n in zip(drawn, times, strict=True)]
    return Panel(tuple(panel.of_person(person) for person in drawn), tuple(names))


def _panel(value: Panel | Boundaries, item: str) -> Panel:
    if isinstance(value, Panel):
        return value
    raise InputError("the reference of this transcript must be a panel", at=f"item {item}")


def _numbered(people: int) -> tuple[str, ...]:
    return tuple(f"reference {n + 1}" for n in range(people))


def panel_of(reference: "Panel | Boundaries") -> Panel:
    """Return the panel, or a panel of one."""
    return reference if isinstance(reference, Panel) else Panel((reference,), ("reference",))


def require_same_length(panel: Panel, output: Boundaries) -> None:
    """Raise InputError if the two sides differ in their number of words."""
    if panel.length != output.length:
        raise InputError(
            "reference and output must have the same words",
            got=f"{panel.length} words in the reference, {output.length} in the output",
            fix="align them first: earmark measure boundaries does",
        )


def item_of(transcript: Transcript, name: str, *, parent: str | None = None) -> Item:
    """Return a transcript as an item: its words as one line of text, its times in the details."""
    details: dict[str, object] = {}
    if transcript.times is not None:
        details["times"] = [list(pair) for pair in transcript.times]
    return Item(name, TRANSCRIPT, text=" ".join(transcript.words), parent=parent, details=details)


def transcript_of(item: Item) -> Transcript:
    """Return the transcript that an item holds."""
    words = tuple((item.text or "").split())
    if not words:
        raise InputError("a transcript needs at least one word", at=f"item {item.id}")
    times = item.details.get("times")
    if not isinstance(times, list | tuple):
        return Transcript(words)
    return Transcript(words, tuple((float(start), float(end)) for start, end in times))


def talks(reference: Mapping[str, object]) -> dict[str, str]:
    """Return the talk of each text: its name without the number that `make` gives to a part.

    Examples
    --------
    >>> talks({"monday-001": None, "monday-002": None, "friday": None})
    {'monday-001': 'monday', 'monday-002': 'monday', 'friday': 'friday'}
    """
    return {name: re.sub(r"-\d{3,}$", "", name) for name in reference}
