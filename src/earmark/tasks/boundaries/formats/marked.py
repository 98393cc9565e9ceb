"""A text as every format gives it: words, what follows each, and when it was said."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from earmark.files.times import Seconds
from earmark.tasks.boundaries.values import Boundaries, Times, Transcript
from earmark.text.words import tokens
from earmark.values.errors import InputError

Units = Literal["lines", "marks"]
LINE = "\n"
# The marks that end a sentence-like unit in the paper: full stop, question mark, exclamation
# mark and semicolon; a comma or a colon does not.
ENDS = ".?!;"


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Words with what follows each: punctuation, and a line feed where the file ends a unit.

    `units` says what ends a unit in this kind of file when nobody says otherwise: its lines (or
    cues, intervals, utterances), or its punctuation marks. A file that holds boundaries but no
    words has empty words.
    """

    words: tuple[str, ...]
    marks: tuple[str, ...]
    times: Times | None = None
    units: Units = "lines"

    def boundaries(self, *, units: Units | None = None, marks: str = ENDS) -> Boundaries:
        """Return where units end: after lines, or after any of the marks; and at the end."""
        ends = LINE if (units or self.units) == "lines" else marks
        after = (k for k, signs in enumerate(self.marks) if any(sign in ends for sign in signs))
        return Boundaries(len(self.words), frozenset(after)).with_final()

    def unread_marks(self) -> int:
        """Return how many sentence marks a text has that is one unit because lines end units.

        0 if it has more units, or fewer than two marks: such a text may be one sentence.
        """
        count = sum(any(sign in ENDS for sign in signs) for signs in self.marks)
        return count if count > 1 and len(self.boundaries().after) == 1 else 0

    @property
    def transcript(self) -> Transcript:
        """The words and their times."""
        return Transcript(self.words, self.times)

    @property
    def has_words(self) -> bool:
        """Whether the file held words, and not only where units end."""
        return any(self.words)

    def only_words(self) -> "MarkedText":
        """Return the text without what has no letter or digit, such as a lone dash.

        The marks of what is left out go to the word before it.
        """
        words: list[str] = []
        marks: list[str] = []
        places = []
        for place, (word, mark) in enumerate(zip(self.words, self.marks, strict=True)):
            if any(sign.isalnum() for sign in word):
                words.append(word)
                marks.append(mark)
                places.append(place)
            elif marks:
                marks[-1] += mark
        times = tuple(self.times[place] for place in places) if self.times else None
        return MarkedText(tuple(words), tuple(marks), times, self.units)


def text_of_lines(lines: Iterable[str], *, units: Units = "lines") -> MarkedText:
    r"""Return the words of lines (or cues, or intervals) with their marks and their lines' ends.

    Examples
    --------
    >>> text_of_lines(["So we went,", "home."]).marks
    ('', '', ',\n', '.\n')
    """
    words: list[str] = []
    marks: list[str] = []
    for line in lines:
        line_tokens = tokens(line)
        words += [token.word for token in line_tokens]
        marks += [token.mark for token in line_tokens]
        if line_tokens:
            marks[-1] += LINE
    return MarkedText(tuple(words), tuple(marks), units=units)


def require_words(text: MarkedText, *, at: object) -> MarkedText:
    """Return the text; raise InputError if it has no word."""
    if text.words:
        return text
    raise InputError(
        "a transcript needs at least one word",
        at=at,
        got="no words",
        fix="check that this is the right file, and that it is not empty",
    )


@dataclass(frozen=True, slots=True)
class TimedUnit:
    """The words of one unit, and when each was said."""

    words: tuple[str, ...]
    times: tuple[Seconds, ...]

    @property
    def start(self) -> float:
        """When its first word starts."""
        return self.times[0].start

    @property
    def end(self) -> float:
        """When its last word ends."""
        return self.times[-1].end

    @property
    def text(self) -> str:
        """Its words, separated by blanks."""
        return " ".join(self.words)


def units_of(transcript: Transcript, boundaries: Boundaries) -> list[tuple[str, ...]]:
    """Return the words of each unit."""
    units = []
    start = 0
    for size in boundaries.sizes:
        units.append(transcript.words[start : start + size])
        start += size
    return units


def timed_units_of(transcript: Transcript, boundaries: Boundaries, *, kind: str) -> list[TimedUnit]:
    """Return the units with times; raise InputError if the words of a `kind` file have none."""
    times = [Seconds(*time) for time in require_times(transcript, kind=kind)]
    units = []
    start = 0
    for words in units_of(transcript, boundaries):
        units.append(TimedUnit(words, tuple(times[start : start + len(words)])))
        start += len(words)
    return units


def require_times(transcript: Transcript, *, kind: str) -> Times:
    """Return the times of the words; raise InputError if they have none."""
    if transcript.times is None:
        raise InputError(
            f"a {kind} file needs the times of the words",
            got="words without times",
            fix="write lines, text or tsv instead",
        )
    return transcript.times
