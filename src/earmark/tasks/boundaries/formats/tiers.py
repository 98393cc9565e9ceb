"""Tiers of intervals: Praat's TextGrid and ELAN's EAF; every interval with words is a unit."""

import codecs
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from earmark.files.text import read_text
from earmark.files.times import read_seconds
from earmark.tasks.boundaries.formats.marked import MarkedText, text_of_lines, timed_units_of
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import tokens
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# A TextGrid's long form ("xmax = 3") and its short form ("3") hold the same quoted texts, numbers
# and flags in the same order; everything else is decoration, so only these are looked for. A
# number followed by "]" is the index in "intervals [2]:" and no value.
VALUE = re.compile(r'"(?:[^"]|"")*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w\]])|<exists>')
ENCODING = re.compile(r"""\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']""")
COMMENT = re.compile(r"^\s*!.*$", re.MULTILINE)


class TierInterval(NamedTuple):
    """A stretch of a tier, in seconds, and its text."""

    start: float
    end: float
    text: str


def read_textgrid(path: Path) -> MarkedText:
    """Return the first interval tier that holds words, in the long or the short form."""
    values = VALUE.findall(COMMENT.sub("", read_text(path)))
    if not any("TextGrid" in value for value in values[:2]):
        raise InputError("a TextGrid must say so in its first lines", at=path)
    tiers = [place for place, value in enumerate(values) if value == '"IntervalTier"']
    for place in tiers:
        intervals = _textgrid_intervals(path, values, place)
        if any(interval.text.strip() for interval in intervals):
            return text_of_intervals(intervals)
    raise InputError("a TextGrid needs an interval tier with words", at=path)


def _textgrid_intervals(path: Path, values: list[str], place: int) -> list[TierInterval]:
    """Return the intervals of the tier whose class is `values[place]`.

    After the class come the tier's name, start, end and size, then three values per interval.
    """
    try:
        size = int(float(values[place + 4]))
        if size > len(values):
            raise IndexError(size)
        rows = [values[place + 5 + 3 * n : place + 8 + 3 * n] for n in range(size)]
        return [
            TierInterval(float(start), float(end), text[1:-1].replace('""', '"'))
            for start, end, text in rows
        ]
    except (IndexError, ValueError, OverflowError) as error:
        raise InputError(
            "a tier of a TextGrid must hold as many intervals as it says", at=path
        ) from error


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
    root = _parse(path)
    slots = {
        slot.get("TIME_SLOT_ID"): read_seconds(0, slot.get("TIME_VALUE", "0"), at=path).end / 1000
        for slot in root.iter("TIME_SLOT")
    }
    for tier in root.iter("TIER"):
        intervals = [
            TierInterval(
                slots.get(annotation.get("TIME_SLOT_REF1"), 0.0),
                slots.get(annotation.get("TIME_SLOT_REF2"), 0.0),
                _annotation_text(annotation),
            )
            for annotation in tier.iter("ALIGNABLE_ANNOTATION")
        ]
        if any(interval.text.strip() for interval in intervals):
            return text_of_intervals(intervals)
    raise InputError("an EAF file needs a tier with aligned annotations", at=path)


def _annotation_text(annotation: "Element") -> str:
    value = annotation.find("ANNOTATION_VALUE")
    return "" if value is None else "".join(value.itertext())


def _parse(path: Path) -> "Element":
    from xml.etree import ElementTree

    text = read_text(path)
    # Entities could be made to expand without end; no EAF file has a use for them.
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError("an EAF file must not define entities", at=path, fix="export it again")
    declared = ENCODING.match(text)
    try:
        codecs.lookup(declared.group(1) if declared else "utf-8")
        # As a text: its bytes are decoded already, whatever its first line says they were.
        return ElementTree.fromstring(text)
    except LookupError as error:
        raise InputError(
            "an EAF file must be in an encoding that exists", at=f"{path}:1", got=error
        ) from error
    except ElementTree.ParseError as error:
        line, _ = error.position
        raise InputError("an EAF file must be XML", at=f"{path}:{line}", got=error) from error


def _unit_intervals(transcript: Transcript, boundaries: Boundaries) -> list[TierInterval]:
    units = timed_units_of(transcript, boundaries, kind="tier")
    return [TierInterval(unit.start, unit.end, unit.text) for unit in units]


def write_textgrid(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one interval tier with one interval per unit, and empty intervals between them."""
    units = _unit_intervals(transcript, boundaries)
    end = units[-1].end if units else 0.0
    intervals: list[TierInterval] = []
    previous = 0.0
    for unit in units:
        if unit.start > previous:
            intervals.append(TierInterval(previous, unit.start, ""))
        intervals.append(unit)
        previous = unit.end
    head = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n{end}\n<exists>\n1\n'
    rows = "".join(
        '{}\n{}\n"{}"\n'.format(start, stop, text.replace('"', '""'))
        for start, stop, text in intervals
    )
    return f'{head}"IntervalTier"\n"units"\n0\n{end}\n{len(intervals)}\n{rows}'


def write_eaf(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one tier with one annotation per unit."""
    slots, annotations = [], []
    for number, unit in enumerate(_unit_intervals(transcript, boundaries)):
        first, last = f"ts{2 * number + 1}", f"ts{2 * number + 2}"
        slots += [
            f'<TIME_SLOT TIME_SLOT_ID="{name}" TIME_VALUE="{round(when * 1000)}"/>'
            for name, when in ((first, unit.start), (last, unit.end))
        ]
        annotations.append(
            f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{number + 1}" '
            f'TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}"><ANNOTATION_VALUE>'
            f"{escape(unit.text)}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00Z" FORMAT="3.0" VERSION="3.0">\n'
        '<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>\n<TIME_ORDER>\n'
        + "\n".join(slots)
        + '\n</TIME_ORDER>\n<TIER LINGUISTIC_TYPE_REF="units" TIER_ID="units">\n'
        + "\n".join(annotations)
        + '\n</TIER>\n<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="units" TIME_ALIGNABLE="true"/>\n'
        "</ANNOTATION_DOCUMENT>\n"
    )
