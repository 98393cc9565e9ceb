"""Words, where their sentences end, and several people's opinions of that."""

from collections.abc import Iterable
from dataclasses import dataclass

from earmark.values.errors import InputError

Times = tuple[tuple[float, float], ...]


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
                "a transcript has times for all of its words or for none",
                got=f"{len(self.words)} words, {len(self.times)} times",
            )


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Which of `length` words end a unit: the indices of those words, counted from 0.

    Examples
    --------
    >>> Boundaries(6, [2, 5]).after == frozenset({2, 5})
    True
    """

    length: int
    after: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "after", frozenset(self.after))
        if self.after and not (0 <= min(self.after) and max(self.after) < self.length):
            outside = min(self.after) if min(self.after) < 0 else max(self.after)
            raise InputError(
                "a boundary stands after one of the words",
                got=f"after word {outside} of {self.length}",
                want=f"0 to {self.length - 1}",
            )

    @classmethod
    def of_marks(cls, marks: Iterable[object]) -> "Boundaries":
        """From one truth value per word.

        Examples
        --------
        >>> sorted(Boundaries.of_marks([0, 0, 1, 1]).after)
        [2, 3]
        """
        whole = list(marks)
        return cls(len(whole), frozenset(at for at, mark in enumerate(whole) if mark))

    @classmethod
    def of_sizes(cls, sizes: Iterable[int]) -> "Boundaries":
        """From the number of words in each unit.

        Examples
        --------
        >>> sorted(Boundaries.of_sizes([3, 1]).after)
        [2, 3]
        """
        ends = []
        total = 0
        for size in sizes:
            if size < 1:
                raise InputError("a unit has at least one word", got=size)
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
        """The same without the boundary after the last word."""
        return Boundaries(self.length, self.after - {self.length - 1})

    def with_final(self) -> "Boundaries":
        """The same, and the last word ends a unit."""
        return Boundaries(self.length, self.after | {self.length - 1}) if self.length else self


@dataclass(frozen=True, slots=True)
class Panel:
    """Several people's boundaries over the same words, with their names."""

    references: tuple[Boundaries, ...]
    people: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "references", tuple(self.references))
        names = self.people or tuple(f"reference {n + 1}" for n in range(len(self.references)))
        object.__setattr__(self, "people", tuple(names))
        if not self.references:
            raise InputError("a panel needs at least one reference", fix="name one")
        if len({reference.length for reference in self.references}) > 1:
            raise InputError(
                "references of a panel speak of the same words",
                got=", ".join(f"{reference.length} words" for reference in self.references),
                want="one number of words",
            )
        if len(self.people) != len(self.references):
            raise InputError(
                "every reference of a panel has one name",
                got=f"{len(self.people)} names, {len(self.references)} references",
            )

    @property
    def length(self) -> int:
        """How many words there are."""
        return self.references[0].length

    def without(self, person: str) -> "Panel":
        """The panel without one person; an error when nobody would be left."""
        kept = [
            (reference, name)
            for reference, name in zip(self.references, self.people, strict=True)
            if name != person
        ]
        return Panel(tuple(r for r, _ in kept), tuple(name for _, name in kept))


def panel_of(reference: "Panel | Boundaries") -> Panel:
    """The panel, or a panel of one."""
    return reference if isinstance(reference, Panel) else Panel((reference,), ("reference",))
