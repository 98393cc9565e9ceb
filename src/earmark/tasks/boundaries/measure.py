"""Files of references and of an output, paired text by text on the same words."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from earmark.stats import rates
from earmark.tables.given import name_of
from earmark.task.options import option
from earmark.task.task import Json, Pairing
from earmark.tasks.boundaries.alignment import MOST_ERRORS, place
from earmark.tasks.boundaries.formats import (
    ENDS,
    MarkedText,
    Texts,
    Units,
    one_per_person,
    read_texts,
)
from earmark.tasks.boundaries.score.pairs import hits_by_reference
from earmark.tasks.boundaries.score.settings import (
    FINAL_HELP,
    PRESET_HELP,
    Final,
    Preset,
    settings_of,
)
from earmark.tasks.boundaries.survey import surveyed
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values import checks
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.names import some
from earmark.values.score import number


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentedFileOptions:
    """How files of segmented text are read, aligned and compared."""

    units: Units | None = option(
        None,
        "What ends a unit: every line (cue, interval, utterance), or every mark. By default what "
        "the format means by itself: lines in plain text, marks in what recognisers write.",
    )
    marks: str = option(ENDS, "The marks that end a unit, when marks do.")
    encoding: str = option(
        "utf-8", "How plain text is written that is not UTF-8: latin-1, cp1252 ..."
    )
    most_errors: float = option(
        MOST_ERRORS, "The share of words in which two files may differ before they are refused."
    )
    force: bool = option(False, "Align files that differ more.")
    preset: Preset = option("paper-2018", PRESET_HELP)
    final: Final | None = option(None, FINAL_HELP)
    survey: bool = option(
        False,
        "Also report the scores of trivial systems, of people against each other, and at other "
        "limits.",
    )


def measure(
    references: tuple[Path | Texts, ...],
    output: Path | Texts | None,
    options: SegmentedFileOptions = SegmentedFileOptions(),
) -> Pairing:
    """Pair references and an output: files of one text, or folders of many with the same names.

    Raises
    ------
    InputError
        If a side is missing or cannot be read, texts are not the same on all sides, their words
        differ too much, or the references are running text whose marks are not read.
    """
    if output is None:
        raise InputError("an output is needed", fix="name a file with --output")
    if not references:
        raise InputError("a reference is needed", fix="name a file with --reference")
    references = _by_person(references, output)
    first, *others = [_texts(side, options.encoding) for side in references]
    sides = [first, *(_named_as(first, side) for side in others)]
    texts = _named_as(first, _texts(output, options.encoding))
    pairs = {
        name: _pair(
            _people(references, [side[name] for side in sides]),
            _only(texts[name], at=output),
            output.name if isinstance(output, Path) else "output",
            options,
        )
        for name in _same_texts(references, sides, output, texts)
    }
    panels = {name: pair.panel for name, pair in pairs.items()}
    outputs = {name: pair.output for name, pair in pairs.items()}
    notes = [] if options.units else _unread((*references, output), (*sides, texts))
    _check_boundaries(panels, notes)
    notes += _without_boundaries(panels, outputs)
    details: Json = {
        "texts": {name: pair.details for name, pair in pairs.items()},
        **_warnings(panels),
        **({"notes": notes} if notes else {}),
        "by_reference": by_reference(panels, outputs, options),
    }
    if options.survey:
        details["survey"] = surveyed(panels, outputs, preset=options.preset, final=options.final)
    return Pairing(
        panels,
        outputs,
        reference_name="+".join(map(name_of, references)),
        output_name=name_of(output),
        details=details,
    )


def _texts(side: Path | Texts, encoding: str) -> Texts:
    return read_texts(side, encoding=encoding) if isinstance(side, Path) else side


def by_reference(
    panels: Mapping[str, Panel], outputs: Mapping[str, Boundaries], options: SegmentedFileOptions
) -> dict[str, dict[str, float | None]]:
    """Return precision, recall and F1 against each person by themselves, pooled over texts."""
    final = settings_of(options.preset, final=options.final).counts_final
    hits: dict[str, Hits] = {}
    for name, panel in panels.items():
        per_person = hits_by_reference(panel, outputs[name], final=final)
        for person, own in zip(panel.people, per_person, strict=True):
            hits[person] = hits.get(person, Hits()) + own
    rated = {"precision": rates.precision, "recall": rates.recall, "f1": rates.f1}
    return {
        person: {name: number(rate(own)) for name, rate in rated.items()}
        for person, own in hits.items()
    }


@dataclass(frozen=True, slots=True)
class _TextPair:
    """The panel and the output of one text, on the words of the first reference."""

    panel: Panel
    output: Boundaries
    details: Json = field(default_factory=dict)


def _pair(
    people: Mapping[str, MarkedText],
    output: MarkedText,
    output_name: str,
    options: SegmentedFileOptions,
) -> _TextPair:
    base = next((one for one in people.values() if one.has_words), next(iter(people.values())))
    most_errors = math.inf if options.force else options.most_errors
    alignments: Json = {}

    def placed(name: str, text: MarkedText) -> Boundaries:
        own = text.boundaries(units=options.units, marks=options.marks)
        result = place(base, text, own, at=name, most_errors=most_errors)
        if result.error_rate > 0:
            alignments[name] = result.as_json()
        return result.boundaries

    references = {name: placed(name, text) for name, text in people.items()}
    on_base = placed(output_name, output)
    details: Json = {"words": len(base.words)}
    if alignments:
        details["alignment"] = alignments
    details["boundaries"] = {
        **{name: len(one.after) for name, one in references.items()},
        "output": len(on_base.after),
    }
    return _TextPair(Panel(tuple(references.values()), tuple(references)), on_base, details)


def _named_as(names: Texts, texts: Texts) -> Texts:
    """Return texts under the names of others; where there is one of each, they are a pair."""
    if len(names) == len(texts) == 1:
        return dict(zip(names, texts.values(), strict=True))
    return checks.renamed(texts, names)


def _same_texts(
    references: tuple[Path | Texts, ...],
    sides: list[Texts],
    output: Path | Texts,
    texts: Texts,
) -> list[str]:
    """Return the names of the texts; raise InputError if a file or folder lacks one."""
    wanted = set(texts)
    for path, side in zip(references, sides, strict=True):
        if set(side) != wanted:
            raise InputError(
                "references and output must have the same texts",
                at=path if isinstance(path, Path) else None,
                got=f"{some(sorted(set(side) - wanted), 'text')} only there, "
                f"{some(sorted(wanted - set(side)), 'text')} only in the output",
                want=f"the texts of {output if isinstance(output, Path) else 'the output'}",
            )
    return sorted(wanted)


def _people(
    references: tuple[Path | Texts, ...], sides: list[dict[str, MarkedText]]
) -> dict[str, MarkedText]:
    """Return every reference of one text, by a name of its own."""
    people: dict[str, MarkedText] = {}
    for path, side in zip(references, sides, strict=True):
        for who, one in side.items():
            folder = path.parent.name if isinstance(path, Path) else "given"
            name = who if who not in people else f"{who} ({folder})"
            while name in people:
                name += "'"
            people[name] = one
    return people


def _only(people: dict[str, MarkedText], *, at: Path | Texts) -> MarkedText:
    if len(people) > 1:
        raise InputError(
            "an output must hold one answer per text",
            at=at if isinstance(at, Path) else None,
            got=", ".join(people),
            fix="keep one of them",
        )
    return next(iter(people.values()))


def _unread(paths: Sequence[Path | Texts], sides: Sequence[Texts]) -> list[str]:
    """Return a note for each side with running text: read as one unit, though marks divide it."""
    notes = []
    for path, side in zip(paths, sides, strict=True):
        counts = [text.unread_marks() for people in side.values() for text in people.values()]
        unread = [count for count in counts if count]
        if unread:
            texts = f"{len(unread)} of {len(counts)} texts, " if len(counts) > 1 else ""
            each = " each" if len(unread) > 1 else ""
            notes.append(
                f"{_shown_name(path)}: {texts}1 unit{each}, because lines end units, "
                f"but {sum(unread)} sentence marks; if marks end units, pass --units marks"
            )
    return notes


def _shown_name(side: Path | Texts) -> str:
    return side.name if isinstance(side, Path) else "a text"


def _check_boundaries(panels: Mapping[str, Panel], notes: Sequence[str]) -> None:
    """Raise InputError if no reference has a boundary inside a text, and a note says why."""
    places = (_inside(one) for panel in panels.values() for one in panel.references)
    if notes and not any(places):
        raise InputError(
            "the references must mark a boundary inside a text, or nothing can be measured",
            got="; ".join(note.partition(";")[0] for note in notes),
            want="one unit per line, or marks that end units",
            fix="pass --units marks; or --units lines if each text is one unit",
        )


def _without_boundaries(
    panels: Mapping[str, Panel], outputs: Mapping[str, Boundaries]
) -> list[str]:
    """Return a note on the outputs that say nothing: formats such as CTM have no marks."""
    empty = [
        name
        for name, one in outputs.items()
        if not _inside(one) and any(map(_inside, panels[name].references))
    ]
    words = sum(outputs[name].length for name in empty)
    return [f"output: no boundary inside {some(empty, 'text')} of {words} words"] if empty else []


def _inside(boundaries: Boundaries) -> frozenset[int]:
    return boundaries.after - {boundaries.length - 1}


def _by_person(
    references: Sequence[Path | Texts], output: Path | Texts
) -> tuple[Path | Texts, ...]:
    """Return the references one by one; a folder next to one output may hold one per person."""
    only = output.stem if isinstance(output, Path) and output.is_file() else ""
    return tuple(
        one
        for side in references
        for one in (one_per_person([side], text=only) if isinstance(side, Path) else [side])
    )


def _warnings(panels: dict[str, Panel]) -> dict[str, object]:
    """Return what a reader of the scores must know."""
    alone = [name for name, panel in panels.items() if len(panel.references) < 2]
    if not alone:
        return {}
    return {
        "one_reference": "agreement is undefined with one reference: agreement_ratio, fleiss_kappa "
        "and wisebe need two or more; mean_f1 and the rest compare with the one there is"
    }
