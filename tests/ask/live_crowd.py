"""Clients that misbehave as people do: they leave, come back late, send twice."""

import random
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sqlalchemy import Engine, select

from earmark.ask.live.answers import COUNTED, LATE, GivenAnswer, record_answer
from earmark.ask.live.assignment import hand_out
from earmark.ask.live.people import Arrival, join
from earmark.ask.live.reaper import reap
from earmark.ask.live.tables import ANSWERS, LEASES, UNITS
from earmark.ask.live.terms import LiveTerms
from earmark.ask.live.units import place_units
from earmark.ask.live.writer import AnswerWriter, writer_for
from earmark.values.item import Item
from earmark.values.span import Span

TICK = 1.0  # seconds of made-up time that pass with every request of a client


def windows(recordings: int, count: int, *, length: float = 10.0) -> list[Item]:
    """Windows of recordings, one per second, as in the paper."""
    return [
        Item(f"r{r:02}@{k}", "window", span=Span(k, k + length), parent=f"r{r:02}")
        for r in range(recordings)
        for k in range(count)
    ]


@dataclass
class Clock:
    """Time that passes as fast as requests are made, the same for all clients."""

    seconds: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def tick(self, seconds: float = TICK) -> float:
        with self.lock:
            self.seconds += seconds
            return self.seconds


class Client:
    """One client: a person after the other, each until they are finished."""

    def __init__(self, writer: AnswerWriter, terms: LiveTerms, clock: Clock, seed: int) -> None:
        self.writer, self.terms, self.clock = writer, terms, clock
        self.draw = random.Random(seed)
        self.late: list[tuple[str, str]] = []
        self.receipts: list[str] = []

    def run(self) -> None:
        """Answer until nothing is left for anybody new."""
        waited = 0
        while waited < 50:
            person = self.do(join, Arrival(), consent="1", now=self.clock.tick()).id
            waited = 0 if self.answer_all(person) else waited + 1

    def answer_all(self, person: str) -> int:
        """Answer as one person; return how many answers were sent."""
        sent, waits = 0, 0
        while waits < 5:
            handed = self.do(hand_out, self.terms, person, now=self.clock.tick())
            if handed.lease is None and handed.state != "wait":
                break
            if handed.lease is None:
                waits += 1
                self.clock.tick(20)
                self.do(reap, now=self.clock.tick())
                continue
            waits = 0
            if self.draw.random() < 0.1:
                self.abandon(person, handed.lease.unit, handed.lease.expires)
                continue
            sent += self.send(person, handed.lease.unit)
        return sent

    def abandon(self, person: str, unit: str, expires: float) -> None:
        """Leave a unit until its time is over; half of the answers still come, too late."""
        while self.clock.seconds <= expires:
            self.clock.tick(self.terms.lease_seconds / 8)
        self.do(reap, now=self.clock.tick())
        if self.draw.random() < 0.5:
            self.send(person, unit)

    def send(self, person: str, unit: str) -> int:
        """Send an answer, now and then twice with the same key."""
        answer = GivenAnswer(unit, person, uuid.uuid4().hex, {"labels": ["none"]}, 3.0)
        for _ in range(2 if self.draw.random() < 0.05 else 1):
            receipt = self.do(record_answer, answer, now=self.clock.tick())
            self.receipts.append(receipt.why)
        return 1

    def do(self, function, *args, **named):
        return self.writer.submit(lambda c: function(c, *args, **named)).result()


def crowd(engine: Engine, units: Sequence[Item], terms: LiveTerms, clients: int = 8) -> list[str]:
    """Let clients answer everything; return what became of their answers."""
    with engine.begin() as connection:
        place_units(connection, units, terms, seed=0)
    writer, clock = writer_for(engine), Clock()
    everybody = [Client(writer, terms, clock, seed) for seed in range(clients)]
    threads = [threading.Thread(target=client.run) for client in everybody]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    return [why for client in everybody for why in client.receipts]


def check(engine: Engine, terms: LiveTerms) -> None:
    """Every unit has exactly its opinions; nobody overlaps, repeats, or exceeds the cap."""
    with engine.begin() as connection:
        units = {row.id: row for row in connection.execute(select(UNITS))}
        counted = connection.execute(select(ANSWERS).where(ANSWERS.c.counts.is_(True))).all()
        states = connection.execute(select(LEASES.c.state).distinct()).scalars().all()
    opinions = dict.fromkeys(units, 0)
    by_person: dict[str, list[str]] = {}
    for answer in counted:
        opinions[answer.unit] += 1
        by_person.setdefault(answer.person, []).append(answer.unit)
    assert set(opinions.values()) == {terms.options.people}
    assert {row.need for row in units.values()} == {0}
    assert {row.counted for row in units.values()} == {terms.options.people}
    assert "open" not in states
    for own in by_person.values():
        assert len(own) <= (terms.options.cap or len(own))
        parts = sorted((units[u].recording, units[u].start, units[u].finish) for u in own)
        for (recording, _, finish), (other, start, _) in pairwise(parts):
            assert recording != other or start >= finish + terms.options.apart


def assert_some_were_late(receipts: Sequence[str]) -> None:
    """The crowd did what it is for: answers counted, answers late."""
    assert receipts.count(LATE) > 0
    assert receipts.count(COUNTED) > receipts.count(LATE)
