"""Mutated files for every reader: each command refuses with 2 or succeeds, and ends in time."""

import contextlib
import io
import os
import random
import shutil
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from tests.torture.mutations import mutate
from tests.torture.readers import Reader

from earmark.cli.main import main

SECONDS = 5.0  # of the processor's time, which other processes do not change
FEW = 40  # cases of a reader that takes seconds for each
WAITING = 60.0  # of the clock's, for what waits and computes nothing


class SlowError(BaseException):
    """A command that took too long; no reader may catch it."""


@dataclass(slots=True)
class Tally:
    """How the commands of one reader ended."""

    cases: int = 0
    codes: dict[int, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0


def torture(reader: Reader, cases: int, seed: int, keep: Path | None = None) -> Tally:
    """Run the command of a reader on mutated files; what fails is stored in `keep`."""
    draw, tally = random.Random(f"{reader.name} {seed}"), Tally()
    aside = _aside(reader)
    allowed = (0, 1, 2) if reader.answers_no or "measure" in reader.words else (0, 2)
    # once before, without haste: imports and compilation are not the reader's
    code, _, err = _command(reader, patience=100)
    if code not in allowed[:-1]:
        tally.failures.append(f"{reader.name} refuses the whole file: exit {code}: {err[-600:]}")
    for number in range(cases):
        _restore(reader, aside)
        data = mutate(reader.whole, draw)
        reader.file.parent.mkdir(parents=True, exist_ok=True)
        reader.file.write_bytes(data)
        code, seconds, err = _command(reader)
        tally.cases += 1
        tally.codes[code] = tally.codes.get(code, 0) + 1
        tally.slowest = max(tally.slowest, seconds)
        if code not in allowed or "Traceback" in err:
            tally.failures.append(f"{reader.name} case {number}: exit {code}: {err[-600:]}")
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                label = "".join(c if c.isalnum() else "-" for c in reader.name)
                (keep / f"{label}-{number}{reader.file.suffix}").write_bytes(data)
    _restore(reader, aside)
    reader.file.parent.mkdir(parents=True, exist_ok=True)
    reader.file.write_bytes(reader.whole)  # another reader may need it
    return tally


def _aside(reader: Reader) -> Path | None:
    """Keep a copy of the study that the command may change."""
    reader.file.parent.mkdir(parents=True, exist_ok=True)
    reader.file.write_bytes(reader.whole)
    if reader.study is None or not reader.study.is_dir():
        return None
    aside = reader.study.with_name(f"{reader.study.name}-aside")
    if not aside.exists():
        shutil.copytree(reader.study, aside)
    return aside


def _restore(reader: Reader, aside: Path | None) -> None:
    """Put the study back as it was; a new one is removed."""
    if reader.study is None:
        return
    shutil.rmtree(reader.study, ignore_errors=True)
    if aside is not None:
        shutil.copytree(aside, reader.study)


def _command(reader: Reader, patience: float = 1) -> tuple[int, float, str]:
    """Return exit code, seconds and what was printed on stderr; 99 for a command without an end."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SlowError

    err = io.StringIO()
    handlers = [(one, signal.signal(one, stop)) for one in (signal.SIGPROF, signal.SIGALRM)]
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, patience * SECONDS)
    signal.setitimer(signal.ITIMER_REAL, patience * WAITING)
    code = 0
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
            main([*reader.words])
    except SystemExit as end:
        code = int(end.code or 0)
    except SlowError:
        code = 99
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in handlers:
            signal.signal(one, handler)
    return code, time.process_time() - started, err.getvalue()


def spread(readers: Sequence[Reader], cases: int) -> list[int]:
    """Return how many cases each reader gets: equal shares, a few for those that train."""
    few = min(FEW, cases // len(readers))
    slow = sum(reader.takes_seconds for reader in readers)
    quick = len(readers) - slow
    each, rest = divmod(cases - few * slow, quick) if quick else (0, 0)
    shares = iter(each + (number < rest) for number in range(quick))
    return [few if reader.takes_seconds else next(shares) for reader in readers]


os.environ.setdefault("EARMARK_WAIT", "5")
