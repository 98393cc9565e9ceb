"""Label Studio's JSON exports: tasks, their annotations, and the regions that somebody marked."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from earmark.files.json_text import read_json
from earmark.tables.answers import GIVEN_AT, AnswerColumns, AnswerRow, Chooser
from earmark.tables.rows import read_number
from earmark.task.progress import notify
from earmark.values.errors import InputError

Region = dict[str, Any]


def read_label_studio(
    path: Path,
    fields: Sequence[str],
    options: AnswerColumns = AnswerColumns(),
    choose: Chooser = lambda columns: None,
    judge: str = "",
) -> list[AnswerRow]:
    """Return one row per annotation; annotations that were skipped are left out, with a count.

    The item is `data.item`, what `--columns item=NAME` names, or the only part of the data that
    names questions. Where people judge what others gave, `judge` is the field that names who
    judged, and `data.person` whose it is.
    """
    tasks = read_json(path, what="a Label Studio export must be JSON")
    if not isinstance(tasks, list):
        raise InputError("a Label Studio export must be a list of tasks", at=path, got=type(tasks))
    places = [f"{path}, task {number}" for number in range(1, len(tasks) + 1)]
    data = [_data(task, place) for task, place in zip(tasks, places, strict=True)]
    name = options.named(("item", "person", "seconds", GIVEN_AT, *fields)).get("item")
    name = name or _item_name(data, choose)
    rows: list[AnswerRow] = []
    skipped = 0
    for task, own, place in zip(tasks, data, places, strict=True):
        if not own.get(name):
            raise InputError(
                "a Label Studio task must name its item", at=place, want=f"data.{name}"
            )
        for annotation in objects(task, "annotations", at=place):
            if annotation.get("was_cancelled"):
                skipped += 1
            else:
                row = _row(str(own[name]), annotation, place)
                rows.append(_judged(row, own, judge) if judge else row)
    if skipped:
        notify(f"{path.name}: {skipped} skipped annotations are left out (was_cancelled)")
    return rows


def _data(task: object, at: str) -> dict[str, Any]:
    if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        raise InputError("a Label Studio task needs data", at=at, want='{"data": {"item": ...}}')
    data: dict[str, Any] = task["data"]
    return data


def _item_name(data: Sequence[dict[str, Any]], choose: Chooser) -> str:
    names = list(dict.fromkeys(name for own in data for name in own))
    if "item" in names:
        return "item"
    columns = {name: [str(own.get(name, "")) for own in data] for name in names}
    return choose(columns) or "item"


def _row(item: str, annotation: dict[str, Any], at: str) -> AnswerRow:
    person = annotation.get("completed_by")
    name = person.get("email") or person.get("id") if isinstance(person, dict) else person
    if name is None:
        raise InputError("an annotation must say who made it", at=at, want="completed_by")
    lead = annotation.get("lead_time")
    seconds = None if lead is None else read_number(str(lead), what="lead_time", at=at)
    regions = tuple(objects(annotation, "result", at=at))
    return AnswerRow(at, item, str(name), {}, seconds, regions)


def _judged(row: AnswerRow, data: dict[str, Any], judge: str) -> AnswerRow:
    """Return the row of somebody who judged what another person gave."""
    if not data.get("person"):
        raise InputError(
            "a Label Studio task must name whose recording it is about",
            at=row.at,
            want="data.person",
            fix="make the tasks with earmark export STUDY DIR --to label-studio",
        )
    return replace(row, person=str(data["person"]), cells={judge: row.person})


def objects(record: dict[str, Any], name: str, *, at: str) -> list[Region]:
    """Return the objects that a record lists under a name; none if it lacks the name."""
    rows = record.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{name} must be a list of objects", at=at, got=rows)
    return rows


def labels_of_regions(regions: Sequence[Region], *, at: str) -> tuple[str, ...]:
    """Return the choices that were ticked and the labels of what was marked, each once."""
    labels: dict[str, None] = {}
    for region in regions:
        value = region.get("value")
        if not isinstance(value, dict):
            raise InputError("a result must have a value", at=at, got=region)
        for kind in ("choices", "labels", "text"):
            labels.update(dict.fromkeys(_texts(value, kind, at)))
    return tuple(labels)


def _texts(value: dict[str, Any], kind: str, at: str) -> list[str]:
    texts = value.get(kind, [])
    if kind == "text" and isinstance(texts, str):
        return []  # of a span: the words that it covers, no answer of its own
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{kind} must be a list of texts", at=at, got=value)
    return texts


def spans_of_regions(regions: Sequence[Region], text: str, *, at: str) -> list[tuple[int, int]]:
    """Return the first character of each marked span of a text, and the one after its last.

    A browser counts a character beyond the first 65,536, such as an emoji, as two. Which count a
    file has shows in the words that its spans say they cover.
    """
    spans = []
    for region in regions:
        value = region.get("value", {})
        if region.get("type") == "choices":
            continue
        offsets = value.get("globalOffsets", value) if isinstance(value, dict) else {}
        start, end = offsets.get("start"), offsets.get("end")
        if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end:
            raise InputError(
                "a marked span must have a start and an end",
                at=at,
                got=value,
                want='{"start": 3, "end": 8}, in characters',
            )
        spans.append(_checked_span(start, end, value.get("text"), text, at=at))
    return spans


def _checked_span(start: int, end: int, covered: object, text: str, *, at: str) -> tuple[int, int]:
    wide = text.encode("utf-16-le")
    halves = [len(wide[: 2 * place].decode("utf-16-le", "ignore")) for place in (start, end)]
    for low, high in ((start, end), (halves[0], halves[1])):
        if high <= len(text) and (not isinstance(covered, str) or text[low:high] == covered):
            return low, high
    raise InputError(
        "a marked span must lie within the text that was asked about",
        at=at,
        got=f"{start} to {end}: {covered}",
        want=f"a part of: {text}",
    )


def preferred_side(regions: Sequence[Region], *, at: str) -> str:
    """Return `left` or `right` of a pairwise comparison, or the one choice that was ticked."""
    for region in regions:
        value = region.get("value", {})
        if isinstance(value, dict) and isinstance(value.get("selected"), str):
            return str(value["selected"])
    choices = labels_of_regions(regions, at=at)
    if len(choices) != 1:
        raise InputError(
            "a comparison must have one answer", at=at, got=", ".join(choices) or "nothing"
        )
    return choices[0]
