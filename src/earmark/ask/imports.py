"""Answers that people gave elsewhere, matched with the questions that were asked.

Tables are read by `tables/answers.py`, Label Studio's exports by `ask/label_studio.py`; what the
answers mean is decided by the task. Nothing is skipped in silence.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote, urlsplit

from earmark.ask.label_studio import read_label_studio
from earmark.tables.answers import AnswerColumns, AnswerRow, read_answer_table
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import EXTENSION, match_names, some

# The part of a sound that a URL names: #t=10,20 or #t=10
TIMES = re.compile(r"(?:^|&)t=(?:npt:)?([\d.]+)")


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What a task asks for: the fields of an answer, and what one of its questions is called.

    `distinct` names a field that tells apart several answers about one person: who judged.
    """

    fields: tuple[str, ...]
    unit: str = "question"
    distinct: str = ""


def read_rows(
    path: Path,
    units: Sequence[Item],
    form: AnswerForm,
    options: AnswerColumns = AnswerColumns(),
) -> list[AnswerRow]:
    """Return the rows of an answer file, each under the id of the unit that it answers.

    JSON is a Label Studio export, anything else a table. Ids match with or without URL, folder and
    extension. Raise InputError for answers about something else, with their number, for an answer
    without a person, and for two of a person to one unit.
    """

    def choose(columns: Mapping[str, Sequence[str]]) -> str | None:
        """Return the only column all of whose cells name a unit."""
        fitting = [
            name
            for name, cells in columns.items()
            if len(match_units(set(cells), units)) == len(set(cells)) > 0
        ]
        return fitting[0] if len(fitting) == 1 else None

    if path.suffix.lower() == ".json":
        rows = read_label_studio(path, form.fields, options, choose, form.distinct)
    else:
        rows = read_answer_table(path, form.fields, options, choose)
    matches = match_units({row.item for row in rows}, units)
    _refuse_unknown(rows, matches, units, form)
    rows = [replace(row, item=matches[row.item]) for row in rows]
    _refuse_twice(rows, form)
    return rows


def _refuse_unknown(
    rows: Sequence[AnswerRow], matches: Mapping[str, str], units: Sequence[Item], form: AnswerForm
) -> None:
    unknown = [row for row in rows if row.item not in matches]
    if not unknown:
        return
    names = list(dict.fromkeys(row.item for row in unknown))
    near = get_close_matches(names[0], [unit.id for unit in units], n=1)
    raise InputError(
        f"an answer must be about a {form.unit} that was asked",
        at=unknown[0].at,
        got=f"{some(names, form.unit)} that nobody asked, in {len(unknown)} of {len(rows)} answers",
        want="the ids of 2-answers/units.jsonl, with or without URL, folder and extension",
        fix=f"did you mean {near[0]}?"
        if near
        else "ask with the same options as then, or name the column: --columns item=COLUMN",
    )


def _refuse_twice(rows: Sequence[AnswerRow], form: AnswerForm) -> None:
    places: dict[tuple[str, str, str], str] = {}
    for row in rows:
        if not row.person:
            raise InputError("an answer must say whose it is", at=row.at, want="a person")
        key = (row.item, row.person, row.cells.get(form.distinct, ""))
        if key in places:
            raise InputError(
                f"a person answers a {form.unit} once",
                at=row.at,
                got=f"{row.person} about {row.item}, also at {places[key]}",
                fix="keep one of the two answers",
            )
        places[key] = row.at


def match_units(names: Collection[str], units: Sequence[Item]) -> dict[str, str]:
    """Return name to unit id, for those names that are certain: ids, files or URLs of sounds.

    Examples
    --------
    >>> match_units(["https://example.org/a/r%401.wav?v=2"], [Item("r@1", "window")])
    {'https://example.org/a/r%401.wav?v=2': 'r@1'}
    """
    ids = {unit.id for unit in units}
    plain = {name: name if name in ids else _path_of(name) for name in names}
    shorts = list(dict.fromkeys(plain.values()))
    matches = {**_by_ending(shorts, ids), **match_names(shorts, ids)}
    matched = {name: matches[short] for name, short in plain.items() if short in matches}
    rest = [name for name in names if name not in matched]
    return {**matched, **_by_sound(rest, units)} if rest else matched


def _path_of(name: str) -> str:
    """Return what a URL names, without its host, query and fragment."""
    if "://" not in name:
        return name.partition("#")[0] if TIMES.search(name.partition("#")[2]) else name
    return unquote(urlsplit(name).path).lstrip("/")


def _by_ending(paths: Sequence[str], ids: Collection[str]) -> dict[str, str]:
    """Return path to the id that it ends in, folders among it; only where no other path does."""
    endings: dict[str, list[str]] = {}
    for path in paths:
        parts = path.split("/")
        tails = ("/".join(parts[k:]) for k in range(len(parts) - 1))
        ending = next((t for tail in tails for t in (tail, _bare(tail)) if t in ids), None)
        if ending is not None:
            endings.setdefault(ending, []).append(path)
    return {paths[0]: ending for ending, paths in endings.items() if len(paths) == 1}


def _bare(path: str) -> str:
    return EXTENSION.sub("", path)


def _by_sound(names: Sequence[str], units: Sequence[Item]) -> dict[str, str]:
    """Return name to unit for names of sounds: with the time at which a unit starts, if several."""
    sounds: dict[str, dict[float | None, list[str]]] = {}
    for unit in units:
        if unit.media:
            start = unit.span.start if unit.span else None
            sounds.setdefault(unit.media, {}).setdefault(start, []).append(unit.id)
    files = match_names(list(dict.fromkeys(_path_of(name) for name in names)), list(sounds))
    result = {}
    for name in names:
        starts = sounds.get(files.get(_path_of(name), ""), {})
        time = TIMES.search(name.partition("#")[2])
        start = float(time.group(1)) if time and time.group(1).count(".") < 2 else None
        if start is None and len(starts) == 1:
            start = next(iter(starts))
        alone = starts.get(start, [])
        if len(alone) == 1:
            result[name] = alone[0]
    return result
