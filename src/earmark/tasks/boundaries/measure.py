"""Files of references and of an output, paired text by text on the same words."""

from pathlib import Path
from typing import Any

from earmark.stats import rates
from earmark.task.task import Pairing
from earmark.tasks.boundaries.formats import ENDS, MarkedText, Units, read_texts
from earmark.tasks.boundaries.match import MOST_ERRORS, match
from earmark.tasks.boundaries.score.pairs import hits_by_reference
from earmark.tasks.boundaries.score.settings import Final, Preset, settings
from earmark.tasks.boundaries.score.window_metrics import window_f1
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.score import number

NAMED = 3


def measure(  # noqa: PLR0913
    references: tuple[Path, ...],
    output: Path | None,
    *,
    units: Units | None = None,
    marks: str = ENDS,
    encoding: str = "utf-8",
    most_errors: float = MOST_ERRORS,
    force: bool = False,
    preset: Preset = "paper-2018",
    final: Final | None = None,
    survey: bool = False,
) -> Pairing:
    """Pair references and an output: files of one text, or folders of many with the same names.

    Parameters
    ----------
    units
        What ends a unit: every line (cue, interval, utterance), or every mark. By default what the
        format means by itself: lines in plain text, marks in what recognisers write.
    marks
        The marks that end a unit, when marks do.
    encoding
        How plain text is written that is not UTF-8: latin-1, cp1252 ...
    most_errors
        The share of words in which two files may differ before they are refused.
    force
        Align files that differ more.
    preset
        Whose settings: paper-2018 (limit 2, final word excluded) or tool-1.0 (limit 3, included).
    final
        Whether the end of the text counts as a boundary.
    survey
        Also tell what systems that know nothing get, what people get against each other, and the
        score at other limits.
    """
    if output is None:
        raise InputError("an output is needed", fix="name a file with --output")
    if not references:
        raise InputError("a reference is needed", fix="name a file with --reference")
    limit = float("inf") if force else most_errors
    read = _Reader(units=units, marks=marks, most_errors=limit)
    sides = [read_texts(path, encoding=encoding) for path in references]
    texts = read_texts(output, encoding=encoding)
    names = _same_texts(references, sides, output, texts)
    panels: dict[str, Panel] = {}
    outputs: dict[str, Boundaries] = {}
    details: dict[str, object] = {}
    for name in names:
        people = _people(references, [side[name] for side in sides])
        answer = _only(texts[name], at=output)
        panels[name], outputs[name], details[name] = read.pair(people, answer, at=(name, output))
    told: dict[str, object] = {"texts": details, **_warnings(panels)}
    told["by_reference"] = by_reference(
        panels, outputs, final=settings(preset, final=final).counts_final
    )
    if survey:
        told["survey"] = surveyed(panels, outputs, preset=preset, final=final)
    return Pairing(
        panels,
        outputs,
        reference_name="+".join(path.stem for path in references),
        output_name=output.stem,
        details=told,
    )


def by_reference(
    panels: dict[str, Panel], outputs: dict[str, Boundaries], *, final: bool
) -> dict[str, dict[str, float | None]]:
    """Precision, recall and F1 against each person by themselves, pooled over texts."""
    found: dict[str, Hits] = {}
    for name, panel in panels.items():
        hits = hits_by_reference(panel, outputs[name], final=final)
        for person, one in zip(panel.people, hits, strict=True):
            found[person] = found.get(person, Hits()) + one
    rated = {"precision": rates.precision, "recall": rates.recall, "f1": rates.f1}
    return {
        person: {name: number(rate(hits)) for name, rate in rated.items()}
        for person, hits in found.items()
    }


def surveyed(
    panels: dict[str, Panel],
    outputs: dict[str, Boundaries],
    *,
    preset: Preset,
    final: Final | None,
) -> dict[str, object]:
    """F1 on windows of trivial systems, of people, and of the output at other limits."""
    from earmark.tasks.boundaries.survey import human_ceiling, limit_curve, sanity_rows

    metric = window_f1(preset=preset, final=final)
    curve = limit_curve(panels, outputs, preset=preset, final=final)
    return {
        "metric": "window_f1",
        "trivial": {name: number(v) for name, v in sanity_rows(metric, panels).items()},
        "people": {name: number(v) for name, v in human_ceiling(metric, panels).items()},
        "limits": [[limit, number(value)] for limit, value in curve],
    }


class _Reader:
    """How files are read and brought together."""

    def __init__(self, *, units: Units | None, marks: str, most_errors: float) -> None:
        self.units, self.marks, self.most_errors = units, marks, most_errors

    def pair(
        self, people: dict[str, MarkedText], answer: MarkedText, *, at: tuple[str, Path]
    ) -> tuple[Panel, Boundaries, dict[str, object]]:
        """The panel and the output of one text, on the words of the first reference."""
        base = next((one for one in people.values() if one.has_words), next(iter(people.values())))
        told: dict[str, Any] = {"words": len(base.words)}
        placed = {name: self._place(base, one, name, told) for name, one in people.items()}
        panel = Panel(tuple(placed.values()), tuple(placed))
        output = self._place(base, answer, at[1].name, told)
        told["boundaries"] = {
            **{name: len(one.after) for name, one in placed.items()},
            "output": len(output.after),
        }
        return panel, output, told

    def _place(
        self, base: MarkedText, one: MarkedText, name: str, told: dict[str, Any]
    ) -> Boundaries:
        own = one.boundaries(units=self.units, marks=self.marks)
        found = match(base, one, own, at=name, most_errors=self.most_errors)
        if found.error_rate > 0:
            told.setdefault("alignment", {})[name] = found.as_json()
        return found.boundaries


def _same_texts(
    references: tuple[Path, ...],
    sides: list[dict[str, dict[str, MarkedText]]],
    output: Path,
    texts: dict[str, dict[str, MarkedText]],
) -> list[str]:
    """The names of the texts, the same in every file or folder."""
    wanted = set(texts)
    for path, side in zip(references, sides, strict=True):
        if set(side) != wanted:
            missing = sorted(wanted ^ set(side))
            raise InputError(
                "references and output must speak of the same texts",
                at=path,
                got=f"{len(missing)} texts in one only: {', '.join(missing[:NAMED])}",
                want=f"the texts of {output}",
            )
    return sorted(wanted)


def _people(
    references: tuple[Path, ...], sides: list[dict[str, MarkedText]]
) -> dict[str, MarkedText]:
    """Every reference of one text, by a name of its own."""
    people: dict[str, MarkedText] = {}
    for path, side in zip(references, sides, strict=True):
        for who, one in side.items():
            name = who if who not in people else f"{who} ({path.parent.name})"
            while name in people:
                name += "'"
            people[name] = one
    return people


def _only(people: dict[str, MarkedText], *, at: Path) -> MarkedText:
    if len(people) > 1:
        raise InputError(
            "an output holds one answer for each text",
            at=at,
            got=", ".join(people),
            fix="keep one of them",
        )
    return next(iter(people.values()))


def _warnings(panels: dict[str, Panel]) -> dict[str, object]:
    """What a reader of the scores must know."""
    alone = [name for name, panel in panels.items() if len(panel.references) < 2]
    if not alone:
        return {}
    return {
        "one_reference": "agreement is undefined with one reference: agreement_ratio, fleiss_kappa "
        "and wisebe need two or more; mean_f1 and the rest compare with the one there is"
    }
