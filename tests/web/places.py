"""Studies of every task that can be asked, and a server that asks them, for tests in a browser."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from earmark.study import Study
from earmark.web.app import build_app
from earmark.web.live import Live
from earmark.web.server import listen
from earmark.web.serving import Serving, open_live

PASSWORD = "only for tests"
# Words that would run as a script if any page took a study's text for HTML.
HOSTILE = '<img src=x onerror="document.title=1,window.pwned=1">'


def _events(folder: Path) -> Study:
    study = Study.create(folder, task="events", seed=1)
    study.make(recordings=5, seconds=20.0)
    study.ask(people=3)
    return study


def _captions(folder: Path) -> Study:
    from earmark.files.sound import write_sound

    place = folder.with_name(f"{folder.name}-input")
    place.mkdir(parents=True)
    rows = ["item,caption,sound"]
    for number, hertz in enumerate((440.0, 880.0, 660.0)):
        tone = 0.3 * np.sin(2 * np.pi * hertz * np.arange(16000) / 16000)
        write_sound(place / f"{number}.wav", tone.astype(np.float32), 16000)
        rows += [
            f"sound-{number},A steady tone hums in a quiet room number {number},{number}.wav",
            f"sound-{number},A machine beeps without a pause {number},{number}.wav",
        ]
    (place / "captions.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    study = Study.create(folder, task="captions")
    study.make(captions=place / "captions.csv")
    study.ask(people=3)
    return study


TALK = """
The harbour was quiet this morning. We put a microphone into the water and waited. Did we hear a
whale? We heard the ferry and nothing else. So we asked a school for help. The children listened
for three weeks. They did not agree with each other. But when five of them heard the same thing
they were almost always right. That is all I wanted to say tonight.
"""


def _boundaries(folder: Path) -> Study:
    place = folder.with_name(f"{folder.name}-input")
    place.mkdir(parents=True)
    (place / "talk.txt").write_text(TALK, encoding="utf-8")
    study = Study.create(folder, task="boundaries")
    study.make(text=(place / "talk.txt",))
    study.ask(people=3, page=32)
    return study


def _context(folder: Path) -> Study:
    from tests.studies import small_study

    study = small_study("context", folder, verbs=1)
    study.ask(people=3)
    return study


def _keywords(folder: Path) -> Study:
    place = folder.with_name(f"{folder.name}-input")
    place.mkdir(parents=True)
    (place / "texts.txt").write_text("open sesame\n", encoding="utf-8")
    study = Study.create(folder, task="keywords")
    study.make("prompts", text=place / "texts.txt")
    study.ask(people=3, takes=2)
    return study


def own_recordings(folder: Path, labels: tuple[str, ...]) -> Study:
    """A study of two short recordings that somebody made, with examples of the first label."""
    from earmark.files.sound import write_sound

    place = folder.with_name(f"{folder.name}-input")
    place.mkdir(parents=True)
    rng = np.random.default_rng(0)
    for name in ("north", "south"):
        hiss = rng.normal(0, 0.05, 11 * 16000).astype(np.float32)
        write_sound(place / f"{name}.wav", hiss, 16000)
    study = Study.create(folder, task="events")
    study.make(audio=place, labels=labels)
    for number in range(3):
        tone = 0.3 * np.sin(2 * np.pi * (300 + 200 * number) * np.arange(8000) / 16000)
        path = folder / "examples" / labels[0] / f"{number}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_sound(path, tone.astype(np.float32), 16000)
    study.ask(people=2)
    return study


STUDIES = {
    "events": _events,
    "captions": _captions,
    "boundaries": _boundaries,
    "context": _context,
    "keywords": _keywords,
}


@dataclass(frozen=True)
class Place:
    """A server that runs, and what it has stored."""

    address: str
    live: Live

    def answers(self) -> list[dict[str, Any]]:
        """Return every answer that was stored, in the order in which they came."""
        from sqlalchemy import select

        from earmark.ask.live.tables import ANSWERS

        with self.live.engine.connect().execution_options(reads_only=True) as connection:
            rows = connection.execute(select(ANSWERS).order_by(ANSWERS.c.number))
            return [dict(row._mapping) for row in rows]


def answer_all(place: Place, ticked: Callable[[int], list[str]]) -> int:
    """Answer every window as one person after the other; return how many answers that were."""
    import httpx

    given, idle = 0, 0
    with httpx.Client(base_url=place.address) as client:
        while idle < 2:
            token = client.post("/api/people", json={"consent": True}).json()["token"]
            client.cookies.clear()
            headers, before = {"Authorization": f"Bearer {token}"}, given
            while (reply := client.get("/api/next", headers=headers)).status_code == 200:
                form = {"unit": reply.json()["unit"], "value": {"labels": ticked(given)}}
                sent = {**form, "seconds": 4.0, "key": f"key-{given:06}"}
                assert client.post("/api/answers", headers=headers, json=sent).status_code == 201
                given += 1
            idle = idle + 1 if given == before else 0
    return given


@contextmanager
def serving(study: Study, options: Mapping[str, Any] | None = None) -> Iterator[Place]:
    """Serve a study from a thread, on a port that is free."""
    import uvicorn

    from earmark.ask.live import organisers

    generous = {"requests_per_minute": 6000.0, "joins_per_minute": 600.0, **(options or {})}
    live = open_live(study, Serving(), generous)
    with live.engine.begin() as connection:
        organisers.set_password(connection, PASSWORD)
    sock = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(build_app(live), log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield Place(f"http://127.0.0.1:{sock.getsockname()[1]}", live)
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        live.close()
        sock.close()
