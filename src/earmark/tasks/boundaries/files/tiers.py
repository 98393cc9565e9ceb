"""Tiers of intervals: Praat's TextGrid and ELAN's EAF; every interval with words is a unit."""

import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from earmark.files.text import read_text
from earmark.tasks.boundaries.files.marked import LINE, Marked, needs_times, seconds
from earmark.tasks.boundaries.files.plain import units
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import tokens
from earmark.values.errors import InputError

VALUE = re.compile(r'"(?:[^"]|"")*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w\]])|<exists>')
COMMENT = re.compile(r"^\s*!.*$", re.MULTILINE)


def read_textgrid(path: Path) -> Marked:
    """The first interval tier that holds words, in the long or the short form."""
    values = VALUE.findall(COMMENT.sub("", read_text(path)))
    if not any("TextGrid" in value for value in values[:2]):
        raise InputError("a TextGrid names itself in its first lines", at=path)
    tiers = [at for at, value in enumerate(values) if value == '"IntervalTier"']
    for at in tiers:
        found = _intervals(path, values, at)
        if any(text.strip() for _, _, text in found):
            return from_intervals(found)
    raise InputError("a TextGrid needs an interval tier with words", at=path)


def _intervals(path: Path, values: list[str], at: int) -> list[tuple[float, float, str]]:
    """The intervals of the tier whose class stands at `at`: name, start, end, size, intervals."""
    try:
        size = int(float(values[at + 4]))
        rows = [values[at + 5 + 3 * n : at + 8 + 3 * n] for n in range(size)]
        return [(float(s), float(e), t[1:-1].replace('""', '"')) for s, e, t in rows]
    except (IndexError, ValueError) as error:
        raise InputError(
            "a tier of a TextGrid holds as many intervals as it says", at=path
        ) from error


def from_intervals(intervals: list[tuple[float, float, str]]) -> Marked:
    """Words of all intervals; where every interval holds one word, its times are the word's."""
    words: list[str] = []
    marks: list[str] = []
    times: list[tuple[float, float]] = []
    for start, end, text in sorted(intervals):
        found = tokens(text)
        words += [token.word for token in found]
        marks += [token.mark for token in found]
        if found:
            marks[-1] += LINE
            times.append((start, end))
    timed = tuple(times) if len(times) == len(words) else None
    return Marked(tuple(words), tuple(marks), timed)


def read_eaf(path: Path) -> Marked:
    """The first tier with time-aligned annotations."""
    root = _parse(path)
    slots = {
        slot.get("TIME_SLOT_ID"): seconds(0, slot.get("TIME_VALUE", "0"), at=path)[1] / 1000
        for slot in root.iter("TIME_SLOT")
    }
    for tier in root.iter("TIER"):
        found = [
            (
                slots.get(one.get("TIME_SLOT_REF1"), 0.0),
                slots.get(one.get("TIME_SLOT_REF2"), 0.0),
                "".join(one.find("ANNOTATION_VALUE").itertext())
                if one.find("ANNOTATION_VALUE") is not None
                else "",
            )
            for one in tier.iter("ALIGNABLE_ANNOTATION")
        ]
        if any(text.strip() for _, _, text in found):
            return from_intervals(found)
    raise InputError("an EAF file needs a tier with aligned annotations", at=path)


def _parse(path: Path) -> Any:
    from xml.etree import ElementTree

    text = read_text(path)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError("an EAF file defines no entities", at=path, fix="export it again")
    try:
        return ElementTree.fromstring(text.encode())
    except ElementTree.ParseError as error:
        line, _ = error.position
        raise InputError("an EAF file is XML", at=f"{path}:{line}", got=error) from error


def _spans(transcript: Transcript, boundaries: Boundaries) -> list[tuple[float, float, str]]:
    times = needs_times(transcript, kind="tier")
    found = []
    at = 0
    for unit in units(transcript, boundaries):
        found.append((times[at][0], times[at + len(unit) - 1][1], " ".join(unit)))
        at += len(unit)
    return found


def write_textgrid(transcript: Transcript, boundaries: Boundaries) -> str:
    """One interval tier, a unit an interval, empty intervals between."""
    spans = _spans(transcript, boundaries)
    end = spans[-1][1] if spans else 0.0
    whole: list[tuple[float, float, str]] = []
    at = 0.0
    for start, stop, text in spans:
        if start > at:
            whole.append((at, start, ""))
        whole.append((start, stop, text))
        at = stop
    head = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n{end}\n<exists>\n1\n'
    rows = "".join('{}\n{}\n"{}"\n'.format(s, e, t.replace('"', '""')) for s, e, t in whole)
    return f'{head}"IntervalTier"\n"units"\n0\n{end}\n{len(whole)}\n{rows}'


def write_eaf(transcript: Transcript, boundaries: Boundaries) -> str:
    """One tier, a unit an annotation."""
    slots, notes = [], []
    for number, (start, stop, text) in enumerate(_spans(transcript, boundaries)):
        first, last = f"ts{2 * number + 1}", f"ts{2 * number + 2}"
        slots += [
            f'<TIME_SLOT TIME_SLOT_ID="{name}" TIME_VALUE="{round(when * 1000)}"/>'
            for name, when in ((first, start), (last, stop))
        ]
        notes.append(
            f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{number + 1}" '
            f'TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}"><ANNOTATION_VALUE>'
            f"{escape(text)}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00Z" FORMAT="3.0" VERSION="3.0">\n'
        '<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>\n<TIME_ORDER>\n'
        + "\n".join(slots)
        + '\n</TIME_ORDER>\n<TIER LINGUISTIC_TYPE_REF="units" TIER_ID="units">\n'
        + "\n".join(notes)
        + '\n</TIER>\n<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="units" TIME_ALIGNABLE="true"/>\n'
        "</ANNOTATION_DOCUMENT>\n"
    )
