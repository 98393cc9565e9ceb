"""A study that is being served: its questions, its database, its terms; one object per process."""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from fastapi import Request
from sqlalchemy import Connection, Engine

from earmark.ask.live.shared import signing_key
from earmark.ask.live.terms import LiveTerms
from earmark.ask.live.units import place_units
from earmark.ask.live.writer import AnswerWriter, writer_for
from earmark.database.engine import default_url, open_database
from earmark.files.digest import content_digest
from earmark.study import Study
from earmark.task.task import Question
from earmark.values.item import Item
from earmark.web.bell import Bell
from earmark.web.limits import RateLimit
from earmark.web.settings import ServeOptions
from earmark.web.texts import read_texts
from earmark.web.tokens import Tokens

P = ParamSpec("P")
T = TypeVar("T")
READERS = 4  # threads that read while one writes


@dataclass(eq=False)
class Live:
    """What routes share. `units` are the questions by id, with absolute paths to their sound."""

    study: Study
    question: Question
    units: Mapping[str, Item]
    terms: LiveTerms
    options: ServeOptions
    engine: Engine
    writer: AnswerWriter
    tokens: Tokens
    texts: Mapping[str, str]
    limit: RateLimit
    joining: RateLimit
    signing_in: RateLimit
    readers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(READERS, thread_name_prefix="reader")
    )
    rooms: dict[str, Any] = field(default_factory=dict)  # what another room keeps here, by its name
    _bell: Bell | None = None

    @classmethod
    def open(
        cls,
        study: Study,
        terms: LiveTerms,
        options: ServeOptions,
        *,
        database: str | None = None,
        asks: bool = True,
    ) -> "Live":
        """Open the database of a study and put the study's questions into it, if it asks any."""
        snapshot = study.snapshot()
        units = snapshot.units() if asks else ()
        engine = open_database(database or default_url(study.folder))
        with engine.begin() as connection:
            if asks:
                place_units(connection, units, terms, seed=study.seed)
            key = signing_key(connection)
        return cls(
            study=study,
            question=study.question(),
            units={unit.id: unit for unit in units},
            terms=terms,
            options=options,
            engine=engine,
            writer=writer_for(engine),
            tokens=Tokens(key),
            texts=read_texts(study.folder, study.task.name),
            limit=RateLimit(options.requests_per_minute),
            joining=RateLimit(options.joins_per_minute),
            signing_in=RateLimit(5),  # a password is not guessed at five tries a minute
        )

    @property
    def identity(self) -> str:
        """What tells this study from others in a browser's storage."""
        return content_digest(self.tokens.csrf("study", self.study.name))

    @property
    def folder(self) -> Path:
        """The study's folder."""
        return self.study.folder

    async def write(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Run a function in a transaction; its changes are on disk when this returns."""
        loop = asyncio.get_running_loop()
        bell = self._bell
        if bell is None or bell.loop is not loop:  # another loop may write at the same moment
            bell = self._bell = Bell(loop)
        job = self.writer.submit(lambda connection: function(connection, *args, **named))
        result: T = await bell.wait(job)
        return result

    async def read(
        self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Run a function that only reads, without waiting for writers."""

        def run() -> T:
            with self.engine.connect().execution_options(reads_only=True) as connection:
                return function(connection, *args, **named)

        return await asyncio.get_running_loop().run_in_executor(self.readers, run)

    def now(self) -> float:
        """Return the time, in seconds since 1970."""
        return time.time()

    def close(self) -> None:
        """Finish writing and close the database."""
        self.writer.close()
        self.readers.shutdown(wait=True)
        self.engine.dispose()


def live_of(request: Request) -> Live:
    """Return what is being served."""
    live: Live = request.app.state.live
    return live
