"""The board of a phase: teams beside the organiser's baselines and people, with ranges of ranks.

The public board is made by workers when submissions were scored, and stored in the database, so
that showing it costs nothing. Before a blind phase is unblinded, and in a phase that shows a
verdict, a board says who handed something in and no more.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from earmark import __version__
from earmark.files.digest import content_digest
from earmark.files.folder import write_files
from earmark.run.phases import Phase
from earmark.study.challenge import Challenge
from earmark.study.places import MATERIAL, input_digests, output_files
from earmark.study.results import BoardSnapshot
from earmark.study.score import score_files
from earmark.task.task import Json
from earmark.values.errors import StudyError

# While submissions are waiting, the board is made anew at most so often, in seconds.
PATIENCE = 60.0
TOLD_OF_COST = ("seconds", "cpu_seconds", "megabytes", "real_time_factor")

FOLDER = "boards"  # in the study's folder: what `score --phase` writes

Row = Mapping[str, Any]


def refresh_boards(challenge: Challenge, *, now: bool = False) -> None:
    """Make and store the public boards that are out of date; those of a busy phase wait a while."""
    from earmark.run.phases import WAITING
    from earmark.run.queue_reads import database_time, state_counts, stored_board

    for phase in challenge.phases.values():
        stored, key = stored_board(challenge.engine, phase.name), board_key(challenge, phase)
        if stored is not None and stored["key"] == key:
            continue
        counts = state_counts(challenge.engine, phase.name)
        waiting = sum(counts.get(state, 0) for state in WAITING)
        age = database_time(challenge.engine) - stored["made"] if stored else PATIENCE
        if now or not waiting or age >= PATIENCE:
            _store(challenge, phase, key)


def _store(challenge: Challenge, phase: Phase, key: str) -> Json:
    from earmark.run.queue_reads import store_board

    document = phase_board(challenge, phase)
    store_board(challenge.engine, phase.name, key, document)
    return document


def public_board(challenge: Challenge, phase: Phase) -> Json:
    """Return the board that anybody may see: the one that was made last, or a new one."""
    from earmark.run.queue_reads import stored_board

    stored = stored_board(challenge.engine, phase.name)
    # What was made before a phase was unblinded, or after, is never shown in the place of the other
    if stored is not None and bool(stored["document"]["shows"]) == shows_scores(challenge, phase):
        return _without_those_who_left(challenge, phase, stored)
    return _store(challenge, phase, board_key(challenge, phase))


def _without_those_who_left(challenge: Challenge, phase: Phase, stored: Row) -> Json:
    """Return a stored board without those who withdrew since: they are off it at once."""
    document = stored["document"]
    here = {row["team"] for row in _entries(challenge, phase, public=True)}
    rows = [row for row in document["rows"] if row["kind"] != "team" or row["system"] in here]
    history = {team: points for team, points in document["history"].items() if team in here}
    facts = {"rows": rows, "history": history, "received": _received(challenge, phase)}
    return {**document, **facts, "made": stored["made"]}


def shows_scores(challenge: Challenge, phase: Phase) -> bool:
    """Return whether the scores of a phase may be shown."""
    from earmark.run.queue_reads import unblinding

    if phase.shows == "scores":
        return True
    return phase.is_blind and unblinding(challenge.engine, phase.name) is not None


def board_key(challenge: Challenge, phase: Phase) -> str:
    """Return the digest of what a public board is made from."""
    data = challenge.data(phase)
    parts = {
        "entries": [row["id"] for row in _entries(challenge, phase, public=True)],
        "received": _received(challenge, phase),
        "baselines": [str(path.stat().st_mtime_ns) for path in output_files(data.folder)],
        "material": input_digests(data.folder, MATERIAL),
        "rules": [repr(challenge.rules), repr(phase)],
        "shows": shows_scores(challenge, phase),
        "earmark": __version__,
    }
    return content_digest(json.dumps(parts, sort_keys=True))


def _entries(challenge: Challenge, phase: Phase, *, public: bool) -> list[Row]:
    """Return the scored submissions; the public board of a frozen phase has those before only."""
    from earmark.run.queue_reads import database_time, on_board

    freeze = phase.freeze if public else None
    if freeze is not None and database_time(challenge.engine) < freeze:
        freeze = None
    return list(on_board(challenge.engine, phase.name, before=freeze))


def _received(challenge: Challenge, phase: Phase) -> list[Json]:
    """Return which teams handed something in and when last; those that withdrew are left out."""
    from earmark.run.queue_reads import submissions
    from earmark.run.teams import teams

    left = {team.name for team in teams(challenge.engine) if team.withdrawn is not None}
    latest: dict[str, Json] = {}
    for row in submissions(challenge.engine, phase=phase.name):
        if row["withdrawn"] is None and row["team"] not in left:
            latest.setdefault(row["team"], {"team": row["team"], "submitted": row["submitted"]})
    return sorted(latest.values(), key=lambda one: str(one["team"]))


def phase_board(challenge: Challenge, phase: Phase, *, public: bool = True) -> Json:
    """Return the board of a phase as one document; `public` leaves out what came after a freeze."""
    from earmark.run.queue_reads import unblinding

    shows = shows_scores(challenge, phase)
    act = unblinding(challenge.engine, phase.name)
    metric = challenge.rules.metric
    document = {
        "title": challenge.rules.title or challenge.study.name,
        "task": challenge.study.task.name,
        "phase": phase.name,
        "rules": _rules(phase),
        "shows": shows,
        "unblinded": {"time": act["time"], "name": act["name"]} if act else None,
        "metric": metric,
        "scorer": f"earmark {__version__}",
        "rows": [],
        "people": None,
        "history": {},
        "received": _received(challenge, phase),
    }
    if not shows:
        return document
    entries = _entries(challenge, phase, public=public)
    return {**document, **_ranked(challenge, phase, entries)}


def _rules(phase: Phase) -> Json:
    names = ("shows", "tries_a_day", "tries", "opens", "closes", "freeze", "counts")
    return {name: getattr(phase, name) for name in names}


def _ranked(challenge: Challenge, phase: Phase, entries: Sequence[Row]) -> Json:
    rules, data = challenge.rules, challenge.data(phase)
    higher = data.task.score[rules.metric]().higher_is_better
    counted = _counted(entries, rules.metric, phase, higher=higher)
    places = {
        team: challenge.results(row["reused_from"] or row["id"]) for team, row in counted.items()
    }
    view = BoardSnapshot(data, places)
    history = _history(entries, rules.metric)
    if not view.outputs():
        return {"higher_is_better": higher, "history": history}
    reference = view.reference(rules.reference)
    files = score_files(view, reference, rules.recipe())
    board = files[f"board-{reference.name}.json"]["metrics"]
    values = {
        metric: {row["system"]: {n: row[n] for n in ("value", "low", "high")} for row in rows}
        for metric, rows in board.items()
    }
    tries = {team: [r["submitted"] for r in entries if r["team"] == team] for team in counted}
    rows = [
        {
            **row,
            "kind": "team" if row["system"] in counted else "baseline",
            "metrics": {metric: own[row["system"]] for metric, own in values.items()},
            **_facts(counted.get(row["system"]), tries.get(row["system"], [])),
        }
        for row in board[rules.metric]
    ]
    people = files.get(f"people-{reference.name}.json")
    return {
        "higher_is_better": higher,
        "reference": reference.name,
        "rows": rows,
        "people": _people(people, rules.metric),
        "history": history,
    }


def _counted(entries: Sequence[Row], metric: str, phase: Phase, *, higher: bool) -> dict[str, Row]:
    """Return the submission of each team that the board has: its best or its last."""
    counted: dict[str, Row] = {}
    for row in entries:
        value, before = _value(row, metric), counted.get(row["team"])
        if value is None:
            continue
        best = None if before is None else _value(before, metric)
        is_better = best is None or (value > best if higher else value < best)
        if phase.counts == "last" or is_better:
            counted[row["team"]] = row
    return counted


def _value(row: Row, metric: str) -> float | None:
    value: float | None = (row["scores"] or {}).get(metric, {}).get("value")
    return value


def _history(entries: Sequence[Row], metric: str) -> Json:
    """Return each team's scored submissions over time."""
    history: Json = {}
    for row in entries:
        point = {"submitted": row["submitted"], "value": _value(row, metric)}
        history.setdefault(row["team"], []).append(point)
    return history


def _facts(row: Row | None, tries: Sequence[float]) -> Json:
    """Return what a team's row links to: digest, isolation, cost; empty for a baseline."""
    if row is None:
        return {}
    result = row["result"] or {}
    cost = result.get("cost") or {}
    return {
        "submitted": row["submitted"],
        "scored_submissions": len(tries),
        "digest": row["digest"],
        "status": result.get("status"),
        "isolation": result.get("isolation"),
        "reused": row["reused_from"] is not None,
        "cost": {name: cost.get(name) for name in TOLD_OF_COST},
    }


def _people(people: Json | None, metric: str) -> Json | None:
    """Return people's mean beside the systems, by the board's metric."""
    if people is None or metric not in people["metrics"]:
        return None
    own = people["metrics"][metric]["people"]
    return {"who": people["who"], "scored": people["scored"], **own}


def require_shown(challenge: Challenge, phase: Phase) -> None:
    """Raise StudyError if a phase is blind: looking at its scores is an act of its own."""
    if phase.is_blind and not shows_scores(challenge, phase):
        name = challenge.study.name
        raise StudyError(
            f"the phase {phase.name} is blind",
            at=name,
            fix=f'earmark unblind {name} --phase {phase.name} --by "YOUR NAME"',
        )


def write_board(challenge: Challenge, phase: Phase) -> Json:
    """Write a phase's board as JSON, CSV and a page into `boards/PHASE`, and return it."""
    from earmark.report.challenge import board_csv, board_page
    from earmark.report.metric_names import MetricNames

    require_shown(challenge, phase)
    document = {**phase_board(challenge, phase, public=False), "made": _now(challenge)}
    metric = MetricNames(challenge.study.task)[challenge.rules.metric]
    files = {
        "board.json": json.dumps(document, indent=1, allow_nan=False) + "\n",
        "board.csv": board_csv(document),
        "index.html": board_page(document, metric),
    }
    write_files(challenge.study.folder / FOLDER / phase.name, files)
    return document


def _now(challenge: Challenge) -> float:
    from earmark.run.queue_reads import database_time

    return database_time(challenge.engine)


def verdicts(challenge: Challenge, phase: Phase) -> list[Json]:
    """Return how each team's last submission to a phase ended, for the organiser."""
    from earmark.run.queue_reads import steps_of, submissions
    from earmark.run.visible import view

    latest: dict[str, Row] = {}
    for row in submissions(challenge.engine, phase=phase.name):
        if row["withdrawn"] is None:
            latest.setdefault(row["team"], row)
    rows = [
        view(row, steps_of(challenge.engine, row), phase, unblinded=False)
        for row in latest.values()
    ]
    return sorted(rows, key=lambda one: str(one["team"]))
