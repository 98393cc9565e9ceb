"""Reconcile bare files of window answers: two tables in, a reference, people and events out."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark.files.folder import write_file
from earmark.files.table import read_number, read_table, write_table
from earmark.task.options import given_to
from earmark.tasks.events import reconcile
from earmark.tasks.events.ask import labels_of, tags
from earmark.tasks.events.files import write_events
from earmark.tasks.events.values import NONE, Tags, Timeline
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference
from earmark.values.span import Span

Method = Callable[..., Reference[Timeline]]
METHODS: dict[str, Method] = {
    "mace": reconcile.by_mace,
    "majority": reconcile.by_majority,
    "union": reconcile.by_union,
    "share": reconcile.by_share,
    "trusted": reconcile.by_trusted,
    "dawid-skene": reconcile.by_dawid_skene,
    "window-hmm": reconcile.by_window_hmm,
}


def reconcile_windows(  # noqa: PLR0913
    answers: Path,
    *,
    windows: Path | None = None,
    by: str = "mace",
    out: Path,
    seed: int = 0,
    labels: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> dict[str, object]:
    """Write `reference.csv` (item,label,doubt), `people.csv` and `events.tsv`.

    `answers` has the columns item, person, labels (joined by `|`, `none` for nothing heard);
    `windows` the columns item, recording, start, end. `labels` are those that were offered; when
    left out, those that anybody ticked. `options` are the method's own.

    Parameters
    ----------
    windows
        The table of windows.
    by
        The way of reconciling.
    labels
        The labels that were offered; by default those that anybody ticked.
    """
    if windows is None:
        raise InputError(
            "answers about windows need the windows",
            at=answers,
            want="a table with the columns item, recording, start, end",
            fix="pass --windows FILE",
        )
    method = METHODS[checks.one_of(by, METHODS, what="way of reconciling")]
    ballots = read_ballots(answers, windows, labels)
    reference = method(ballots, seed=seed, **given_to(method, options or {}))
    counts: dict[str, int] = {}
    for answer in ballots.answers:
        counts[answer.person] = counts.get(answer.person, 0) + 1
    people = (
        {"person": name, "competence": reference.people.get(name, ""), "answers": counts[name]}
        for name in sorted(counts)
    )
    rows = list(_tagged(ballots, reference))
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
    """How often each label that was offered, and `none`, was ticked; a misspelling is seen here."""
    said = [answer.value.labels or {NONE} for answer in ballots.answers]
    offered = (*labels_of(ballots.items[0]), NONE)
    return {label: sum(label in ticked for ticked in said) for label in offered}


def read_ballots(answers: Path, windows: Path, labels: tuple[str, ...] = ()) -> Ballots[Tags]:
    """Two tables as ballots; whatever is wrong is named by file and line."""
    rows = list(_answer_rows(answers))
    ticked = {label for _, _, _, chosen in rows for label in chosen if label}
    offered = tuple(sorted(labels or ticked - {NONE}))
    if not offered:
        raise InputError("somebody must have heard something", at=answers, got="no label at all")
    items = {item.id: item for item in _windows(windows, offered)}
    given: dict[tuple[str, str], Answer[Tags]] = {}
    lines: dict[tuple[str, str], int] = {}
    for line, item, person, chosen in rows:
        at = f"{answers}:{line}"
        if item not in items:
            raise InputError(
                "an answer must speak of a window of the table",
                at=at,
                got=item,
                want=f"an item of {windows}",
            )
        if (item, person) in given:
            raise InputError(
                "a person answers a window once",
                at=at,
                got=f"{person} about {item}, also in line {lines[item, person]}",
                fix="keep one of the two answers",
            )
        given[item, person] = Answer(item, person, tags(chosen, offered, at=at))
        lines[item, person] = line
    unanswered = [item for item in items if item not in {pair[0] for pair in given}]
    if unanswered:
        first = items[unanswered[0]]
        raise InputError(
            "every window needs an answer",
            at=first.text,
            got=f"{len(unanswered)} windows without one, {first.id} first",
            fix=f"add the answers to {answers}, or remove the recording from the windows",
        )
    return Ballots(tuple(items.values()), tuple(given.values()))


def _answer_rows(path: Path) -> Iterator[tuple[int, str, str, tuple[str, ...]]]:
    from earmark.ask.imports import split_labels

    for line, row in read_table(path, columns=("item", "person", "labels")):
        for name in ("item", "person"):
            if not row[name].strip():
                raise InputError(f"an answer needs its {name}", at=f"{path}:{line}")
        yield line, row["item"], row["person"], split_labels(row["labels"])


def _windows(path: Path, labels: tuple[str, ...]) -> Iterator[Item]:
    """The windows in order of time; `text` keeps where each stands."""
    from earmark.tasks.events.gather import Window, grid

    seen: dict[str, str] = {}
    found: dict[str, list[Window]] = {}
    for line, row in read_table(path, columns=("item", "recording", "start", "end")):
        at = f"{path}:{line}"
        start = read_number(row["start"], what="start", at=at)
        end = read_number(row["end"], what="end", at=at)
        if not row["recording"].strip():
            raise InputError(
                "a window must name its recording", at=at, got=row["item"], want="a recording"
            )
        if not 0 <= start < end:
            raise InputError(
                "a window must end after it starts",
                at=at,
                got=f"{start:g} to {end:g}",
                want="0 <= start < end, in seconds",
                fix="correct the two times",
            )
        if row["item"] in seen:
            raise InputError("a window stands once", at=at, got=f"also at {seen[row['item']]}")
        seen[row["item"]] = at
        window = Window(row["item"], row["recording"], start, end, at)
        found.setdefault(row["recording"], []).append(window)
    grid(found)
    details = {"labels": list(labels)}
    for windows in found.values():
        for each in sorted(windows, key=lambda window: window.start):
            span = Span(each.start, each.end)
            yield Item(each.id, "window", None, each.at, span, each.recording, details)


def _tagged(ballots: Ballots[Tags], reference: Reference[Timeline]) -> Iterator[dict[str, object]]:
    """Each window with the labels that sound in it, and the mean doubt of its seconds."""
    for item in ballots.items:
        if item.span is None:
            continue
        span, line = item.span, reference.values[item.group]
        held = {e.label for e in line.events if e.onset < span.end and e.offset > span.start}
        doubt = [
            value
            for _, row in line.doubt
            for value in row[_cell(line, row, span.start) : _cell(line, row, span.end)]
        ]
        mean = round(sum(doubt) / len(doubt), 6) if doubt else ""
        yield {"item": item.id, "label": "|".join(sorted(held)) or NONE, "doubt": mean}


def _cell(line: Timeline, row: tuple[float, ...], at: float) -> int:
    return round(at / line.duration * len(row)) if line.duration else 0
