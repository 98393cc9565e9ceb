"""Tables of people's answers as they are: our own, MTurk's results, Prolific's, any by `--columns`.

Every table becomes rows of item, person and the fields that a task asks for. What a requester
rejected, or a participant gave back, is left out with a count; nothing else is skipped.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from earmark.files.json_text import JsonError, parse_json
from earmark.tables.rows import in_known_case, open_table, read_number, unquoted
from earmark.task.options import option
from earmark.task.progress import notify
from earmark.values import checks
from earmark.values.errors import InputError

JOIN = "|"
GIVEN_AT = "given_at"  # the column that says when an answer was given
ANSWER, INPUT = "Answer.", "Input."
TICKED = {"true", "on", "1", "yes"}
NOT_TICKED = {"", "false", "off", "0", "no"}
# MTurk appends these two to the header, for a requester to fill; rows may end before them.
TO_FILL = ("Approve", "Reject")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerColumns:
    """Which columns of a table of answers hold what."""

    columns: str | None = option(
        None,
        "Which columns hold what, for instance "
        "person=WorkerId,item=Input.audio_url,labels=Answer.tags.",
    )

    def named(self, known: Sequence[str]) -> dict[str, str]:
        """Return what is held to its column; raise InputError for a name that is not known."""
        pairs: dict[str, str] = {}
        for part in (self.columns or "").split(",") if self.columns is not None else ():
            name, equals, column = part.partition("=")
            if not equals or not name.strip() or not column.strip():
                raise InputError(
                    "columns are named as what=COLUMN",
                    at="--columns",
                    got=part or "nothing",
                    want=", ".join(f"{each}=COLUMN" for each in known),
                )
            checks.one_of(name.strip(), known, what="part of an answer", at="--columns")
            if name.strip() in pairs:
                raise InputError("a part of an answer has one column", at="--columns", got=part)
            pairs[name.strip()] = column.strip()
        return pairs


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One person's answer to one item, as written in a file; `at` is file and line.

    `cells` has the fields that were asked for and are there. `regions` are what somebody marked
    in Label Studio, where the file is its export.
    """

    at: str
    item: str
    person: str
    cells: Mapping[str, str]
    seconds_taken: float | None = None
    regions: tuple[dict[str, object], ...] | None = None
    given_at: str | None = None  # ISO 8601


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """Who wrote a table: the columns it has by itself, and which answers do not count."""

    name: str
    person: tuple[str, ...]
    item: str = "item"
    seconds: tuple[str, ...] = ("seconds",)
    status: tuple[str, ...] = ()
    left_out: frozenset[str] = field(default_factory=frozenset)
    prefix: str = ""


PLAIN = AnswerSource("plain", ("person",))
MTURK = AnswerSource(
    "MTurk",
    ("WorkerId",),
    f"{INPUT}item",
    ("WorkTimeInSeconds",),
    ("AssignmentStatus",),
    frozenset({"rejected"}),
    ANSWER,
)
PROLIFIC = AnswerSource(
    "Prolific",
    ("PROLIFIC_PID", "Participant id", "participant_id", "Participant ID"),
    seconds=("Time taken", "time_taken", "seconds"),
    status=("Status", "status"),
    left_out=frozenset({"rejected", "returned", "timed-out", "timed out", "timed_out"}),
)
# Chooses the column that names the item, of columns with their values; None if none is certain.
Chooser = Callable[[Mapping[str, Sequence[str]]], str | None]


def read_answer_table(
    path: Path,
    fields: Sequence[str],
    options: AnswerColumns = AnswerColumns(),
    choose: Chooser = lambda columns: None,
) -> list[AnswerRow]:
    """Return the rows of a table of answers whose writer is recognised from its header.

    `fields` are what a task asks for, of which a row has one or more.
    """
    header, lines = open_table(path, columns=(), may_lack=TO_FILL)
    parts = ("item", "person", "seconds", GIVEN_AT, *fields)
    named = options.named(parts)
    names = in_known_case(header.names, [*parts, *named.values(), *MTURK.person])
    for column in named.values():
        checks.one_of(column, names, what="column", at=f"{path}:1")
    source = _source(names, named, path)
    cells = [(f"{path}:{n}", dict(zip(names, row, strict=True))) for n, row in lines]
    counted = _counting(cells, source, path)
    item = named.get("item") or _item_column(names, source, counted, choose, path)
    person = named.get("person") or next(name for name in source.person if name in names)
    seconds = named.get("seconds") or next((n for n in source.seconds if n in names), "")
    given_at = named.get(GIVEN_AT, GIVEN_AT)
    own = {item, person, seconds, given_at, *source.status}
    return [
        AnswerRow(
            place,
            unquoted(row[item].strip()),
            unquoted(row[person].strip()),
            _fields(row, fields, named, source, own, place),
            _seconds(row.get(seconds, ""), place),
            given_at=read_time(row.get(given_at, ""), at=place),
        )
        for place, row in counted
    ]


def _source(names: Sequence[str], named: Mapping[str, str], path: Path) -> AnswerSource:
    for source in (MTURK, PROLIFIC, PLAIN):
        if any(name in names for name in source.person):
            return source
    if "person" in named and "item" in named:
        return PLAIN
    raise InputError(
        "an answer file must be plain, MTurk's, Prolific's or Label Studio's",
        at=f"{path}:1",
        got=", ".join(names),
        want="item,person and an answer; or a column WorkerId or PROLIFIC_PID; or JSON",
        fix="say which columns hold what: --columns person=COLUMN,item=COLUMN",
    )


Cells = list[tuple[str, dict[str, str]]]


def _counting(cells: Cells, source: AnswerSource, path: Path) -> Cells:
    """Return the rows that count; say how many were rejected or given back."""
    column = next((name for name in source.status if cells and name in cells[0][1]), None)
    if column is None:
        return cells
    words = [row[column].strip() for _, row in cells]
    gone = [word for word in words if word.lower() in source.left_out]
    if gone:
        answers = "answer is" if len(gone) == 1 else "answers are"
        why = f"{column} {', '.join(sorted(set(gone)))}"
        if len(gone) == len(cells):
            raise InputError("at least one answer must count", at=path, got=f"{len(gone)}, {why}")
        notify(f"{path.name}: {len(gone)} {answers} left out ({why})")
    return [
        pair for pair, word in zip(cells, words, strict=True) if word.lower() not in source.left_out
    ]


def _item_column(
    names: Sequence[str], source: AnswerSource, cells: Cells, choose: Chooser, path: Path
) -> str:
    """Return the column that names the item: the usual one, or the only one that can."""
    if source.item in names:
        return source.item
    inputs = [name for name in names if name.startswith(INPUT)] if source is MTURK else []
    chosen = choose({name: [row[name] for _, row in cells] for name in inputs or names})
    if chosen is None and len(inputs) == 1:
        chosen = inputs[0]
    if chosen is None:
        raise InputError(
            "the table lacks a column",
            at=f"{path}:1",
            got=", ".join(names),
            want=source.item,
            fix=f"add {source.item}, or say which it is: --columns item=COLUMN",
        )
    return chosen


def _seconds(cell: str, at: str) -> float | None:
    return read_number(cell, what="seconds", at=at) if cell.strip() else None


def read_time(cell: str, *, at: str) -> str | None:
    """Return a time as it is written; raise InputError if it is not ISO 8601."""
    if not cell.strip():
        return None
    try:
        datetime.fromisoformat(cell.strip())
    except ValueError as error:
        raise InputError(
            "the time of an answer must be ISO 8601",
            at=at,
            got=cell,
            want="for instance 2026-11-17T09:30:00+00:00",
            fix=f"correct it, or leave the column {GIVEN_AT} out",
        ) from error
    return cell.strip()


def _fields(
    row: Mapping[str, str],
    fields: Sequence[str],
    named: Mapping[str, str],
    source: AnswerSource,
    own: set[str],
    at: str,
) -> dict[str, str]:
    """Return the fields that a row has; raise InputError if it has none."""
    row = {**row, **_task_answers(row, at)} if source is MTURK else row
    cells: dict[str, str] = {}
    for name in fields:
        column = named.get(name, source.prefix + name)
        if column in row:
            cells[name] = row[column]
        elif source is MTURK:
            boxes = {c: v for c, v in row.items() if c.startswith(f"{column}.")}
            if boxes:
                cells[name] = JOIN.join(_ticked(boxes, f"{column}.", at))
    if not cells and source is MTURK and "labels" in fields:
        boxes = {c: v for c, v in row.items() if c.startswith(ANSWER) and c not in own}
        if boxes:
            cells["labels"] = JOIN.join(_ticked(boxes, ANSWER, at))
    if not cells:
        raise InputError(
            "an answer file needs a column with the answer",
            at=at,
            got=", ".join(name for name in row if name not in own),
            want=" or ".join(source.prefix + name for name in fields),
            fix=f"say which it is: --columns {fields[0]}=COLUMN",
        )
    return cells


def _ticked(boxes: Mapping[str, str], prefix: str, at: str) -> Iterator[str]:
    for name, cell in boxes.items():
        if cell.strip().lower() in TICKED:
            yield name.removeprefix(prefix).removesuffix(".on")
        elif cell.strip().lower() not in NOT_TICKED:
            raise InputError(
                "a box must be ticked or not",
                at=at,
                got=f"{name} = {cell}",
                fix=f"if the labels are in that column, say so: --columns labels={name}",
            )


def _task_answers(row: Mapping[str, str], at: str) -> dict[str, str]:
    """Return the answers that MTurk's newer forms put into one cell, as columns of their own."""
    text = row.get(f"{ANSWER}taskAnswers", "")
    if not text.strip():
        return {}
    try:
        value = parse_json(text)
        answers = value[0] if isinstance(value, list) and value else value
        pairs = list(answers.items())
    except (JsonError, AttributeError) as error:
        raise InputError("taskAnswers must be a list with one object", at=at, got=text) from error
    cells: dict[str, str] = {}
    for name, answer in pairs:
        if isinstance(answer, dict):
            cells.update({f"{ANSWER}{name}.{box}": str(on).lower() for box, on in answer.items()})
        else:
            cells[f"{ANSWER}{name}"] = str(answer)
    return cells


def split_labels(cell: str) -> tuple[str, ...]:
    """Return the labels that `|` joins; none for an empty cell, which is not the label `none`.

    Examples
    --------
    >>> split_labels("dog|siren"), split_labels("")
    (('dog', 'siren'), ())
    """
    return tuple(part.strip() for part in cell.split(JOIN)) if cell.strip() else ()
