"""NIST's formats: CTM, a timed word a line, and RTTM, with sentence-like units."""

from bisect import bisect_right
from pathlib import Path

from earmark.files.text import read_text
from earmark.tasks.boundaries.files.marked import LINE, Marked, needs_times, seconds
from earmark.tasks.boundaries.files.plain import units
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import normalise
from earmark.values.errors import InputError

Timed = tuple[float, float, str]
CTM_WANTS = "file channel start length word [confidence]"
RTTM_WANTS = "type file channel start length text subtype speaker confidence"


def read_ctm(path: Path) -> dict[str, Marked]:
    """The words of each recording; a CTM file says nothing of units."""
    found: dict[str, list[Timed]] = {}
    for number, fields in _rows(path, comment=";;"):
        if len(fields) < 5:
            raise _short(path, number, fields, CTM_WANTS)
        start, length = _times(path, number, fields[2:4])
        found.setdefault(fields[0], []).append((start, start + length, fields[4]))
    return {name: _marked(words, []) for name, words in found.items()}


def read_rttm(path: Path) -> dict[str, Marked]:
    """The words of each recording (LEXEME), and its units (SU)."""
    words: dict[str, list[Timed]] = {}
    spans: dict[str, list[Timed]] = {}
    for number, fields in _rows(path, comment=";;"):
        if fields[0] not in ("LEXEME", "SU"):
            continue
        if len(fields) < 7:
            raise _short(path, number, fields, RTTM_WANTS)
        start, length = _times(path, number, fields[3:5])
        rows = words if fields[0] == "LEXEME" else spans
        told = fields[5] if fields[0] == "LEXEME" else fields[6]
        rows.setdefault(fields[1], []).append((start, start + length, told))
    return {name: _marked(rows, spans.get(name, [])) for name, rows in words.items()}


def _marked(words: list[Timed], spans: list[Timed]) -> Marked:
    """Words in order of time; a unit ends after the last word whose middle lies in it."""
    ordered = sorted(words, key=lambda word: (word[0] + word[1], word))
    middles = [(start + end) / 2 for start, end, _ in ordered]
    last: dict[int, str] = {}
    for start, end, kind in sorted(spans):
        at = bisect_right(middles, end) - 1
        if at >= 0 and middles[at] >= start:
            last[at] = "?" if kind == "question" else ""
    marks = [last[at] + LINE if at in last else "" for at in range(len(ordered))]
    return Marked(
        tuple(normalise(word) or word for _, _, word in ordered),
        tuple(marks),
        tuple((start, end) for start, end, _ in ordered),
    )


def _rows(path: Path, *, comment: str) -> list[tuple[int, list[str]]]:
    lines = enumerate(read_text(path).split("\n"), start=1)
    return [
        (number, line.split())
        for number, line in lines
        if line.strip() and not line.lstrip().startswith(comment)
    ]


def _times(path: Path, number: int, texts: list[str]) -> tuple[float, float]:
    start, _ = seconds(texts[0], texts[0], at=f"{path}:{number}")
    _, length = seconds(0, texts[1], at=f"{path}:{number}")
    return start, length


def _short(path: Path, number: int, fields: list[str], want: str) -> InputError:
    return InputError(
        "a line has too few fields", at=f"{path}:{number}", got=" ".join(fields), want=want
    )


def write_ctm(transcript: Transcript, boundaries: Boundaries) -> str:
    """A timed word a line; the boundaries are lost."""
    times = needs_times(transcript, kind="CTM")
    return "".join(
        f"text 1 {start:.3f} {end - start:.3f} {word}\n"
        for word, (start, end) in zip(transcript.words, times, strict=True)
    )


def write_rttm(transcript: Transcript, boundaries: Boundaries) -> str:
    """A unit, then its words, a line each."""
    times = needs_times(transcript, kind="RTTM")
    lines = []
    at = 0
    for unit in units(transcript, boundaries):
        when = times[at : at + len(unit)]
        start, end = when[0][0], when[-1][1]
        lines.append(f"SU text 1 {start:.3f} {end - start:.3f} <NA> statement one <NA>\n")
        lines += [
            f"LEXEME text 1 {begin:.3f} {stop - begin:.3f} {word} lex one <NA>\n"
            for word, (begin, stop) in zip(unit, when, strict=True)
        ]
        at += len(unit)
    return "".join(lines)
