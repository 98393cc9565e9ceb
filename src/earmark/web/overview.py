"""The reference as it stands, agreement and competence: made anew in the background as it grows."""

import math
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from sqlalchemy import Connection

from earmark.ask.live.ballots import counted_answers
from earmark.files.jsonl import dump
from earmark.stats.rates import proportion
from earmark.study.live import read_form
from earmark.task.options import call_with
from earmark.task.progress import reporting_to
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.pack import pack
from earmark.web.live import Live

# Ways of reconciling that say how sure they are, the best first; a task without them uses its own
# first one.
PREFERRED = ("window-hmm", "mace", "dawid-skene")
# A reference is made again when it is older than this and there are new answers.
OLDEST_SECONDS = 30.0


class Overview:
    """What is made from all answers so far; at most one is being made at a time."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._lock = threading.Lock()
        self._made: tuple[float, int, dict[str, Any]] | None = None

    def document(self, connection: Connection) -> dict[str, Any]:
        """Return the latest overview; it is made here if there is none that is new enough."""
        with self._lock:
            answers = _answers(self._live, connection)
            if self._made is not None:
                since, count, document = self._made
                if count == len(answers) or time.monotonic() - since < OLDEST_SECONDS:
                    return document
            document = _overview(self._live, answers)
            self._made = (time.monotonic(), len(answers), document)
            return document


def _answers(live: Live, connection: Connection) -> list[Answer[Any]]:
    def read(unit: Item, form: dict[str, Any]) -> Any:
        return read_form(live.folder, live.question, unit, form)

    return [answer for _, answer in counted_answers(connection, live.units, read)]


def methods_of(live: Live) -> list[str]:
    """Return ways of reconciling that may show the reference as it stands, the best first."""
    known = live.study.task.reconcile
    return [name for name in PREFERRED if name in known] or list(known)[:1]


def _overview(live: Live, answers: Sequence[Answer[Any]]) -> dict[str, Any]:
    """Return agreement, the reference with its uncertainty, and competence."""
    document: dict[str, Any] = {"answers": len(answers), "agreement": agreement(answers)}
    units = complete_units(live.units.values(), answers)
    names = {unit.id for unit in units}
    own = tuple(answer for answer in answers if answer.item in names)
    why = "there are too few answers for a reference"
    for by in methods_of(live) if units else ():
        ballots = Ballots(units, own, live.study.snapshot().items())
        try:
            return {**document, "by": by, **_reference(live, by, ballots)}
        except InputError as error:  # too little for this way; another may do
            why = str(error).partition("\n")[0]
    return {**document, "rows": [], "why": why}


def _reference(live: Live, by: str, ballots: Ballots[Any]) -> dict[str, Any]:
    """Return a reference as rows for a page."""
    with reporting_to(lambda label, done, total: None):
        method = live.study.task.reconcile[by]
        reference = call_with(method, ballots, options={}, seed=live.study.seed)
    doubt, counts = dict(reference.doubt), Counter(answer.item for answer in ballots.answers)
    per_item = Counter[str]()
    for unit in ballots.items:
        per_item[unit.group] += counts[unit.id]
    return {
        "doubt": math.fsum(doubt.values()) / len(doubt) if doubt else None,
        "rows": [
            {
                "item": item,
                "value": dump(pack(value)),
                "doubt": doubt.get(item),
                "answers": counts.get(item, 0) or per_item.get(item, 0),
            }
            for item, value in reference.values.items()
        ],
        "total": len(reference.values),
        "competence": dict(reference.people),
    }


def complete_units(units: Iterable[Item], answers: Sequence[Answer[Any]]) -> tuple[Item, ...]:
    """Return the units of the recordings in which every unit has an answer.

    Windows that overlap are reconciled together: one without an answer would be a gap.
    """
    answered = {answer.item for answer in answers}
    groups: dict[str, list[Item]] = defaultdict(list)
    for unit in units:
        groups[unit.group if unit.span else unit.id].append(unit)
    whole = (own for own in groups.values() if all(unit.id in answered for unit in own))
    return tuple(unit for own in whole for unit in own)


def agreement(answers: Sequence[Answer[Any]]) -> dict[str, Any]:
    """Return the share of pairs of people who gave a unit the same answer."""
    by_unit: dict[str, list[Any]] = defaultdict(list)
    for answer in answers:
        by_unit[answer.item].append(answer.value)
    pairs = [one == other for own in by_unit.values() for one, other in combinations(own, 2)]
    if not pairs:
        return {"value": None, "why": "no unit has two answers yet"}
    share = proportion(sum(pairs), of=len(pairs))
    return {"value": share, "name": "pairs of people who agree", "pairs": len(pairs)}


def overview_of(live: Live) -> Overview:
    """Return the overview of what is being served."""
    overview: Overview = live.rooms.setdefault("overview", Overview(live))
    return overview
