"""Transcripts as a recogniser gives them, words without punctuation; where it was may be the truth.

Sentence ends that a person wrote are the truth. Those of a recogniser, or the absence of any, are
so only if the user says so: otherwise a system would be scored against another's guess.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.task.progress import notify, track
from earmark.task.task import Made
from earmark.tasks.boundaries.alignment import place
from earmark.tasks.boundaries.formats import (
    ALONE,
    ENDS,
    MarkedText,
    Units,
    read_file,
    text_files,
)
from earmark.tasks.boundaries.make.references import read_references, without_marks
from earmark.tasks.boundaries.values import Boundaries, Panel, Transcript, item_of
from earmark.values import checks
from earmark.values.errors import InputError

# What recognisers write; subtitles may be a person's, but nothing in them says so.
RECOGNISED = (".json", ".ctm", ".srt", ".vtt")
BY_MACHINE = "the marks may be a recogniser's guess"
UNMARKED = "no mark ends a unit"
UNWANTED = "as asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptOptions:
    """Which texts transcripts are made from, what ends a unit in them, and who knows."""

    text: tuple[Path, ...] = option(
        (), "A file, or a folder of files, in any format that `measure` reads."
    )
    reference: tuple[Path, ...] = option(
        (),
        "The same texts segmented by people, one file or folder per person, or a folder of such "
        "folders; together they are the truth. Works without --text too.",
    )
    truth: bool | None = option(
        None,
        "Take the text's own marks as the truth, or do not. By default they are if a person can "
        "have written them: not in a recogniser's JSON, CTM or subtitles, nor without any mark.",
    )
    units: Units | None = option(
        None,
        "What ends a unit: every mark of `marks`, or every line. By default marks in --text, and "
        "in a --reference what its format means by itself.",
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
        if self.reference and self.truth is not None:
            raise InputError(
                "the truth is the references', or the text's own marks",
                got="--reference and --truth",
                fix="leave out one of the two",
            )


@dataclass(frozen=True, slots=True)
class _Source:
    """A text to make items from, who segmented it, and why that is no truth, if it is not."""

    name: str
    text: MarkedText
    people: Mapping[str, Boundaries]
    why_no_truth: str = ""


def make_transcripts(
    source: Path | None, options: TranscriptOptions = TranscriptOptions(), *, seed: int
) -> Iterator[Made]:
    """Yield texts without punctuation, capitals and line ends; their sentence ends are the truth.

    Raises
    ------
    InputError
        If no text is named, a file cannot be read, a text has no words, or the references are of
        other texts.
    """
    del seed
    paths = (*options.text, *((source,) if source else ()))
    if not paths and not options.reference:
        raise InputError(
            "transcripts are made from text", fix="name a file with --text, or a --reference"
        )
    sources = [one for path in track(paths, label="texts") for one in _sources(path, options)]
    if options.reference:
        sources = _referenced(sources, options)
    _say_no_truth(sources)
    for one in sources:
        yield from _pieces(one, options.longest)


def _sources(path: Path, options: TranscriptOptions) -> Iterator[_Source]:
    """Yield the texts of a file, or of the files of a folder."""
    for file in text_files(path):
        for name, people in read_file(file, encoding=options.encoding).items():
            words = {who: one.only_words() for who, one in people.items()}
            base = next(iter(words.values()))
            segmented = {
                who: _own_boundaries(base, one, options, at=f"{file}, {who}")
                for who, one in words.items()
            }
            why = "" if options.truth else _why_no_truth(file, words, options)
            yield _Source(file.stem if name == ALONE else name, base, segmented, why)


def _own_boundaries(
    base: MarkedText, text: MarkedText, options: TranscriptOptions, *, at: str
) -> Boundaries:
    own = text.boundaries(units=options.units or "marks", marks=options.marks)
    return place(base, text, own, at=at).boundaries


def _why_no_truth(file: Path, people: Mapping[str, MarkedText], options: TranscriptOptions) -> str:
    if options.truth is False:
        return UNWANTED
    if file.suffix.lower() in RECOGNISED:
        return BY_MACHINE
    units: Units = options.units or "marks"
    unmarked = [without_marks(one, units=units, marks=options.marks) for one in people.values()]
    return UNMARKED if all(unmarked) else ""


def _referenced(sources: list[_Source], options: TranscriptOptions) -> list[_Source]:
    """Return the texts with what the references say of them; without texts, the references'."""
    named = {one.name: one.text for one in sources}
    checks.unique(one.name for one in sources)
    people = read_references(
        options.reference,
        named,
        units=options.units,
        marks=options.marks,
        encoding=options.encoding,
    )
    return [_Source(name, one.base, one.boundaries) for name, one in people.items()]


def _say_no_truth(sources: list[_Source]) -> None:
    """Say how many texts have no truth, why, and what to do."""
    reasons = Counter(one.why_no_truth for one in sources)
    for why in (BY_MACHINE, UNMARKED):
        if reasons[why]:
            notify(
                f"no truth for {reasons[why]} of {len(sources)} texts: {why}. Ask people, give a "
                "--reference, or pass --truth"
            )


def _pieces(source: _Source, longest: int | None) -> Iterator[Made]:
    """Yield the text as one item, or cut where units end."""
    text = source.text
    if not text.words:
        raise InputError("a text needs at least one word", at=source.name)
    cuts = cut_places(next(iter(source.people.values())), longest)
    for number, (start, end) in enumerate(cuts, start=1):
        times = text.times[start:end] if text.times else None
        transcript = Transcript(text.words[start:end], times)
        item = (
            item_of(transcript, source.name)
            if len(cuts) == 1
            else item_of(transcript, f"{source.name}-{number:03}", parent=source.name)
        )
        yield Made(item, None if source.why_no_truth else _truth(source.people, start, end))


def _truth(people: Mapping[str, Boundaries], start: int, end: int) -> Boundaries | Panel:
    """Return one person's boundaries within a piece, or the panel of several."""
    cut = {
        who: Boundaries(
            end - start, frozenset(word - start for word in one.after if start <= word < end)
        ).with_final()
        for who, one in people.items()
    }
    return next(iter(cut.values())) if len(cut) == 1 else Panel(tuple(cut.values()), tuple(cut))


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
