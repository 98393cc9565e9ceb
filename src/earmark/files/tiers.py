"""Tiers of intervals: Praat's TextGrid and ELAN's EAF, in and out."""

import codecs
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from earmark.files.text import read_text
from earmark.files.times import read_seconds
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# A TextGrid's long form ("xmax = 3") and its short form ("3") hold the same quoted texts, numbers
# and flags in the same order; everything else is decoration, so only these are looked for. A
# number followed by "]" is the index in "intervals [2]:" and no value.
VALUE = re.compile(r'"(?:[^"]|"")*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w\]])|<exists>')
ENCODING = re.compile(r"""\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']""")
COMMENT = re.compile(r"^\s*!.*$", re.MULTILINE)
SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
MILLI = 1000
EXISTS = "<exists>"
INTERVAL_VALUES, POINT_VALUES = 3, 2  # of an interval: start, end, text; of a point: time, text
TIER_VALUES = {'"IntervalTier"': INTERVAL_VALUES, '"TextTier"': POINT_VALUES}


class TierInterval(NamedTuple):
    """A stretch of a tier, in seconds, and its text."""

    start: float
    end: float
    text: str


class Tier(NamedTuple):
    """A name and its intervals; where a TextGrid has nothing to say, their text is empty."""

    name: str
    intervals: list[TierInterval]


def read_textgrid_tiers(path: Path) -> list[Tier]:
    """Return the interval tiers of a TextGrid in the long or the short form."""
    values = VALUE.findall(COMMENT.sub("", read_text(path)))
    if not any("TextGrid" in value for value in values[:2]):
        raise InputError("a TextGrid must say so in its first lines", at=path)
    tiers = []
    place = values.index(EXISTS) + 2 if EXISTS in values else 0
    while place < len(values):
        if values[place] not in TIER_VALUES:
            place += 1
            continue
        width = TIER_VALUES[values[place]]
        tier, place = _textgrid_tier(path, values, place, width)
        tiers += [tier] if width == INTERVAL_VALUES else []
    return tiers


def _textgrid_tier(path: Path, values: list[str], place: int, width: int) -> tuple[Tier, int]:
    """Return the tier whose class is `values[place]`, and where the values after it begin.

    After the class come the tier's name, start, end and size, then `width` values per interval or
    point.
    """
    try:
        size = int(float(values[place + 4]))
        if not 0 <= size <= len(values):
            raise IndexError(size)
        first = place + 5
        rows = [values[first + width * n : first + width * (n + 1)] for n in range(size)]
        intervals = [
            TierInterval(float(row[0]), float(row[-2]), _unquoted(row[width - 1])) for row in rows
        ]
        return Tier(_unquoted(values[place + 1]), intervals), first + width * size
    except (IndexError, ValueError, OverflowError) as error:
        raise InputError(
            "a tier of a TextGrid must hold as many intervals as it says", at=path
        ) from error


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"')


def write_textgrid_tiers(tiers: Sequence[Tier], *, end: float) -> str:
    """Return a TextGrid up to `end`, with empty intervals where a tier says nothing."""
    head = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n{end}\n<exists>\n'
    parts = [f"{head}{len(tiers)}\n"]
    for tier in tiers:
        intervals: list[TierInterval] = []
        previous = 0.0
        for one in tier.intervals:
            if one.start > previous:
                intervals.append(TierInterval(previous, one.start, ""))
            intervals.append(one)
            previous = one.end
        if previous < end:
            intervals.append(TierInterval(previous, end, ""))
        rows = "".join(f"{one.start}\n{one.end}\n{_quoted(one.text)}\n" for one in intervals)
        parts.append(f'"IntervalTier"\n{_quoted(tier.name)}\n0\n{end}\n{len(intervals)}\n{rows}')
    return "".join(parts)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def read_eaf_tiers(path: Path) -> list[Tier]:
    """Return the tiers of an EAF file with their time-aligned annotations."""
    root = _parse(path)
    slots = {
        slot.get("TIME_SLOT_ID"): read_seconds(0, slot.get("TIME_VALUE", "0"), at=path).end / MILLI
        for slot in root.iter("TIME_SLOT")
    }
    return [
        Tier(
            tier.get("TIER_ID", ""),
            [
                TierInterval(
                    slots.get(annotation.get("TIME_SLOT_REF1"), 0.0),
                    slots.get(annotation.get("TIME_SLOT_REF2"), 0.0),
                    _annotation_text(annotation),
                )
                for annotation in tier.iter("ALIGNABLE_ANNOTATION")
            ],
        )
        for tier in root.iter("TIER")
    ]


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


def milliseconds(seconds: float) -> int:
    """Return a time as EAF holds it."""
    return round(seconds * MILLI)


def write_eaf_tiers(tiers: Sequence[Tier]) -> str:
    """Return an EAF file; its times are whole milliseconds."""
    slots: list[tuple[int, str]] = []
    parts: list[str] = []
    number = 0
    for tier in tiers:
        rows = []
        for one in tier.intervals:
            number += 1
            first, last = f"ts{2 * number - 1}", f"ts{2 * number}"
            slots += [(milliseconds(one.start), first), (milliseconds(one.end), last)]
            rows.append(
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{number}" '
                f'TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}"><ANNOTATION_VALUE>'
                f"{escape(one.text)}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>\n"
            )
        name = quoteattr(tier.name)
        parts.append(f'<TIER LINGUISTIC_TYPE_REF="units" TIER_ID={name}>\n{"".join(rows)}</TIER>\n')
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00Z" FORMAT="3.0" VERSION="3.0" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:noNamespaceSchemaLocation="{SCHEMA}">\n'
        '<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>\n<TIME_ORDER>\n'
        + "".join(
            f'<TIME_SLOT TIME_SLOT_ID="{name}" TIME_VALUE="{when}"/>\n'
            for when, name in sorted(slots, key=lambda slot: slot[0])
        )
        + "</TIME_ORDER>\n"
        + "".join(parts)
        + '<LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="units" '
        'TIME_ALIGNABLE="true"/>\n</ANNOTATION_DOCUMENT>\n'
    )
