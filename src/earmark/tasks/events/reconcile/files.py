"""Reconcile files of window answers without a study: two tables in, three tables out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from earmark.files.folder import write_file
from earmark.tables.answers import AnswerColumns, read_answer_table, split_labels
from earmark.tables.rows import read_number, read_table, write_table
from earmark.task.options import call_with
from earmark.task.task import Json
from earmark.tasks.events.files import write_events
from earmark.tasks.events.reconcile.options import WindowFileOptions
from earmark.tasks.events.reconcile.windows import by_recording, grid_of
from earmark.tasks.events.values import NONE, Tags, Timeline, check_time, labels_of, ticked_tags
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import some
from earmark.values.reference import Reference
from earmark.values.span import Span


@dataclass(frozen=True, slots=True)
class _AnswerRow:
    """A row of the table of answers, and where it was read."""

    place: str
    item: str
    person: str
    ticked: tuple[str, ...]


def reconcile_windows(
    answers: Path,
    options: WindowFileOptions = WindowFileOptions(),
    *,
    by: str = "mace",
    how: Mapping[str, object] | None = None,
    out: Path,
    seed: int = 0,
) -> Json:
    """Write `reference.csv` (item,label,doubt), `people.csv` and `events.tsv` to the folder `out`.

    `answers` has the columns item, person, labels (joined by `|`, `none` for nothing heard; other
    separators are read as `ask.labels` says); the table of windows has the columns item, recording,
    start, end. `how` are the options of the method `by`. Return how many items, people, answers,
    ticks per label, and events there are.
    """
    from earmark.tasks.events import METHODS

    method = METHODS[checks.one_of(by, METHODS, what="way of reconciling")]
    ballots = read_ballots(answers, options)
    what = f"reconciling by {by}"
    reference = call_with(method, ballots, options=how or {}, seed=seed, what=what)
    counts: dict[str, int] = {}
    for answer in ballots.answers:
        counts[answer.person] = counts.get(answer.person, 0) + 1
    people = (
        {"person": name, "competence": reference.people.get(name, ""), "answers": counts[name]}
        for name in sorted(counts)
    )
    rows = list(_reference_rows(ballots, reference))
    write_file(out / "reference.csv", write_table(("item", "label", "doubt"), rows))
    write_file(out / "people.csv", write_table(("person", "competence", "answers"), people))
    write_file(out / "events.tsv", write_events(reference.values))
    return {
        "items": len(ballots.items),
        "people": len(counts),
        "answers": len(ballots.answers),
        "labels": _ticks(ballots),
        "events": sum(len(line.events) for line in reference.values.values()),
    }


def _ticks(ballots: Ballots[Tags]) -> dict[str, int]:
    """Return how often each label on offer, and `none`, was ticked, to reveal a misspelling."""
    ticked = [answer.value.labels or {NONE} for answer in ballots.answers]
    offered = (*labels_of(ballots.items[0]), NONE)
    return {label: sum(label in labels for labels in ticked) for label in offered}


def read_ballots(answers: Path, options: WindowFileOptions) -> Ballots[Tags]:
    """Read the two tables; whatever is wrong in them is named by file and line."""
    if options.windows is None:
        raise InputError(
            "answers about windows need the windows",
            at=answers,
            want="a table with the columns item, recording, start, end",
            fix="pass --windows FILE",
        )
    rows = list(_answer_rows(answers, options))
    offered = tuple(sorted(options.labels or _labels_in(rows) - {NONE}))
    if not offered:
        raise InputError("somebody must have heard something", at=answers, got="no label at all")
    recordings = by_recording(_windows(options.windows, offered))
    grid_of(recordings)  # a gap is better reported here, by line, than as answers about no window
    windows = {window.id: window for row in recordings.values() for window in row}
    rows = _about_windows(rows, windows, options.windows)
    places: dict[tuple[str, str], str] = {}
    for row in rows:
        if (row.item, row.person) in places:
            raise InputError(
                "a person answers a window once",
                at=row.place,
                got=f"{row.person} about {row.item}, also at {places[row.item, row.person]}",
                fix="keep one of the two answers",
            )
        places[row.item, row.person] = row.place
    return Ballots(
        tuple(windows.values()),
        tuple(Answer(row.item, row.person, _tags(row, offered)) for row in rows),
    )


def _about_windows(
    rows: list[_AnswerRow], windows: Mapping[str, Item], path: Path
) -> list[_AnswerRow]:
    """Return the rows under the ids of the windows, given with or without URL and extension."""
    from earmark.ask.imports import match_units

    matches = match_units({row.item for row in rows}, list(windows.values()))
    unknown = [row for row in rows if row.item not in matches]
    if unknown:
        names = list(dict.fromkeys(row.item for row in unknown))
        raise InputError(
            "an answer must name a window of the table",
            at=unknown[0].place,
            got=f"{some(names)}, in {len(unknown)} of {len(rows)} answers",
            want=f"an item of {path}",
        )
    return [replace(row, item=matches[row.item]) for row in rows]


def _labels_in(rows: Iterable[_AnswerRow]) -> set[str]:
    from earmark.ask.labels import labels_in

    return labels_in((row.place, row.ticked) for row in rows)


def _tags(row: _AnswerRow, offered: tuple[str, ...]) -> Tags:
    from earmark.ask.labels import split_offered

    ticked = split_offered(row.ticked, (*offered, NONE))
    return ticked_tags(ticked, offered, at=row.place)


def _answer_rows(path: Path, options: AnswerColumns) -> Iterator[_AnswerRow]:
    for row in read_answer_table(path, ("labels",), options):
        for name, cell in (("item", row.item), ("person", row.person)):
            if not cell:
                raise InputError(f"an answer needs its {name}", at=row.at)
        yield _AnswerRow(row.at, row.item, row.person, split_labels(row.cells["labels"]))


def _windows(path: Path, labels: tuple[str, ...]) -> Iterator[Item]:
    """Yield the windows as items; their `text` is the place that `windows.place` reports."""
    places: dict[str, str] = {}
    details = {"labels": list(labels)}
    for line, row in read_table(path, columns=("item", "recording", "start", "end")):
        place = f"{path}:{line}"
        start = read_number(row["start"], what="start", at=place)
        end = read_number(row["end"], what="end", at=place)
        if not row["recording"].strip():
            raise InputError(
                "a window must name its recording", at=place, got=row["item"], want="a recording"
            )
        if not 0 <= start < end:
            raise InputError(
                "a window must end after it starts",
                at=place,
                got=f"{start:g} to {end:g}",
                want="0 <= start < end, in seconds",
                fix="correct the two times",
            )
        check_time(end, at=place)
        if row["item"] in places:
            raise InputError(
                "a window must be listed once", at=place, got=f"also at {places[row['item']]}"
            )
        places[row["item"]] = place
        yield Item(row["item"], "window", None, place, Span(start, end), row["recording"], details)


def _reference_rows(
    ballots: Ballots[Tags], reference: Reference[Timeline]
) -> Iterator[dict[str, object]]:
    """Yield each window with the labels that sound in it, and the mean doubt of its cells."""
    for item in ballots.items:
        if item.span is None:
            continue
        span, line = item.span, reference.values[item.group]
        labels = {e.label for e in line.events if e.onset < span.end and e.offset > span.start}
        doubt = [
            value
            for _, cells in line.doubt
            for value in cells[
                _cell(line, len(cells), span.start) : _cell(line, len(cells), span.end)
            ]
        ]
        mean = round(sum(doubt) / len(doubt), 6) if doubt else ""
        yield {"item": item.id, "label": "|".join(sorted(labels)) or NONE, "doubt": mean}


def _cell(line: Timeline, cells: int, seconds: float) -> int:
    """Return the number of the cell that begins at that time."""
    return round(seconds / line.duration * cells) if line.duration else 0
