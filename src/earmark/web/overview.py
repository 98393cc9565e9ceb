"""The reference as it stands, agreement and competence: made anew in the background as it grows."""

import asyncio
import logging
import math
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import combinations
from typing import Any

from sqlalchemy import Connection

from earmark.ask.live.ballots import counted_answers
from earmark.files.jsonl import dump
from earmark.stats.rates import proportion
from earmark.study.live import read_form
from earmark.task.options import call_with, options_of
from earmark.task.progress import reporting_to
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.pack import pack
from earmark.web.live import Live

# Ways of reconciling that say how sure they are, the best first; a task without them uses its own
# first one.
PREFERRED = ("window-hmm", "mace", "dawid-skene")
# A reference is made again when there are new answers and it is this old, or so many times older
# than it took to make: the server has other things to do.
FRESH_SECONDS, REST = 5.0, 5.0
# How long a request waits for a reference that is being made before it gets the one before.
PATIENCE = 2.0
SLACK = 1e-6  # s; of times that are compared
TOO_FEW = "there are too few answers for a reference"
NOT_HEARD = "there is a reference once somebody has heard all of a recording"
# What is shown before the first reference is there.
NOT_YET: dict[str, Any] = {
    "agreement": {"value": None, "why": "it is being computed"},
    "rows": [],
    "why": "the reference is being computed",
}


class Overview:
    """What is made from all answers so far, in a thread of its own, one at a time.

    Whoever asks waits a moment for what is being made, and gets what was made before if it takes
    longer: a window HMM of thousands of windows does. Threads that read for people are left alone.
    """

    def __init__(self, live: Live) -> None:
        self._live = live
        self._lock = threading.Lock()
        self._job: Future[None] | None = None
        self._state: tuple[int, int] | None = None  # answers that the latest knows, the last number
        self._due = 0.0  # when the next one may be made
        self._document: dict[str, Any] = NOT_YET

    async def document(self, *, patience: float = PATIENCE) -> dict[str, Any]:
        """Return the latest overview; `is_making` says whether a newer one is on its way."""
        job = self._start()
        if job is not None:
            await asyncio.wait([asyncio.wrap_future(job)], timeout=patience)
        return {**self._document, "is_making": job is not None and not job.done()}

    def _start(self) -> "Future[None] | None":
        """Return the job that is being done; begin one if it is time for it."""
        with self._lock:
            if self._job is None and time.monotonic() >= self._due:
                self._job = Future()
                threading.Thread(
                    target=self._work, args=(self._job,), name="overview", daemon=True
                ).start()
            return self._job

    def _work(self, job: "Future[None]") -> None:
        began = time.monotonic()
        try:
            self._make()
        except Exception:
            logging.getLogger("uvicorn.error").exception("the reference could not be made")
            self._document = {**NOT_YET, "why": "the reference could not be made"}
        finally:
            with self._lock:
                ended = time.monotonic()
                self._due = ended + max(FRESH_SECONDS, REST * (ended - began))
                self._job = None
            job.set_result(None)

    def _make(self) -> None:
        """Make an overview, unless the latest knows all there is."""
        with self._live.engine.connect().execution_options(reads_only=True) as connection:
            numbered = list(_answers(self._live, connection))
        state = (len(numbered), max((number for number, _ in numbered), default=0))
        if state != self._state:
            self._document = _overview(self._live, [answer for _, answer in numbered])
            self._state = state


def _answers(live: Live, connection: Connection) -> Iterator[tuple[int, Answer[Any]]]:
    def read(unit: Item, form: dict[str, Any]) -> Any:
        return read_form(live.folder, live.question, unit, form)

    return counted_answers(connection, live.units, read)


def methods_of(live: Live) -> list[str]:
    """Return ways of reconciling that may show the reference as it stands, the best first."""
    known = live.study.task.reconcile
    return [name for name in PREFERRED if name in known] or list(known)[:1]


def _overview(live: Live, answers: Sequence[Answer[Any]]) -> dict[str, Any]:
    """Return agreement, the reference with its uncertainty, and competence."""
    document: dict[str, Any] = {"answers": len(answers), "agreement": agreement(answers)}
    units = covered_units(live.units.values(), answers)
    names = {unit.id for unit in units}
    own = tuple(answer for answer in answers if answer.item in names)
    why = NOT_HEARD if answers and any(unit.span for unit in live.units.values()) else TOO_FEW
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
        # a reference as it stands: most windows wait for their answers yet
        options = {"gaps": True} if "gaps" in options_of(method) else {}
        reference = call_with(method, ballots, options=options, seed=live.study.seed)
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


def covered_units(units: Iterable[Item], answers: Sequence[Answer[Any]]) -> tuple[Item, ...]:
    """Return the units of recordings all of whose time somebody was asked about.

    A unit without times is one if it was answered. Windows that overlap are reconciled together:
    time that nobody was asked about would be a gap.
    """
    answered = {answer.item for answer in answers}
    groups: dict[str, list[Item]] = defaultdict(list)
    for unit in units:
        groups[unit.group if unit.span else unit.id].append(unit)
    return tuple(unit for own in groups.values() if _is_covered(own, answered) for unit in own)


def _is_covered(units: Sequence[Item], answered: Container[str]) -> bool:
    """Return whether the units that were answered cover the time of all."""
    spans = sorted((u.span.start, u.span.end) for u in units if u.span and u.id in answered)
    if not spans:
        return all(unit.id in answered for unit in units)
    reach = min(unit.span.start for unit in units if unit.span)
    for start, end in spans:
        if start > reach + SLACK:
            return False
        reach = max(reach, end)
    return reach >= max(unit.span.end for unit in units if unit.span) - SLACK


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
