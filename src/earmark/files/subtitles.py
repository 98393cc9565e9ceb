"""Subtitles, SRT and WebVTT: a list of cues, each with a start, an end and a text.

Cue numbers, the WEBVTT header and blocks without a time (NOTE, STYLE, REGION) are passed over, as
are the settings behind a cue's times. Markup is removed from the text, and HTML's entities are
replaced by their characters.
"""

import html
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from earmark.files.text import read_text
from earmark.values.errors import InputError

TIMING = re.compile(r"^\s*([\d:.,]+)\s+-->\s+([\d:.,]+)")
# HTML tags in both formats, and the {\an8} that players take over from Advanced SubStation.
MARKUP = re.compile(r"<[^>]*>|\{\\[^}]*\}")
EXAMPLE = "00:00:01,000 --> 00:00:02,500"


@dataclass(frozen=True, slots=True)
class Cue:
    """A text and when it is shown, in seconds."""

    start: float
    end: float
    text: str


def read_cues(path: Path) -> list[Cue]:
    """Return the cues of an SRT or WebVTT file in the file's order; a cue may be empty.

    Raises
    ------
    InputError
        If the file has no cue, or a cue's times are malformed or end before they start.
    """
    cues: list[Cue] = []
    inside = False
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        timing = TIMING.match(line)
        if timing:
            cues.append(_timed(timing, at=f"{path}:{number}"))
            inside = True
        elif not line.strip():
            inside = False
        elif inside:
            cues[-1] = Cue(cues[-1].start, cues[-1].end, f"{cues[-1].text} {line}")
    if not cues:
        raise InputError(
            "subtitles must have cues with times", at=path, got="no line with -->", want=EXAMPLE
        )
    return [Cue(cue.start, cue.end, _plain(cue.text)) for cue in cues]


def _timed(timing: re.Match[str], *, at: str) -> Cue:
    """Return a cue without text."""
    start, end = (_seconds(part) for part in timing.groups())
    if start is None or end is None or end < start:
        raise InputError(
            "a cue must end after it starts", at=at, got=timing[0].strip(), want=EXAMPLE
        )
    return Cue(start, end, "")


def _seconds(clock: str) -> float | None:
    """Return the seconds of `hours:minutes:seconds`, hours optional; None if it is no time."""
    try:
        parts = [float(part) for part in clock.replace(",", ".").split(":")]
    except ValueError:
        return None
    return math.fsum(part * 60.0**power for power, part in enumerate(reversed(parts)))


def _plain(text: str) -> str:
    """Return the text without markup, its words separated by single blanks."""
    return " ".join(html.unescape(MARKUP.sub("", text)).split())


def write_srt(cues: Iterable[Cue]) -> str:
    """Return the text of an SRT file.

    Examples
    --------
    >>> print(write_srt([Cue(0.5, 2.0, "So we went home.")]), end="")
    1
    00:00:00,500 --> 00:00:02,000
    So we went home.
    """
    blocks = (
        f"{number}\n{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}\n{cue.text}\n"
        for number, cue in enumerate(cues, start=1)
    )
    return "\n".join(blocks)


def write_vtt(cues: Iterable[Cue]) -> str:
    """Return the text of a WebVTT file."""
    blocks = (f"{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}\n{cue.text}\n" for cue in cues)
    return "\n".join(["WEBVTT\n", *blocks])


def _clock(seconds: float, point: str) -> str:
    milliseconds = round(seconds * 1000)
    minutes = milliseconds // 60000
    rest = milliseconds % 60000
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}{point}{rest % 1000:03}"
