"""A crowd that answers a study's database in this process: what the server does, without HTTP.

Units are handed out, answers recorded and units ranked by the very functions that the server calls;
what is missing is the network, and that people answer while a ranking is made.
"""

import random
from typing import Any

from sqlalchemy import Connection

from benchmarks.live.crowd import CAP, Listeners
from earmark.ask.live.answers import GivenAnswer, record_answer
from earmark.ask.live.assignment import hand_out
from earmark.ask.live.doubt import DoubtRanker
from earmark.ask.live.people import Arrival, join
from earmark.study import Study
from earmark.web.app import ranker_of
from earmark.web.live import Live
from earmark.web.serving import Serving, open_live

CLIENTS = 8  # people who answer in turn
EVERY = 0.05  # of the units: answers after which units are ranked again, as the server does
FRUITLESS = 40  # people in a row who get nothing: then all is asked


def answer_offline(study: Study, listeners: Listeners, options: dict[str, object]) -> None:
    """Let people answer until nothing is asked any more."""
    live = open_live(study, Serving(), options)
    try:
        _Crowd(live, listeners).answer(ranker_of(live))
    finally:
        live.close()


class _Crowd:
    """People who answer in turn, each until there is nothing for them."""

    def __init__(self, live: Live, listeners: Listeners) -> None:
        self.live, self.listeners = live, listeners
        self.order = random.Random(listeners.seed).sample(range(listeners.crowd.people), k=680)
        self.here: list[
            list[Any]
        ] = []  # person in the database, person of the crowd, their answers
        self.given = self.fruitless = 0

    def answer(self, ranker: DoubtRanker | None) -> None:
        """Answer in rounds, after each of which units are ranked, where they are."""
        while self.order and self.fruitless < FRUITLESS:
            before = self.given
            with self.live.engine.begin() as connection:
                while self.given - before < EVERY * len(self.live.units):
                    self._one(connection)
                    if not self.order or self.fruitless >= FRUITLESS:
                        break
            if ranker is not None and ranker.rank_if_grown():
                self.fruitless = 0

    def _one(self, connection: Connection) -> None:
        """Let the person whose turn it is answer, or somebody else take their place."""
        while len(self.here) < CLIENTS:
            self.here.append(
                [join(connection, Arrival(), consent="1", now=0.0).id, self.order.pop(), 0]
            )
        person = self.here[self.given % CLIENTS]
        handed = hand_out(connection, self.live.terms, person[0], now=0.0)
        if handed.lease is None or person[2] >= CAP:
            self.here.remove(person)
            self.fruitless += not person[2]
            return
        unit = handed.lease.unit
        value = self.listeners.answer(unit, person[1])
        form = GivenAnswer(unit, person[0], f"key-{self.given}", value, 5.0)
        record_answer(connection, form, now=0.0)
        self.given, person[2], self.fruitless = self.given + 1, person[2] + 1, 0
