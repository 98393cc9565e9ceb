"""Subtitles, SRT and WebVTT: cues are joined, because a cue's end is not a sentence's end."""

from pathlib import Path

from earmark.files import subtitles
from earmark.files.subtitles import Cue
from earmark.tasks.boundaries.formats.marked import MarkedText, text_of_lines, timed_units_of
from earmark.tasks.boundaries.values import Boundaries, Transcript


def read_subtitles(path: Path) -> MarkedText:
    """Return the words of all cues; a cue's end counts as a line's end, for `--units lines`."""
    return text_of_lines((cue.text for cue in subtitles.read_cues(path)), units="marks")


def write_srt(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one numbered cue per unit, each with a full stop."""
    return subtitles.write_srt(_cues(transcript, boundaries))


def write_vtt(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one cue per unit, each with a full stop."""
    return subtitles.write_vtt(_cues(transcript, boundaries))


def _cues(transcript: Transcript, boundaries: Boundaries) -> list[Cue]:
    units = timed_units_of(transcript, boundaries, kind="subtitle")
    return [Cue(unit.start, unit.end, f"{unit.text}.") for unit in units]
