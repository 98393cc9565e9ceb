"""Mutated files for every reader: each command refuses with 2 or succeeds, and ends in time.

Commands run in processes forked from one that has all modules and compiled code: a crash of a
library is seen, and nothing that a process remembers of a model hides what is in its file now.
"""

import contextlib
import io
import os
import pickle
import random
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from tests.torture.mutations import mutate
from tests.torture.reader import Reader, Words

from earmark.cli.main import main

# Of the processor's time, which other processes do not change; a training that a whole file costs
# comes on top.
SECONDS = 5.0
FEW = 4  # cases of a reader that takes seconds for each
WAITING = 60.0  # of the clock's, for what waits and computes nothing
SHOWN = 600  # characters of what a failed command printed
SLOW = 99  # the code of a command without an end
MEMORY = 4 * 1024**3  # bytes that a command may ask for beyond what is there
# Options whose files a process remembers once they are loaded.
MODELS = ("--model", "--tagger", "--weights", "--discourse", "--features", "--checkpoint")
WARM: dict[Words, float] = {}  # commands that ran on whole files, and their seconds


class SlowError(BaseException):
    """A command that took too long; no reader may catch it."""


@dataclass(slots=True)
class Tally:
    """How the commands of one reader ended."""

    cases: int = 0
    codes: dict[int, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its code, the processor's seconds, and what it printed on stderr."""

    code: int
    seconds: float
    err: str


@dataclass(frozen=True, slots=True)
class Case:
    """A command on a mutated file: how it ended, and the file if it failed."""

    number: int
    words: Words
    ended: Ended
    data: bytes


def torture(
    reader: Reader, cases: int, seed: int, keep: Path | None = None, *, apart: bool = True
) -> Tally:
    """Run the commands of a reader on mutated files; what fails is stored in `keep`.

    `apart` is in processes of their own: one for each case where a model is loaded, which a process
    loads once, and one for all cases elsewhere.
    """
    tally, aside = Tally(), _aside(reader)
    tally.failures += _warmed(reader, aside)
    each = apart and (reader.takes_seconds or any(set(MODELS) & set(w) for w in reader.commands))

    def run() -> Iterator[Case]:
        draw = random.Random(f"{reader.name} {seed}")
        for number in range(cases):
            words = draw.choice(reader.commands)
            data = mutate(reader.whole, draw)
            _place(reader, data)
            patience = 1 + (WARM[words] / SECONDS if reader.takes_seconds else 0)
            ended = _forked(words, patience) if each else _command(words, patience)
            yield Case(number, words, ended, data if _is_failure(reader, words, ended) else b"")
            _restore(reader, aside)

    for case in run() if each or not apart else _in_a_fork(run):
        tally.cases += 1
        tally.codes[case.ended.code] = tally.codes.get(case.ended.code, 0) + 1
        tally.slowest = max(tally.slowest, case.ended.seconds)
        if _is_failure(reader, case.words, case.ended):
            line = f"{_line(reader, case.words)} case {case.number}: {_told(case.ended)}"
            tally.failures.append(line)
            if keep:
                _keep(keep, reader, case.number, case.data)
    if tally.cases < cases:
        tally.failures.append(f"{reader.name}: the process ended in case {tally.cases}")
    _restore(reader, aside)
    _place(reader, reader.whole)  # another reader may need it
    return tally


def _warmed(reader: Reader, aside: Path | None) -> Iterator[str]:
    """Run each command on the whole file; yield those that refuse it.

    Without haste: imports and compilation are not the reader's. By another name, so that nothing is
    remembered of the file's own.
    """
    for words in [words for words in reader.commands if words not in WARM]:
        ended = _command(_by_other_name(words, reader), patience=100)
        WARM[words] = ended.seconds
        _restore(reader, aside)
        if ended.code not in _allowed(reader, words)[:-1]:
            yield f"{_line(reader, words)} refuses the whole file: {_told(ended)}"


def _is_failure(reader: Reader, words: Words, ended: Ended) -> bool:
    return ended.code not in _allowed(reader, words) or "Traceback" in ended.err


def _in_a_fork(run: Callable[[], Iterator[Case]]) -> Iterator[Case]:
    """Yield the cases that a process of its own runs, up to the one that it breaks in."""
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            _limit(seconds=None)
            with os.fdopen(writing, "wb") as pipe:
                for case in run():
                    pickle.dump(case, pipe)
                    pipe.flush()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        while True:
            try:
                yield pickle.load(pipe)
            except EOFError:
                break
    os.waitpid(child, 0)


def _allowed(reader: Reader, words: Words) -> tuple[int, ...]:
    """Return the exit codes that are answers: 1 is one where a command may say no."""
    return (0, 1, 2) if reader.answers_no or words[0] in ("measure", "verify", "run") else (0, 2)


def _line(reader: Reader, words: Words) -> str:
    return f"{reader.name} ({' '.join(Path(word).name for word in words)})"


def _told(ended: Ended) -> str:
    return f"exit {ended.code} after {ended.seconds:.1f} s: {ended.err[-SHOWN:]}"


def _keep(keep: Path, reader: Reader, number: int, data: bytes) -> None:
    keep.mkdir(parents=True, exist_ok=True)
    label = "".join(c if c.isalnum() else "-" for c in reader.name)
    (keep / f"{label}-{number}{reader.file.suffix}").write_bytes(data)


def _place(reader: Reader, data: bytes) -> None:
    reader.file.parent.mkdir(parents=True, exist_ok=True)
    reader.file.write_bytes(data)


def _aside(reader: Reader) -> Path | None:
    """Keep a copy of the study that the command may change."""
    _place(reader, reader.whole)
    if reader.study is None or not reader.study.is_dir():
        return None
    aside = reader.study.with_name(f"{reader.study.name}-aside")
    if not aside.exists():
        shutil.copytree(reader.study, aside)
    return aside


def _restore(reader: Reader, aside: Path | None) -> None:
    """Put the study back as it was; a new one is removed."""
    if reader.study is not None:
        shutil.rmtree(reader.study, ignore_errors=True)
        if aside is not None:
            shutil.copytree(aside, reader.study)
    for words in reader.commands:
        for word in words:
            if word.endswith("-out"):
                shutil.rmtree(word, ignore_errors=True)


def _by_other_name(words: Words, reader: Reader) -> Words:
    """Return the words with the folder of everything under another name, a link to it."""
    for word in words:
        if reader.file == Path(word) or Path(word) in reader.file.parents:
            folder = Path(word).parent
            link = folder.with_name(f"{folder.name}-linked")
            if not link.exists():
                link.symlink_to(folder, target_is_directory=True)
            return tuple(str(link / one.relative_to(folder)) if one.is_relative_to(folder)
                         else str(text) for text in words for one in [Path(text)])  # fmt: skip
    return words


def _forked(words: Words, patience: float) -> Ended:
    """Run a command in a process of its own; a signal that ended it is a negative code."""
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        code = 3
        try:
            _limit(seconds=int(6 * patience * SECONDS))
            ended = _command(words, patience)
            code = ended.code
            os.write(writing, ended.err[-4 * SHOWN :].encode("utf-8", "replace"))
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        if not select.select([pipe], [], [], 2 * patience * WAITING)[0]:
            os.kill(child, signal.SIGKILL)
        err = pipe.read().decode("utf-8", "replace")
    _, status, used = os.wait4(child, 0)
    return Ended(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, err)


def _limit(*, seconds: int | None) -> None:
    """Bound memory and time of this process, also where a library never comes back."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _command(words: Words, patience: float = 1) -> Ended:
    """Run a command in this process; 99 for one without an end."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SlowError

    err = io.StringIO()
    handlers = [(one, signal.signal(one, stop)) for one in (signal.SIGPROF, signal.SIGALRM)]
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, patience * SECONDS)
    signal.setitimer(signal.ITIMER_REAL, patience * WAITING)
    code = 0
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(err),
            _served_at_once(words),
        ):
            main([*words])
    except SystemExit as end:
        code = int(end.code or 0)
    except SlowError:
        code = SLOW
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in handlers:
            signal.signal(one, handler)
    return Ended(code, time.process_time() - started, err.getvalue())


@contextlib.contextmanager
def _served_at_once(words: Words) -> Iterator[None]:
    """Let a server stop as soon as it would listen: all that it reads has been read by then."""
    if words[0] != "serve":
        yield
        return
    from unittest.mock import patch

    with patch("earmark.web.serving.run_server"):
        yield


def spread(readers: Sequence[Reader], cases: int) -> list[int]:
    """Return how many cases each reader gets: equal shares, a few for those that train."""
    few = min(FEW, cases // len(readers))
    slow = sum(reader.takes_seconds for reader in readers)
    quick = len(readers) - slow
    each, rest = divmod(cases - few * slow, quick) if quick else (0, 0)
    shares = iter(each + (number < rest) for number in range(quick))
    return [few if reader.takes_seconds else next(shares) for reader in readers]


os.environ.setdefault("EARMARK_WAIT", "5")
