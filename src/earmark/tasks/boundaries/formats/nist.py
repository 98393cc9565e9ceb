"""NIST's formats: CTM, one timed word per line, and RTTM, which has sentence-like units too."""

from bisect import bisect_right
from pathlib import Path
from typing import NamedTuple

from earmark.files.text import read_text
from earmark.files.times import Seconds, read_seconds
from earmark.tasks.boundaries.formats.marked import (
    LINE,
    MarkedText,
    require_times,
    timed_units_of,
)
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import normalise
from earmark.values.errors import InputError

CTM_FIELDS = "file channel start length word [confidence]"
RTTM_FIELDS = "type file channel start length text subtype speaker confidence"
COMMENT = ";;"


class TimedText(NamedTuple):
    """A word, or the kind of a unit, and its time in seconds."""

    start: float
    end: float
    text: str


def read_ctm(path: Path) -> dict[str, MarkedText]:
    """Return the words of each recording; a CTM file has no units."""
    words: dict[str, list[TimedText]] = {}
    for number, fields in _rows(path):
        if len(fields) < 5:
            raise _too_short(path, number, fields, CTM_FIELDS)
        time = _time(path, number, fields[2], fields[3])
        words.setdefault(fields[0], []).append(TimedText(*time, fields[4]))
    return {name: _text(recording, []) for name, recording in words.items()}


def read_rttm(path: Path) -> dict[str, MarkedText]:
    """Return the words of each recording (LEXEME) with its units (SU)."""
    words: dict[str, list[TimedText]] = {}
    units: dict[str, list[TimedText]] = {}
    for number, fields in _rows(path):
        if fields[0] not in ("LEXEME", "SU"):
            continue
        if len(fields) < 7:
            raise _too_short(path, number, fields, RTTM_FIELDS)
        time = _time(path, number, fields[3], fields[4])
        rows, text = (words, fields[5]) if fields[0] == "LEXEME" else (units, fields[6])
        rows.setdefault(fields[1], []).append(TimedText(*time, text))
    return {name: _text(recording, units.get(name, [])) for name, recording in words.items()}


def _text(words: list[TimedText], units: list[TimedText]) -> MarkedText:
    """Return the words in order of time; a unit ends after the last word whose middle is in it."""
    ordered = sorted(words, key=lambda word: (word.start + word.end, word))
    middles = [(word.start + word.end) / 2 for word in ordered]
    ends: dict[int, str] = {}
    for start, end, kind in sorted(units):
        last = bisect_right(middles, end) - 1
        if last >= 0 and middles[last] >= start:
            ends[last] = "?" if kind == "question" else ""
    marks = [ends[place] + LINE if place in ends else "" for place in range(len(ordered))]
    return MarkedText(
        tuple(normalise(word.text) or word.text for word in ordered),
        tuple(marks),
        tuple((word.start, word.end) for word in ordered),
    )


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the number and the fields of each line that is neither blank nor a comment."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    return [
        (number, line.split())
        for number, line in lines
        if line.strip() and not line.lstrip().startswith(COMMENT)
    ]


def _time(path: Path, number: int, start: str, length: str) -> Seconds:
    begin = read_seconds(start, start, at=f"{path}:{number}").start
    return Seconds(begin, begin + read_seconds(0, length, at=f"{path}:{number}").end)


def _too_short(path: Path, number: int, fields: list[str], want: str) -> InputError:
    return InputError(
        "a line has too few fields", at=f"{path}:{number}", got=" ".join(fields), want=want
    )


def write_ctm(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one timed word per line; the format cannot hold the boundaries."""
    times = require_times(transcript, kind="CTM")
    return "".join(
        f"text 1 {start:.3f} {end - start:.3f} {word}\n"
        for word, (start, end) in zip(transcript.words, times, strict=True)
    )


def write_rttm(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return a line per unit, each followed by the lines of its words."""
    lines = []
    for unit in timed_units_of(transcript, boundaries, kind="RTTM"):
        length = unit.end - unit.start
        lines.append(f"SU text 1 {unit.start:.3f} {length:.3f} <NA> statement one <NA>\n")
        lines += [
            f"LEXEME text 1 {time.start:.3f} {time.end - time.start:.3f} {word} lex one <NA>\n"
            for word, time in zip(unit.words, unit.times, strict=True)
        ]
    return "".join(lines)
