"""What a command prints: results to stdout, notes to stderr, errors in one shape."""

import json
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from earmark.task.progress import reporting_to
from earmark.values.errors import InputError

DONE, NO, WRONG_INPUT, OUR_BUG = 0, 1, 2, 3
# 128 + the signal's number, as shells report it
INTERRUPTED, BROKEN_PIPE = 130, 141
# Controls but for tabs and line ends, further line ends, and what reverses the direction of text.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
PATIENCE = 10.0  # seconds that a command may work without a word
# for a terminal that cannot show them
PLAIN = str.maketrans({"↑": "^", "↓": "v", "–": "-"})


class Terminal:
    """Where a command prints, given --json and --quiet."""

    def __init__(self, *, as_json: bool, quiet: bool) -> None:
        self.as_json = as_json
        self.quiet = quiet

    def result(self, document: Mapping[str, Any], lines: Callable[[], Iterator[str]]) -> None:
        """Print the result: one JSON document, or lines for a person."""
        if self.as_json:
            text = json.dumps(document, ensure_ascii=False, allow_nan=False)
            # JSON escapes controls below a blank by itself; the others are escaped as it would
            click.echo(CONTROLS.sub(lambda match: json.dumps(match[0])[1:-1], text))
        else:
            for line in lines():
                click.echo(shown(line))

    def note(self, line: str) -> None:
        """Print a line on stderr, unless --quiet."""
        if not self.quiet:
            click.echo(shown(line), err=True)


def visible(line: str) -> str:
    r"""Return a line with what would steer a terminal made visible; ends of lines and tabs stay.

    Names and labels come from files, and a terminal obeys escapes wherever they come from.

    Examples
    --------
    >>> visible("a dog" + chr(27) + "[2J")
    'a dog\\x1b[2J'
    """
    return CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", line)


def shown(line: str) -> str:
    """Return a line as this terminal can show it: no controls, and no letters that it lacks."""
    safe = visible(line)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        safe.encode(encoding)
    except UnicodeEncodeError:
        plain = safe.translate(PLAIN)
        return plain.encode(encoding, errors="replace").decode(encoding)
    return safe


@contextmanager
def progress(*, quiet: bool) -> Iterator[None]:
    """Show how far the work is within this block: a bar on a terminal, a line now and then if not.

    Nothing is printed before `PATIENCE` seconds where stderr is no terminal.
    """
    if quiet:
        yield
    elif sys.stderr.isatty():
        with _bars():
            yield
    else:
        with _lines():
            yield


@contextmanager
def _lines() -> Iterator[None]:
    """Print where the work is every `PATIENCE` seconds, also while nothing is reported."""
    started, latest = time.monotonic(), ["working"]
    over = threading.Event()

    def listen(label: str, done: int, total: int | None) -> None:
        latest[0] = f"{label} {done}/{total}" if total is not None else f"{label} {done}"

    def speak() -> None:
        while not over.wait(PATIENCE):
            click.echo(f"{latest[0]} ({time.monotonic() - started:.0f} s)", err=True)

    speaker = threading.Thread(target=speak, daemon=True)
    speaker.start()
    try:
        with reporting_to(listen):
            yield
    finally:
        over.set()
        speaker.join()


@contextmanager
def _bars() -> Iterator[None]:
    """Show a bar with rate and time left for each thing that is tracked."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description:<12}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    rows: dict[str, tuple[Any, float]] = {}

    def show(label: str, done: int, total: int | None) -> None:
        if label not in rows or done == 0:
            row = bar.add_task(visible(label), total=total, rate="", count="")
            rows[label] = (row, time.monotonic())
        row, started = rows[label]
        seconds = max(time.monotonic() - started, 1e-9)
        count = f"{done}/{total}" if total is not None else str(done)
        bar.update(row, completed=done, total=total, count=count, rate=f"{done / seconds:,.1f}/s")

    with bar, reporting_to(show):
        yield


def _explained(command: Callable[[], Any]) -> Any:
    """Run a command; the absence of a package that an extra brings is an error that names it."""
    try:
        return command()
    except ModuleNotFoundError as error:
        from earmark.task.extras import missing_explained

        with missing_explained():
            raise error from None


def guarded(command: Callable[[], Any]) -> NoReturn:
    """Run the command line and exit with its code; print every failure in one shape."""
    try:
        code = _explained(command)
    except InputError as error:
        click.echo(str(error), err=True)
        code = WRONG_INPUT
    except click.ClickException as error:
        _usage(error)
        code = WRONG_INPUT
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped; the study is as it was", err=True)
        code = INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        code = BROKEN_PIPE
    except Exception:
        traceback.print_exc()
        click.echo("this is a bug of Earmark's: please report it with the lines above", err=True)
        code = OUR_BUG
    sys.exit(code if isinstance(code, int) else DONE)


def _usage(error: click.ClickException) -> None:
    context = getattr(error, "ctx", None)
    fix = f"see `{context.command_path} --help`" if context else "see `earmark --help`"
    message = error.format_message().rstrip(".")
    click.echo(str(InputError(message[:1].lower() + message[1:], fix=fix)), err=True)
