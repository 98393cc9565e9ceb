"""Several people's segmentations of the same texts, from files, on one text's words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.tasks.boundaries.alignment import place
from earmark.tasks.boundaries.formats import (
    LINE,
    MarkedText,
    Texts,
    Units,
    one_per_person,
    read_texts,
)
from earmark.tasks.boundaries.values import Boundaries
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.names import some


@dataclass(frozen=True, slots=True)
class Transcribers:
    """One text's words, and where each person ends units in them."""

    base: MarkedText
    boundaries: Mapping[str, Boundaries]


def read_references(
    paths: Sequence[Path],
    texts: Mapping[str, MarkedText],
    *,
    units: Units | None,
    marks: str,
    encoding: str,
) -> dict[str, Transcribers]:
    """Return who said what of each text; without texts, those of the first reference are used.

    Raises
    ------
    InputError
        If a reference lacks a text or has another, its words differ too much, or it is running
        text whose marks are not read.
    """
    one = next(iter(texts)) if len(texts) == 1 else ""
    sides = {path: read_texts(path, encoding=encoding) for path in one_per_person(paths, text=one)}
    first = next(iter(sides.values()))
    bases = dict(texts) or {name: _with_words(people) for name, people in first.items()}
    result: dict[str, dict[str, Boundaries]] = {name: {} for name in bases}
    for path, side in sides.items():
        for name, people in _named_as(bases, side, at=path).items():
            for who, text in people.items():
                own = _boundaries(text.only_words(), units=units, marks=marks, at=path)
                on_base = place(bases[name], text.only_words(), own, at=path).boundaries
                result[name][_new_name(who, path, result[name])] = on_base
    return {name: Transcribers(bases[name], people) for name, people in result.items()}


def without_marks(text: MarkedText, *, units: Units, marks: str) -> bool:
    """Return whether nothing in a text ends a unit, so that only its own end does."""
    ends = LINE if units == "lines" else marks
    return not any(sign in ends for signs in text.marks for sign in signs)


def _with_words(people: Mapping[str, MarkedText]) -> MarkedText:
    texts = [one.only_words() for one in people.values()]
    return next((text for text in texts if text.has_words), texts[0])


def _boundaries(text: MarkedText, *, units: Units | None, marks: str, at: Path) -> Boundaries:
    if units is None and text.unread_marks():
        raise InputError(
            "running text is read as one unit, because lines end units",
            at=at,
            got=f"1 unit, {text.unread_marks()} sentence marks",
            fix="pass --units marks; or --units lines if it is one unit",
        )
    return text.boundaries(units=units, marks=marks)


def _named_as(bases: Mapping[str, object], side: Texts, *, at: Path) -> Texts:
    """Return a reference's texts under the names of ours; where there is one of each, a pair."""
    if len(bases) == len(side) == 1:
        return dict(zip(bases, side.values(), strict=True))
    renamed = checks.renamed(side, bases)
    if renamed.keys() != bases.keys():
        raise InputError(
            "every reference must be of the same texts",
            at=at,
            got=f"{some(sorted(bases.keys() - renamed.keys()), 'text')} not there, "
            f"{some(sorted(renamed.keys() - bases.keys()), 'text')} of another name",
            want=f"the {len(bases)} texts of the study",
        )
    return renamed


def _new_name(who: str, path: Path, taken: Mapping[str, object]) -> str:
    name = who if who not in taken else f"{who} ({path.parent.name})"
    while name in taken:
        name += "'"
    return name
