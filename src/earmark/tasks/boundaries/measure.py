"""Files of references and of an output, paired text by text on the same words."""

from pathlib import Path
from typing import Any

from earmark.tasks.boundaries.files import ENDS, Marked, Units, read_texts
from earmark.tasks.boundaries.match import MOST_ERRORS, match
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.errors import InputError
from earmark.values.task import Pairing

NAMED = 3


def measure(
    references: tuple[Path, ...],
    output: Path | None,
    *,
    units: Units | None = None,
    marks: str = ENDS,
    most_errors: float = MOST_ERRORS,
    force: bool = False,
) -> Pairing:
    """Pair references and an output: files of one text, or folders of many with the same names.

    Parameters
    ----------
    units
        What ends a unit: every line (cue, interval, utterance), or every mark. By default what the
        format means by itself: lines in plain text, marks in what recognisers write.
    marks
        The marks that end a unit, when marks do.
    most_errors
        The share of words in which two files may differ before they are refused.
    force
        Align files that differ more.
    """
    if output is None:
        raise InputError("an output is needed", fix="name a file with --output")
    if not references:
        raise InputError("a reference is needed", fix="name a file with --reference")
    limit = float("inf") if force else most_errors
    read = _Reader(units=units, marks=marks, most_errors=limit)
    sides = [read_texts(path) for path in references]
    texts = read_texts(output)
    names = _same_texts(references, sides, output, texts)
    panels: dict[str, Panel] = {}
    outputs: dict[str, Boundaries] = {}
    details: dict[str, object] = {}
    for name in names:
        people = _people(references, [side[name] for side in sides])
        answer = _only(texts[name], at=output)
        panels[name], outputs[name], told = read.pair(people, answer, at=(name, output))
        details[name] = told
    return Pairing(
        panels,
        outputs,
        reference_name="+".join(path.stem for path in references),
        output_name=output.stem,
        details={"texts": details, **_warnings(panels)},
    )


class _Reader:
    """How files are read and brought together."""

    def __init__(self, *, units: Units | None, marks: str, most_errors: float) -> None:
        self.units, self.marks, self.most_errors = units, marks, most_errors

    def pair(
        self, people: dict[str, Marked], answer: Marked, *, at: tuple[str, Path]
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

    def _place(self, base: Marked, one: Marked, name: str, told: dict[str, Any]) -> Boundaries:
        own = one.boundaries(units=self.units, marks=self.marks)
        found = match(base, one, own, at=name, most_errors=self.most_errors)
        if found.error_rate > 0:
            told.setdefault("alignment", {})[name] = found.as_json()
        return found.boundaries


def _same_texts(
    references: tuple[Path, ...],
    sides: list[dict[str, dict[str, Marked]]],
    output: Path,
    texts: dict[str, dict[str, Marked]],
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


def _people(references: tuple[Path, ...], sides: list[dict[str, Marked]]) -> dict[str, Marked]:
    """Every reference of one text, by a name of its own."""
    people: dict[str, Marked] = {}
    for path, side in zip(references, sides, strict=True):
        for who, one in side.items():
            name = who if who not in people else f"{who} ({path.parent.name})"
            while name in people:
                name += "'"
            people[name] = one
    return people


def _only(people: dict[str, Marked], *, at: Path) -> Marked:
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
