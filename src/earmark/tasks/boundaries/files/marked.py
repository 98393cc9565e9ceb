"""A text as every format gives it: words, what stands after each, and when it was said."""

import math
from dataclasses import dataclass
from typing import Literal

from earmark.tasks.boundaries.values import Boundaries, Times, Transcript
from earmark.values.errors import InputError

Units = Literal["lines", "marks"]
LINE = "\n"
ENDS = ".?!;"


@dataclass(frozen=True, slots=True)
class Marked:
    """Words with what follows each: punctuation, and a line feed where the file ends a unit.

    `units` says what ends a unit in this kind of file when nobody says otherwise: its lines (or
    cues, intervals, utterances), or its marks. A file that holds boundaries but no words has the
    empty word at every place.
    """

    words: tuple[str, ...]
    marks: tuple[str, ...]
    times: Times | None = None
    units: Units = "lines"

    def boundaries(self, *, units: Units | None = None, marks: str = ENDS) -> Boundaries:
        """Where units end: after lines, or after any of these marks; always after the last word."""
        wanted = LINE if (units or self.units) == "lines" else marks
        after = (at for at, found in enumerate(self.marks) if any(m in wanted for m in found))
        return Boundaries(len(self.words), frozenset(after)).with_final()

    @property
    def transcript(self) -> Transcript:
        """The words and their times."""
        return Transcript(self.words, self.times)

    @property
    def has_words(self) -> bool:
        """Whether the file told words, and not only where units end."""
        return any(self.words)

    def only_words(self) -> "Marked":
        """Without what holds no letter or digit, such as a lone dash; its marks move forward."""
        words: list[str] = []
        marks: list[str] = []
        kept = []
        for at, (word, mark) in enumerate(zip(self.words, self.marks, strict=True)):
            if any(sign.isalnum() for sign in word):
                words.append(word)
                marks.append(mark)
                kept.append(at)
            elif marks:
                marks[-1] += mark
        times = tuple(self.times[at] for at in kept) if self.times else None
        return Marked(tuple(words), tuple(marks), times, self.units)


def filled(marked: Marked, *, at: object) -> Marked:
    """The text, when it has a word; an error when it has none."""
    if marked.words:
        return marked
    raise InputError(
        "a transcript needs at least one word",
        at=at,
        got="no words",
        fix="check that this is the right file, and that it is not empty",
    )


def seconds(start: object, end: object, *, at: object) -> tuple[float, float]:
    """Two times as numbers; an error when they are none, or do not go forward."""
    try:
        pair = float(str(start)), float(str(end))
    except ValueError:
        pair = (math.nan, math.nan)
    if not 0 <= pair[0] <= pair[1] < math.inf:
        raise InputError(
            "times are numbers of seconds that go forward", at=at, got=f"{start} to {end}"
        )
    return pair


def needs_times(transcript: Transcript, *, kind: str) -> Times:
    """The times of the words; an error when they have none."""
    if transcript.times is None:
        raise InputError(
            f"a {kind} file tells when words were said",
            got="words without times",
            fix="write lines, text or tsv instead",
        )
    return transcript.times
