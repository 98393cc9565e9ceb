"""Transcripts as a recogniser gives them, words without marks; where the marks stood is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from earmark.task.progress import track
from earmark.task.task import Made
from earmark.tasks.boundaries.formats import ENDS, MarkedText, read_texts
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.values.errors import InputError
from earmark.values.item import Item

KIND = "transcript"


def make_transcripts(  # noqa: PLR0913
    source: Path | None,
    *,
    seed: int,
    text: tuple[Path, ...] = (),
    units: Literal["marks", "lines"] = "marks",
    marks: str = ENDS,
    encoding: str = "utf-8",
    longest: int | None = None,
) -> Iterator[Made]:
    """Texts stripped of punctuation, capitals and line ends; where sentences ended is the truth.

    Parameters
    ----------
    text
        A file, or a folder of files, in any format that `measure` reads.
    units
        What ends a unit in the text: every mark of `marks`, or every line.
    marks
        The marks that end a unit.
    encoding
        How plain text is written that is not UTF-8: latin-1, cp1252 ...
    longest
        Cut texts into pieces of at most so many words, at the last unit that ends within.
    """
    del seed
    paths = (*text, *((source,) if source else ()))
    if not paths:
        raise InputError("transcripts are made from text", fix="name a file with --text")
    for path in track(paths, label="texts"):
        for name, people in read_texts(path, encoding=encoding).items():
            identity = path.stem if name == "text" else name
            marked = next(iter(people.values())).only_words()
            yield from _pieces(
                identity, marked, marked.boundaries(units=units, marks=marks), longest
            )


def _pieces(
    name: str, marked: MarkedText, boundaries: Boundaries, longest: int | None
) -> Iterator[Made]:
    """The text as one item, or cut where units end."""
    if not marked.words:
        raise InputError("a text needs at least one word", at=name)
    cuts = cut_places(boundaries, longest)
    for number, (start, end) in enumerate(cuts, start=1):
        words = marked.words[start:end]
        times = marked.times[start:end] if marked.times else None
        after = frozenset(at - start for at in boundaries.after if start <= at < end)
        identity = name if len(cuts) == 1 else f"{name}-{number:03}"
        item = item_of(Transcript(words, times), identity, parent=None if len(cuts) == 1 else name)
        yield Made(item, Boundaries(end - start, after).with_final())


def cut_places(boundaries: Boundaries, longest: int | None) -> list[tuple[int, int]]:
    """Where to cut: after the last unit that ends within `longest` words, or there when none does.

    Examples
    --------
    >>> cut_places(Boundaries(10, {3, 6, 9}), 5)
    [(0, 4), (4, 7), (7, 10)]
    """
    if longest is None or boundaries.length <= longest:
        return [(0, boundaries.length)]
    if longest < 1:
        raise InputError("a piece has at least one word", got=longest)
    ends = sorted(at + 1 for at in boundaries.after)
    cuts, start = [], 0
    while start < boundaries.length:
        inside = [end for end in ends if start < end <= start + longest]
        end = inside[-1] if inside else min(start + longest, boundaries.length)
        cuts.append((start, end))
        start = end
    return cuts


def item_of(transcript: Transcript, name: str, *, parent: str | None = None) -> Item:
    """A transcript as an item: its words as one line of text, its times in the details."""
    details: dict[str, object] = {}
    if transcript.times is not None:
        details["times"] = [list(pair) for pair in transcript.times]
    return Item(name, KIND, text=" ".join(transcript.words), parent=parent, details=details)


def transcript_of(item: Item) -> Transcript:
    """The transcript that an item holds."""
    words = tuple((item.text or "").split())
    if not words:
        raise InputError("a transcript needs at least one word", at=f"item {item.id}")
    times = item.details.get("times")
    if not isinstance(times, list | tuple):
        return Transcript(words)
    return Transcript(words, tuple((float(start), float(end)) for start, end in times))
