"""`earmark score STUDY --phase P`: the board of a challenge's phase."""

from collections.abc import Iterator
from typing import Any

from earmark.cli.terminal import DONE, NO, Terminal
from earmark.run.phases import utc
from earmark.score.text_table import aligned
from earmark.task.task import Json


def print_board(terminal: Terminal, values: dict[str, Any]) -> int:
    """Write and print a board; the exit code is 1 where nobody is on it."""
    from earmark.study.challenge import Challenge
    from earmark.study.phase_board import FOLDER, verdicts, write_board

    challenge = Challenge.open(values["study"], values["database"])
    phase = challenge.phase(values["phase"])
    document = write_board(challenge, phase)
    if not document["shows"]:
        document["verdicts"] = verdicts(challenge, phase)
    challenge.close()
    place = challenge.study.folder / FOLDER / phase.name / "index.html"
    terminal.as_json |= values["format"] == "json"
    terminal.result({**document, "page": str(place)}, lambda: _lines(document, str(place)))
    return DONE if document["rows"] or document.get("verdicts") else NO


def _lines(document: Json, page: str) -> Iterator[str]:
    yield f"{document['title']}, {document['phase']}"
    if document["unblinded"]:
        act = document["unblinded"]
        yield f"unblinded on {utc(act['time'])} by {act['name']}"
    if not document["shows"]:
        rows = [[one["team"], one["state"], one["reason"]] for one in document["verdicts"]]
        yield from aligned([["team", "verdict", "reason"], *rows])
    elif document["rows"]:
        yield from _board_lines(document)
    else:
        yield "nothing was scored yet"
    yield f"page, CSV and JSON: {page}"


def _board_lines(document: Json) -> Iterator[str]:
    arrow = "↑" if document["higher_is_better"] else "↓"
    head = ["rank", "team", f"{document['metric']} {arrow}", "interval", "ties", "handed in"]
    head += ["seconds", "isolation", "digest"]
    yield from aligned([head, *(_row(row) for row in document["rows"])])
    people = document["people"]
    if people and people["value"] is not None:
        yield f"{people['scored']} {people['who']}: {people['value']:.3f}"
    if why := next((row["why"] for row in document["rows"] if row.get("why")), ""):
        yield why


def _row(row: Json) -> list[str]:
    from earmark.report.challenge import isolation_text

    low, high = row["rank_low"], row["rank_high"]
    rank = "-" if row["rank"] is None else str(low) if low == high else f"{low}-{high}"
    value = "-" if row["value"] is None else f"{row['value']:.3f}"
    interval = "" if row["low"] is None else f"[{row['low']:.3f}, {row['high']:.3f}]"
    cells = [rank, row["system"], value, interval, row.get("groups") or ""]
    if row["kind"] == "baseline":
        return [*cells, "baseline", "", "", ""]
    seconds = row["cost"]["seconds"]
    cost = "" if seconds is None else f"{seconds:.1f}"
    partial = "" if row["status"] == "done" else f" ({row['status']})"
    isolation = isolation_text(row["isolation"])
    return [*cells, utc(row["submitted"]) + partial, cost, isolation, row["digest"][:12]]
