"""Labels and verdicts of clips as Python callers give them: by speaker, rows, or paths."""

from collections.abc import Hashable, Iterator, Mapping
from numbers import Real
from pathlib import Path
from typing import Any

from earmark.tables.given import RowForm, existing_path, is_blank, is_path, listed
from earmark.task.task import Pairing
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values import checks
from earmark.values.errors import InputError

LABELS = RowForm(
    ("speaker", "clip", "label"),
    '{"ann": {"1.wav": 1, "2.wav": 0}}; rows ("ann", "1.wav", 1); dicts or a DataFrame with '
    "speaker, clip and label; or the path of a folder",
)
VERDICTS = RowForm(
    ("speaker", "clip", "awake"),
    '{"ann": {"1.wav": 1, "2.wav": (0, 0.2)}}; rows ("ann", "1.wav", 1, 0.8), the score if there '
    "is one; dicts or a DataFrame with speaker, clip, awake and score; or the path of a folder",
    optional=("score",),
)
Cells = tuple[str, list[Any]]


def given(reference: object, output: object) -> tuple[tuple[Any, ...], Any]:
    """Return two paths as they are; for anything else, the two sides paired."""
    if output is None:
        raise InputError("keywords are measured against a system's verdicts", want=VERDICTS.right)
    if is_path(reference) and is_path(output):
        return (existing_path(reference, right=LABELS.right),), existing_path(
            output, right=VERDICTS.right
        )
    for side, form in ((reference, LABELS), (output, VERDICTS)):
        if is_path(side):
            raise InputError(
                "both sides of keywords are paths, or neither", got=repr(side), want=form.right
            )
    trials = {
        _item(cells, place): Trial(str(cells[0]), _yes(cells[2], place, LABELS))
        for place, cells in _once(_rows(reference, LABELS, "the reference"))
    }
    _refuse_one_kind(trials)
    verdicts = {
        _item(cells, place): Verdict(_yes(cells[2], place, VERDICTS), _score(cells[3], place))
        for place, cells in _once(_rows(output, VERDICTS, "the output"))
    }
    verdicts = checks.renamed(verdicts, trials)
    checks.same_items(trials, verdicts)
    return (), Pairing(trials, verdicts, "given", "given")


def _refuse_one_kind(trials: Mapping[str, Trial]) -> None:
    """Raise InputError if a speaker has only clips that must wake, or only others."""
    labels: dict[str, set[bool]] = {}
    for trial in trials.values():
        labels.setdefault(trial.speaker, set()).add(trial.is_target)
    for speaker, own in labels.items():
        if len(own) < 2:
            raise InputError(
                "a speaker needs trials that must wake and trials that must not",
                at=f"the reference, speaker {speaker}",
                fix="leave this speaker out: there is no miss rate or no false-alarm rate",
            )


def _rows(value: object, form: RowForm, side: str) -> Iterator[Cells]:
    """Yield place and cells; speaker to clips is as good as rows."""
    if not isinstance(value, Mapping):
        yield from form.rows(value, side=side)
        return
    for speaker, clips in value.items():
        place = f"{side}, speaker {speaker}"
        if not isinstance(clips, Mapping):
            raise form.refused(clips, side=place)
        for clip, own in clips.items():
            cells = listed(own) or [own]
            padding = [None] * (len(form.columns) + len(form.optional) - 2 - len(cells))
            if 2 + len(cells) > len(form.columns) + len(form.optional):
                raise form.refused(own, side=f"{place}, clip {clip}")
            yield f"{place}, clip {clip}", [speaker, clip, *cells, *padding]


def _once(rows: Iterator[Cells]) -> Iterator[Cells]:
    seen: set[str] = set()
    for place, cells in rows:
        name = _item(cells, place)
        if name in seen:
            raise InputError("a clip of a speaker must appear once", at=place, got=name)
        seen.add(name)
        yield place, cells


def _item(cells: list[Any], place: str) -> str:
    speaker, clip = cells[:2]
    if not isinstance(speaker, str) or not isinstance(clip, str | Path) or not speaker:
        raise InputError("a speaker and a clip are texts", at=place, got=f"{speaker!r}, {clip!r}")
    return f"{speaker}/{clip}"


def _yes(value: object, place: str, form: RowForm) -> bool:
    if not isinstance(value, Hashable) or value not in (0, 1):
        raise InputError("a clip has 0 or 1", at=place, got=repr(value), want=form.right)
    return bool(value)


def _score(value: object, place: str) -> float | None:
    if is_blank(value):
        return None
    if not isinstance(value, Real):
        raise InputError("a score must be a number", at=place, got=repr(value))
    return float(value)
