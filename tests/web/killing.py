"""A server that is killed again and again under load: what it confirmed must be there, once."""

import asyncio
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import create_engine, text
from tests.web.serving import PlainClient, Server, start

from earmark.database.engine import default_url

WORDS = ("--people", "100", "--apart", "0", "--requests-per-minute", "1e6")
MORE = ("--joins-per-minute", "1e6")


@dataclass
class Tally:
    """What clients saw: keys that were confirmed, how often one was sent again."""

    confirmed: set[str] = field(default_factory=set)
    retries: int = 0
    sending: int = 0  # answers on their way
    kills: int = 0
    stopped: bool = False


async def person(port: int, tally: Tally) -> None:
    """Answer until told to stop; send an answer again until the server has confirmed it."""
    client, token = PlainClient(port), ""
    while not tally.stopped:
        try:
            if not token:
                joined = await client.call("POST", "/api/people", document={"consent": True})
                token = joined.json()["token"]
            reply = await client.call("GET", "/api/next", token=token)
            if reply.status != 200:
                token = ""
                continue
            await confirm(client, token, reply.json()["unit"], tally)
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.05)
    client.close()


async def confirm(client: PlainClient, token: str, unit: str, tally: Tally) -> None:
    key = uuid.uuid4().hex
    document = {"unit": unit, "value": {"labels": ["none"]}, "seconds": 1.0, "key": key}
    while not tally.stopped:
        tally.sending += 1
        try:
            reply = await client.call("POST", "/api/answers", token=token, document=document)
        except (OSError, asyncio.IncompleteReadError):
            tally.retries += 1
            await asyncio.sleep(0.05)
            continue
        finally:
            tally.sending -= 1
        assert reply.status in (200, 201), (reply.status, reply.body)
        tally.confirmed.add(key)
        return


async def torture(study: Path, words: tuple[str, ...], *, kills: int, clients: int) -> Tally:
    """Kill the server so many times, each when some more answers were confirmed.

    And when answers are on their way, so that some have to be sent again.
    """
    server: Server = await asyncio.to_thread(start, study, *WORDS, *MORE, *words)
    port, tally = server.port, Tally()
    people = [asyncio.create_task(person(port, tally)) for _ in range(clients)]
    try:
        for number in range(kills):
            wanted = len(tally.confirmed) + 25 + 7 * number
            until = time.monotonic() + 60
            on_their_way = clients // 2
            while (len(tally.confirmed) < wanted or tally.sending < on_their_way) and (
                time.monotonic() < until
            ):
                await asyncio.sleep(0.001)
                for one in people:
                    if one.done():
                        one.result()
            assert len(tally.confirmed) >= wanted, "the server confirms too little to be killed"
            server.kill()
            tally.kills += 1
            close(server)
            again = (*WORDS, *MORE, *words)
            server = await asyncio.to_thread(start, study, *again, port=port)
        await asyncio.sleep(0.5)
        tally.stopped = True
        await asyncio.gather(*people)
    finally:
        if server.process.poll() is None:
            server.kill()
        close(server)
    return tally


def close(server: Server) -> None:
    for stream in (server.process.stdout, server.process.stderr):
        if stream is not None:
            stream.close()


def check(tally: Tally, study: Path, url: str = "") -> None:
    """Every confirmed answer is there once; nobody's answer to a unit counts twice."""
    address = (url or default_url(study)).replace("postgresql:", "postgresql+psycopg:")
    engine = create_engine(address)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT key, unit, person, counts FROM live_answers")).all()
        counts = connection.execute(text("SELECT id, counted FROM live_units")).all()
    engine.dispose()
    keys = Counter(row.key for row in rows)
    assert tally.confirmed <= set(keys)
    assert set(keys.values()) == {1}
    pairs = Counter((row.unit, row.person) for row in rows if row.counts)
    assert set(pairs.values()) == {1}
    units = Counter(row.unit for row in rows if row.counts)
    assert {row.id: row.counted for row in counts} == {row.id: units[row.id] for row in counts}
