"""Simulated people who answer a server over HTTP, each as the package's simulator would."""

import asyncio
import random
import time
import uuid
from collections.abc import Callable, Mapping

import numpy as np
from tests.web.serving import PlainClient, Server

from earmark.stats.draw import stream
from earmark.study import Study
from earmark.tasks.events.ask import simulation
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.values import NONE, labels_of
from earmark.values.item import Item

Probabilities = Callable[[Item, int], list[float]]
# A crowd in which every error is drawn anew: nothing makes an event hard for everybody.
HEARS, HEARS_A_BIT, FALSE_YES = 0.85, 0.45, 0.03
CAP = 50  # answers of one person, as in the paper
FINISHED = 410  # the status of a page that says "finished, thank you"
EMPTY_HANDED = 40  # times that a client finds nothing before it ends
LONGEST_RANKING = 600.0  # s that a ranking may take on a busy machine


class Listeners:
    """People of a crowd: the package's, whose errors share causes, or one with none in common."""

    def __init__(self, study: Study, kind: str, seed: int) -> None:
        snapshot = study.snapshot()
        truth = snapshot.truth()
        if truth is None:
            raise SystemExit("a simulated crowd needs the truth")
        self.truth, self.seed, self.kind = truth.values, seed, kind
        self.units: Mapping[str, Item] = {unit.id: unit for unit in snapshot.units()}
        self.labels = labels_of(next(iter(self.units.values())))
        self.crowd = Crowd()
        self.people = simulation.people(self.crowd, seed)
        self.audible = {
            name: simulation._audibility(self.crowd, line, seed, name)
            for name, line in self.truth.items()
        }

    def answer(self, unit: str, person: int) -> dict[str, list[str]]:
        """Return what a person ticks about a unit; the same whenever they are asked."""
        rng = stream(self.seed, "live", self.kind, unit, person)
        chances = self._together if self.kind == "package" else self._independent
        ticked = rng.random(len(self.labels)) < np.array(chances(self.units[unit], person))
        labels = [label for label, yes in zip(self.labels, ticked, strict=True) if yes]
        return {"labels": labels or [NONE]}

    def _together(self, unit: Item, person: int) -> list[float]:
        events, logits = self.truth[unit.group].events, self.audible[unit.group]
        sounding = simulation._sounding(self.crowd, unit, events, logits)
        skill, kind = float(self.people.skill[person]), int(self.people.kind[person])
        return [
            simulation.tick_probability(self.crowd, sounding.get(label, ()), skill, kind)
            for label in self.labels
        ]

    def _independent(self, unit: Item, person: int) -> list[float]:
        start, end = (unit.span.start, unit.span.end) if unit.span else (0.0, 0.0)
        shared = dict.fromkeys(self.labels, 0.0)
        for event in self.truth[unit.group].events:
            seconds = min(event.offset, end) - max(event.onset, start)
            shared[event.label] = max(shared[event.label], seconds)
        long, short = HEARS, HEARS_A_BIT
        return [long if s >= 1 else short if s > 0 else FALSE_YES for s in shared.values()]


class Pace:
    """Simulated people are faster than any: they wait while the order of asking is out of date."""

    def __init__(self, port: int, password: str, *, behind: int) -> None:
        self.port, self.password, self.behind = port, password, behind
        self.ranked = 0
        self.cookie = ""

    async def watch(self) -> None:
        """Look again and again how many answers the order of asking knows."""
        client = PlainClient(self.port)
        form = {"password": self.password}
        reply = await client.call("POST", "/api/organiser/session", document=form)
        cookie = reply.headers["set-cookie"].partition(";")[0]
        while True:
            state = await client.call("GET", "/api/organiser/ranking", cookie=cookie)
            self.ranked = state.json()["answers"]
            await asyncio.sleep(0.2)

    async def wait(self, given: int, first: int) -> None:
        """Wait until the ranking knows all but the last answers; the first round has no ranking.

        End the benchmark if none comes: with the first round alone nothing would be measured.
        """
        until = time.monotonic() + LONGEST_RANKING
        while given >= first and (self.ranked < first or given - self.ranked > self.behind):
            if time.monotonic() > until:
                raise SystemExit("the server does not rank its questions")
            await asyncio.sleep(0.1)


async def answer_all(
    server: Server, listeners: Listeners, *, pace: bool = False, clients: int = 8
) -> int:
    """Let people answer until the server asks for no more; return how many answers they gave."""
    port, units = server.port, len(listeners.units)
    order = random.Random(listeners.seed).sample(range(listeners.crowd.people), k=680)
    given, is_over = 0, False
    watched = Pace(port, server.password, behind=units // 10)
    watching = asyncio.create_task(watched.watch()) if pace else None

    async def client() -> None:
        nonlocal given, is_over
        connection = PlainClient(port)
        empty = 0
        while order and not is_over and empty < EMPTY_HANDED:
            person = order.pop()
            joined = await connection.call("POST", "/api/people", document={"consent": True})
            token, own = joined.json()["token"], 0
            while own < CAP:
                if pace:
                    await watched.wait(given, units)
                reply = await connection.call("GET", "/api/next", token=token)
                if reply.status != 200:
                    break
                unit = reply.json()["unit"]
                form = {"unit": unit, "value": listeners.answer(unit, person), "seconds": 5.0}
                given += 1
                sent = {**form, "key": uuid.uuid4().hex}
                await connection.call("POST", "/api/answers", token=token, document=sent)
                own += 1
            # somebody who has answered nothing, and is finished: so is everybody
            is_over = is_over or (not own and reply.status == FINISHED)
            empty = 0 if own else empty + 1
            if not own:
                await asyncio.sleep(0.5)
        connection.close()

    await asyncio.gather(*(client() for _ in range(clients)))
    if watching is not None:
        watching.cancel()
    return given
