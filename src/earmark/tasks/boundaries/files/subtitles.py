"""Subtitles, SRT and WebVTT: cues are joined, because a cue's end is not a sentence's end."""

import math
import re
from pathlib import Path

from earmark.files.text import read_text
from earmark.tasks.boundaries.files.marked import LINE, Marked, needs_times
from earmark.tasks.boundaries.files.plain import units
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import tokens
from earmark.values.errors import InputError

TIMING = re.compile(r"^\s*([\d:.,]+)\s+-->\s+([\d:.,]+)")
TAG = re.compile(r"<[^>]*>|\{\\[^}]*\}")


def read_cues(path: Path) -> Marked:
    """The words of all cues; a cue's end is kept as a line's end, for `--units lines`."""
    text = read_text(path)
    words: list[str] = []
    marks: list[str] = []
    seen = False
    for start, block in _blocks(text):
        timing = next((n for n, line in enumerate(block) if TIMING.match(line)), None)
        if timing is None:
            continue
        seen = True
        _check_timing(path, start + timing, block[timing])
        found = tokens(TAG.sub("", " ".join(block[timing + 1 :])))
        words += [token.word for token in found]
        marks += [token.mark for token in found]
        if found:
            marks[-1] += LINE
    if not seen:
        raise InputError(
            "subtitles hold cues with times",
            at=path,
            got="no line with -->",
            want="00:00:01,000 --> 00:00:02,500",
        )
    return Marked(tuple(words), tuple(marks), units="marks")


def _blocks(text: str) -> list[tuple[int, list[str]]]:
    """Runs of lines between blank ones, with the number of their first line."""
    blocks: list[tuple[int, list[str]]] = []
    fresh = True
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            fresh = True
        elif fresh:
            blocks.append((number, [line]))
            fresh = False
        else:
            blocks[-1][1].append(line)
    return blocks


def _check_timing(path: Path, number: int, line: str) -> None:
    found = TIMING.match(line)
    start, end = (_seconds(part) for part in found.groups()) if found else (None, None)
    if start is None or end is None or end < start:
        raise InputError(
            "a cue ends after it starts",
            at=f"{path}:{number}",
            got=line.strip(),
            want="00:00:01,000 --> 00:00:02,500",
        )


def _seconds(text: str) -> float | None:
    try:
        parts = [float(part) for part in text.replace(",", ".").split(":")]
    except ValueError:
        return None
    return math.fsum(part * 60.0**power for power, part in enumerate(reversed(parts)))


def write_srt(transcript: Transcript, boundaries: Boundaries) -> str:
    """A numbered cue a unit, with a full stop."""
    cues = _cues(transcript, boundaries, comma=True)
    return "\n".join(f"{number}\n{cue}" for number, cue in enumerate(cues, start=1))


def write_vtt(transcript: Transcript, boundaries: Boundaries) -> str:
    """A cue a unit, with a full stop."""
    return "\n".join(["WEBVTT\n", *_cues(transcript, boundaries, comma=False)])


def _cues(transcript: Transcript, boundaries: Boundaries, *, comma: bool) -> list[str]:
    times = needs_times(transcript, kind="subtitle")
    cues = []
    start = 0
    for unit in units(transcript, boundaries):
        first, last = times[start][0], times[start + len(unit) - 1][1]
        span = f"{_clock(first, comma)} --> {_clock(last, comma)}"
        cues.append(f"{span}\n{' '.join(unit)}.\n")
        start += len(unit)
    return cues


def _clock(seconds: float, comma: bool) -> str:
    whole = round(seconds * 1000)
    text = f"{whole // 3600000:02}:{whole // 60000 % 60:02}:{whole // 1000 % 60:02}"
    return f"{text}{',' if comma else '.'}{whole % 1000:03}"
