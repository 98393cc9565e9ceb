"""The phases of a challenge: what may be submitted when, how often, and what its team sees.

study.toml declares them, `[phases.NAME]` each. The three of the paper have defaults of their own:
`feedback` shows scores at once, `check` whether a submission passes, `final` nothing before the
organiser unblinds it. `practice` runs on the data that the kit gives away.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from earmark.values import checks
from earmark.values.errors import InputError, StudyError

SHOWS = ("scores", "verdict", "nothing")
COUNTS = ("best", "last")
DAY = 86400.0
# The states of a submission; every one that ended has a reason or scores.
WAITING = ("submitted", "checked", "running")
ENDED = ("scored", "failed")
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    # Five tries: enough to mend a mistake on the same day, too few to climb the board by guessing.
    "feedback": {"shows": "scores", "tries_a_day": 5},
    "check": {"shows": "verdict", "tries": 1},
    "final": {"shows": "nothing", "tries": 1},
    "practice": {"shows": "scores", "tries_a_day": 5},
}


@dataclass(frozen=True, slots=True)
class Phase:
    """The rules of one phase; times are seconds since 1970, None where there is no limit.

    `data` is another study's folder, relative to this one's, whose material is run on; None for
    the study's own. From `freeze` on, the public board stays as it is. Of several scored
    submissions of a team the board has the best or the last, as `counts` says.
    """

    name: str
    shows: str = "scores"
    tries_a_day: int | None = None
    tries: int | None = None
    data: str | None = None
    opens: float | None = None
    closes: float | None = None
    freeze: float | None = None
    counts: str = "best"

    @property
    def is_blind(self) -> bool:
        """Whether nothing is shown before the organiser unblinds it."""
        return self.shows == "nothing"

    def require_open(self, now: float) -> None:
        """Raise InputError if the phase takes no submissions at this time."""
        if self.opens is not None and now < self.opens:
            raise InputError(f"the phase {self.name} opens on {utc(self.opens)}", got=utc(now))
        if self.closes is not None and now >= self.closes:
            raise InputError(f"the phase {self.name} closed on {utc(self.closes)}", got=utc(now))


def read_phases(settings: Mapping[str, Any]) -> dict[str, Phase]:
    """Return the phases that study.toml declares; `feedback` alone if it declares none."""
    tables = settings.get("phases", {"feedback": {}})
    if not isinstance(tables, Mapping) or not tables:
        raise InputError("phases are tables", at="study.toml", want="[phases.feedback]")
    return {name: _phase(name, table) for name, table in tables.items()}


def _phase(name: str, table: object) -> Phase:
    where = f"study.toml, [phases.{name}]"
    if not isinstance(table, Mapping):
        raise InputError("a phase is a table", at=where, got=table)
    known = [field for field in Phase.__dataclass_fields__ if field != "name"]
    for option in table:
        checks.one_of(option, known, what="setting of a phase", at=where)
    values = {**DEFAULTS.get(name, {}), **table}
    for option, allowed in (("shows", SHOWS), ("counts", COUNTS)):
        if option in values:
            checks.one_of(str(values[option]), allowed, what=f"'{option}'", at=where)
    for option in ("tries_a_day", "tries"):
        _require(values, option, _is_count, "a whole number from 1", where)
    _require(values, "data", lambda value: isinstance(value, str), "a study's folder", where)
    for option in ("opens", "closes", "freeze"):
        if option in values:
            values[option] = _time(values[option], at=f"{where}, {option}")
    return Phase(name, **values)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _require(values: Mapping[str, Any], option: str, accepts: Any, want: str, at: str) -> None:
    if option in values and not accepts(values[option]):
        raise InputError(f"'{option}' must be {want}", at=at, got=repr(values[option]))


def _time(value: object, *, at: str) -> float:
    """Return a date or a time of TOML; a date is its midnight, and times are UTC by default."""
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    if not isinstance(value, datetime.datetime):
        raise InputError(
            "a time must be a date or a time of TOML", at=at, got=repr(value), want="2026-12-01"
        )
    return (value if value.tzinfo else value.replace(tzinfo=datetime.UTC)).timestamp()


def utc(time: float) -> str:
    """Return a time as text, in UTC.

    Examples
    --------
    >>> utc(0.0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.datetime.fromtimestamp(time, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def chosen_phase(phases: Mapping[str, Phase], name: str | None, now: float) -> Phase:
    """Return the phase of that name; without a name the one that is open, if it is the only one."""
    if name is not None:
        return phases[checks.one_of(name, phases, what="phase")]
    opened = [phase for phase in phases.values() if _is_open(phase, now)]
    if len(opened) == 1:
        return opened[0]
    raise StudyError(
        "several phases are open; name one" if opened else "no phase is open",
        want=", ".join(phase.name for phase in opened or phases.values()),
        fix="pass --phase NAME",
    )


def _is_open(phase: Phase, now: float) -> bool:
    return (phase.opens is None or now >= phase.opens) and (
        phase.closes is None or now < phase.closes
    )
