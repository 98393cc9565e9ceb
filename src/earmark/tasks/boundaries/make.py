"""Transcripts as a recogniser gives them, words without punctuation; where it was is the truth."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from earmark.task.options import option
from earmark.task.progress import track
from earmark.task.task import Made
from earmark.tasks.boundaries.formats import ENDS, MarkedText, read_texts
from earmark.tasks.boundaries.values import Boundaries, Transcript, item_of
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptOptions:
    """Which texts transcripts are made from, and what ends a unit in them."""

    text: tuple[Path, ...] = option(
        (), "A file, or a folder of files, in any format that `measure` reads."
    )
    units: Literal["marks", "lines"] = option(
        "marks", "What ends a unit in the text: every mark of `marks`, or every line."
    )
    marks: str = option(ENDS, "The marks that end a unit.")
    encoding: str = option(
        "utf-8", "How plain text is written that is not UTF-8: latin-1, cp1252 ..."
    )
    longest: int | None = option(
        None, "Cut texts into pieces of at most so many words, at the last unit that ends within."
    )

    def __post_init__(self) -> None:
        if self.longest is not None and self.longest < 1:
            raise InputError("longest must be >= 1", got=self.longest)


def make_transcripts(
    source: Path | None, options: TranscriptOptions = TranscriptOptions(), *, seed: int
) -> Iterator[Made]:
    """Yield texts without punctuation, capitals and line ends; their sentence ends are the truth.

    Raises
    ------
    InputError
        If no text is named, a file cannot be read, or a text has no words.
    """
    del seed
    paths = (*options.text, *((source,) if source else ()))
    if not paths:
        raise InputError("transcripts are made from text", fix="name a file with --text")
    for path in track(paths, label="texts"):
        for name, people in read_texts(path, encoding=options.encoding).items():
            text = next(iter(people.values())).only_words()
            yield from _pieces(path.stem if name == "text" else name, text, options)


def _pieces(name: str, text: MarkedText, options: TranscriptOptions) -> Iterator[Made]:
    """Yield the text as one item, or cut where units end."""
    if not text.words:
        raise InputError("a text needs at least one word", at=name)
    boundaries = text.boundaries(units=options.units, marks=options.marks)
    cuts = cut_places(boundaries, options.longest)
    for number, (start, end) in enumerate(cuts, start=1):
        times = text.times[start:end] if text.times else None
        transcript = Transcript(text.words[start:end], times)
        after = frozenset(word - start for word in boundaries.after if start <= word < end)
        item = (
            item_of(transcript, name)
            if len(cuts) == 1
            else item_of(transcript, f"{name}-{number:03}", parent=name)
        )
        yield Made(item, Boundaries(end - start, after).with_final())


def cut_places(boundaries: Boundaries, longest: int | None) -> list[tuple[int, int]]:
    """Return where pieces start and end: after the last unit that ends within `longest` words.

    Where no unit ends within, a piece has exactly `longest` words.

    Examples
    --------
    >>> cut_places(Boundaries(10, {3, 6, 9}), 5)
    [(0, 4), (4, 7), (7, 10)]
    """
    if longest is None or boundaries.length <= longest:
        return [(0, boundaries.length)]
    ends = sorted(word + 1 for word in boundaries.after)
    cuts, start = [], 0
    while start < boundaries.length:
        inside = [end for end in ends if start < end <= start + longest]
        end = inside[-1] if inside else min(start + longest, boundaries.length)
        cuts.append((start, end))
        start = end
    return cuts
