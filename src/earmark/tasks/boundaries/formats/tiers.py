"""Tiers of intervals, TextGrid and EAF, as texts: every interval with words is a unit."""

from pathlib import Path

from earmark.files.tiers import (
    Tier,
    TierInterval,
    read_eaf_tiers,
    read_textgrid_tiers,
    write_eaf_tiers,
    write_textgrid_tiers,
)
from earmark.tasks.boundaries.formats.marked import MarkedText, text_of_lines, timed_units_of
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import tokens
from earmark.values.errors import InputError

UNITS = "units"  # what we call the tier that we write


def read_textgrid(path: Path) -> MarkedText:
    """Return the first interval tier that holds words, in the long or the short form."""
    for tier in read_textgrid_tiers(path):
        if any(interval.text.strip() for interval in tier.intervals):
            return text_of_intervals(tier.intervals)
    raise InputError("a TextGrid needs an interval tier with words", at=path)


def text_of_intervals(intervals: list[TierInterval]) -> MarkedText:
    """Return the words of all intervals in order of time, each interval a unit.

    Where every interval holds one word, its times are the word's.
    """
    spoken = [interval for interval in sorted(intervals) if tokens(interval.text)]
    text = text_of_lines(interval.text for interval in spoken)
    if len(spoken) != len(text.words):
        return text
    times = tuple((interval.start, interval.end) for interval in spoken)
    return MarkedText(text.words, text.marks, times)


def read_eaf(path: Path) -> MarkedText:
    """Return the first tier with time-aligned annotations."""
    for tier in read_eaf_tiers(path):
        if any(interval.text.strip() for interval in tier.intervals):
            return text_of_intervals(tier.intervals)
    raise InputError("an EAF file needs a tier with aligned annotations", at=path)


def _unit_intervals(transcript: Transcript, boundaries: Boundaries) -> list[TierInterval]:
    units = timed_units_of(transcript, boundaries, kind="tier")
    return [TierInterval(unit.start, unit.end, unit.text) for unit in units]


def write_textgrid(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one interval tier with one interval per unit, and empty intervals between them."""
    units = _unit_intervals(transcript, boundaries)
    return write_textgrid_tiers([Tier(UNITS, units)], end=units[-1].end if units else 0.0)


def write_eaf(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one tier with one annotation per unit."""
    return write_eaf_tiers([Tier(UNITS, _unit_intervals(transcript, boundaries))])
