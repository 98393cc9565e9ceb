"""What a command prints: results to stdout, notes to stderr, errors in one shape."""

import json
import re
import sys
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
                click.echo(visible(line))

    def note(self, line: str) -> None:
        """Print a line on stderr, unless --quiet."""
        if not self.quiet:
            click.echo(visible(line), err=True)


def visible(line: str) -> str:
    r"""Return a line with what would steer a terminal made visible; ends of lines and tabs stay.

    Names and labels come from files, and a terminal obeys escapes wherever they come from.

    Examples
    --------
    >>> visible("a dog" + chr(27) + "[2J")
    'a dog\\x1b[2J'
    """
    return CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", line)


@contextmanager
def progress(*, quiet: bool) -> Iterator[None]:
    """Show a bar with rate and time left within this block, on a terminal only."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description:<12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    rows: dict[str, tuple[Any, float]] = {}

    def show(label: str, done: int, total: int | None) -> None:
        if label not in rows or done == 0:
            rows[label] = (bar.add_task(visible(label), total=total, rate=""), time.monotonic())
        row, started = rows[label]
        seconds = max(time.monotonic() - started, 1e-9)
        bar.update(row, completed=done, total=total, rate=f"{done / seconds:,.1f}/s")

    with bar, reporting_to(show):
        yield


def guarded(command: Callable[[], Any]) -> NoReturn:
    """Run the command line and exit with its code; print every failure in one shape."""
    try:
        code = command()
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
