"""What an organiser does with a challenge: sets it up, looks at it, unblinds it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earmark.run.phases import DEFAULTS, WAITING, Phase
from earmark.study.challenge import Challenge, Rules
from earmark.study.places import SETTINGS
from earmark.study.settings import organisers_tables, write_organisers_tables
from earmark.study.study import Study
from earmark.study.writing import writing
from earmark.task.task import Json
from earmark.values.errors import InputError, StudyError

# What the first call writes; every value may be edited in study.toml.
PHASES: Mapping[str, Json] = {
    "feedback": {"shows": "scores", "tries_a_day": 5},
    "check": {"shows": "verdict", "tries": 1},
    "final": {"shows": "nothing", "tries": 1},
}
# Which phase runs on the data of which option.
OTHER_DATA = {"private": "final", "practice": "practice"}


def set_up(folder: Path, given: Mapping[str, Any]) -> None:
    """Write the tables of a challenge into study.toml if they are missing or something is given.

    `given` has a title, a metric, the studies of the private and of the practice data, or None.
    """
    study = Study.open(folder)
    tables = organisers_tables(study.folder)
    chosen = {name: value for name, value in given.items() if value is not None}
    if "phases" in tables and not chosen:
        return
    if study.task.submission is None:
        raise StudyError(f"{study.task.name} takes no submissions", at=study.name)
    phases = {name: dict(table) for name, table in tables.get("phases", PHASES).items()}
    for option, phase in OTHER_DATA.items():
        if (other := chosen.pop(option, None)) is not None:
            table = phases.setdefault(phase, dict(DEFAULTS[phase]))
            table["data"] = _other_data(study, other, option)
    after = {**tables, "challenge": {**tables.get("challenge", {}), **chosen}, "phases": phases}
    with writing(study.folder, "challenge"):
        before = (study.folder / SETTINGS).read_bytes()
        write_organisers_tables(study.folder, after)
        try:
            opened = Study.open(study.folder).snapshot()
            Rules.of(opened)
        except InputError:
            (study.folder / SETTINGS).write_bytes(before)
            raise


def _other_data(study: Study, folder: Path, what: str) -> str:
    """Return the path of another study from this one's folder, after a look at it."""
    other = Study.open(folder)
    if other.task.name != study.task.name:
        raise StudyError(
            f"the {what} data are a study of the same task",
            at=folder,
            got=other.task.name,
            want=study.task.name,
        )
    if other.folder.resolve() == study.folder.resolve():
        raise StudyError(f"the {what} data are another study", at=folder)
    other.reference()
    return os.path.relpath(other.folder.resolve(), study.folder.resolve())


def status(challenge: Challenge) -> Json:
    """Return how a challenge stands: its phases and their submissions, teams, failures of ours."""
    from earmark.run.queue_reads import submissions, unblinding
    from earmark.run.teams import teams

    rows = submissions(challenge.engine)
    phases = []
    for phase in challenge.phases.values():
        own = [row["state"] for row in rows if row["phase"] == phase.name]
        act = unblinding(challenge.engine, phase.name)
        phases.append(
            {
                "name": phase.name,
                "shows": phase.shows,
                "tries_a_day": phase.tries_a_day,
                "tries": phase.tries,
                "data": challenge.data(phase).name,
                "opens": phase.opens,
                "closes": phase.closes,
                "states": {state: own.count(state) for state in dict.fromkeys(own)},
                "unblinded": {"time": act["time"], "name": act["name"]} if act else None,
            }
        )
    return {
        "study": challenge.study.name,
        "title": challenge.rules.title or challenge.study.name,
        "task": challenge.study.task.name,
        "metric": challenge.rules.metric,
        "phases": phases,
        "teams": [team.name for team in teams(challenge.engine) if team.withdrawn is None],
        "troubles": [
            {"id": row["id"], "team": row["team"], "trouble": _last_line(row["trouble"])}
            for row in rows
            if row["trouble"] and (row["state"] in WAITING or not row["is_try"])
        ],
        "settings": str(challenge.study.folder / SETTINGS),
    }


def _last_line(trouble: str) -> str:
    return trouble.strip().rpartition("\n")[2]


def unblind_phase(challenge: Challenge, name: str | None, by: str, *, early: bool = False) -> Json:
    """Record that a phase is unblinded; it must be blind, closed, and its submissions ended."""
    from earmark.run.queue_reads import database_time, state_counts, unblind

    phase = _blind_phase(challenge, name)
    if not by.strip():
        raise InputError("whoever unblinds a phase gives their name", got=repr(by))
    counts = state_counts(challenge.engine, phase.name)
    waiting = sum(counts.get(state, 0) for state in WAITING)
    closes = phase.closes
    is_open = closes is not None and database_time(challenge.engine) < closes
    if (waiting or is_open) and not early:
        raise StudyError(
            f"the phase {phase.name} is not over",
            at=challenge.study.name,
            got=f"{waiting} waiting" if waiting else "it is still open",
            fix="let a worker run them, wait until it closes, or say --early",
        )
    return unblind(challenge.engine, phase.name, by.strip())


def _blind_phase(challenge: Challenge, name: str | None) -> Phase:
    blind = {phase.name: phase for phase in challenge.phases.values() if phase.is_blind}
    if name is None and len(blind) == 1:
        return next(iter(blind.values()))
    if name in blind:
        return blind[name]
    raise StudyError(
        f"the phase {challenge.phase(name).name} is not blind" if name else "name a blind phase",
        at=challenge.study.name,
        want=", ".join(blind) or "no phase of this challenge is blind",
    )
