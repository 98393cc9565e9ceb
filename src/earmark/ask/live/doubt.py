"""Asking where the doubt is: the next unit is the one whose answer is expected to tell most.

Every unit is asked once. From then on the task ranks the units by expected information gain
(`Question.more`), again and again as answers come, in a thread of its own; units are handed out in
that order, and a unit from which less than `settled` bits are expected is not asked again.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, func, select, update

from earmark.ask.live.ballots import counted_answers
from earmark.ask.live.tables import LEASES, OPEN, UNITS
from earmark.ask.live.terms import LiveTerms
from earmark.ask.live.writer import AnswerWriter
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item

Ranking = Iterable[tuple[str, float]]
More = Callable[..., Ranking]
# Ranking begins again when the answers have grown by this share of the units: the order of the
# windows of a small study is then at most so old.
GROWTH = 0.05
LOOK_SECONDS = 1.0
# Units of one recording are ranked together; this many new answers are worth a ranking at least.
FEWEST = 5
LOCK = 7254322  # of PostgreSQL's advisory locks: whoever ranks owns it


@dataclass(frozen=True, slots=True, eq=False)
class RankedQuestions:
    """What is ranked: the units, what they were cut from, how answers are read and ranked."""

    units: Mapping[str, Item]
    material: tuple[Item, ...]
    more: More
    read: Callable[[Item, dict[str, Any]], Any]


class DoubtRanker:
    """Ranks the units of a study in a thread, as answers come."""

    def __init__(
        self, engine: Engine, writer: AnswerWriter, terms: LiveTerms, questions: RankedQuestions
    ) -> None:
        self._engine, self._writer, self._terms = engine, writer, terms
        self._questions = questions
        self._over = threading.Event()
        self._ranked = -1  # how many answers the latest ranking knew
        self.rankings = 0
        self.problem = ""
        self._thread = threading.Thread(target=self._work, name="doubt", daemon=True)

    def start(self) -> None:
        """Begin to rank."""
        self._thread.start()

    def close(self) -> None:
        """End after the ranking that is being made."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def state(self) -> dict[str, Any]:
        """Return how often units were ranked, how many answers the latest knew, what failed."""
        answers = max(self._ranked, 0)
        return {"rankings": self.rankings, "answers": answers, "problem": self.problem or None}

    def _work(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            try:
                self.rank_if_grown()
            except InputError as error:
                self.problem = str(error).partition("\n")[0]

    def rank_if_grown(self) -> bool:
        """Rank the units if enough answers came since the last time; return whether that was so."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            if not _is_alone(connection):
                return False
            units, read = self._questions.units, self._questions.read
            answers = [answer for _, answer in counted_answers(connection, units, read)]
            if not self._is_due(connection, len(answers)):
                return False
            if {answer.item for answer in answers} != set(units):
                return False  # the first round is not over
            ballots = Ballots(tuple(units.values()), tuple(answers), self._questions.material)
            gains = dict(self._questions.more(ballots, seed=0))
            self._writer.submit(lambda c: write_ranking(c, gains, self._terms)).result()
        self._ranked, self.rankings = len(answers), self.rankings + 1
        return True

    def _is_due(self, connection: Connection, answers: int) -> bool:
        """Return whether enough answers came since the last ranking, or nothing is left to ask.

        The last few units that are not settled would else be asked once more and then never.
        """
        grown = abs(answers - max(self._ranked, 0))
        if self._ranked < 0 or grown >= max(FEWEST, GROWTH * len(self._questions.units)):
            return True
        return grown > 0 and connection.execute(_ANY_NEEDED).first() is None


def _is_alone(connection: Connection) -> bool:
    """Return whether no other server process is ranking; until the transaction ends none will."""
    if connection.dialect.name != "postgresql":
        return True
    return bool(connection.execute(select(func.pg_try_advisory_xact_lock(LOCK))).scalar())


_ANY_NEEDED = select(UNITS.c.id).where(UNITS.c.need > 0).limit(1)
_RANK = (
    update(UNITS)
    .where(UNITS.c.id == bindparam("unit_id"))
    .values(draw=bindparam("rank"), gain=bindparam("bits"), need=bindparam("wanted"))
)


def write_ranking(connection: Connection, gains: Mapping[str, float], terms: LiveTerms) -> int:
    """Let units be handed out in this order, each once more; return how many are not settled.

    Settled units, those with all opinions that may be asked for, and those that somebody is
    answering now are not handed out.
    """
    open_leases = (
        select(LEASES.c.unit, func.count())
        .where(LEASES.c.state == OPEN, LEASES.c.role == "question")
        .group_by(LEASES.c.unit)
    )
    leased: dict[str, int] = dict(connection.execute(open_leases).all())
    counted: dict[str, int] = dict(connection.execute(select(UNITS.c.id, UNITS.c.counted)).all())
    rows: list[dict[str, Any]] = []
    for rank, (unit, bits) in enumerate(gains.items()):
        is_open = bits >= terms.options.settled and counted[unit] < terms.options.people
        wanted = int(is_open and not leased.get(unit, 0))
        rows.append({"unit_id": unit, "rank": float(rank), "bits": bits, "wanted": wanted})
    if rows:
        connection.execute(_RANK, rows)
    return sum(row["wanted"] for row in rows)
