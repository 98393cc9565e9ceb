"""earmark listen."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from earmark.cli.commands import command
from earmark.cli.terminal import Terminal
from earmark.values.errors import InputError
from earmark.values.names import counted

if TYPE_CHECKING:
    from earmark.arrays import Samples
    from earmark.tasks.keywords.run.listening import StreamListener, WindowVerdict

STDIN = "-"
EXAMPLE = """earmark listen recordings/ana/lamp a.wav
arecord -q -t raw -f S16_LE -r 16000 | earmark listen recordings/ana/lamp -"""
# Samples of a file that are handed over at a time; the listener takes chunks of any size.
CHUNK = 16000


def run_listen(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Judge a long recording, or raw sound on stdin, for one enrolled keyword."""
    from earmark.tasks.keywords.run.device import Device

    device = Device.enrolled(values["enrolment"], model=values["model"], seed=values["seed"] or 0)
    listener = device.listener(window=values["window"], hop=values["hop"], every=values["scores"])
    terminal.note(
        f"listening: a decision every {listener.hop:g} s on the last {listener.window:g} s; "
        f"wakes at a score of {device.threshold:.2f}"
    )
    began = time.process_time()
    judged = list(_shown(terminal, listener, _chunks(values["source"]), every=values["scores"]))
    if not judged:
        raise InputError("there is nothing to listen to", at=values["source"], got="no sound")
    _conclude(terminal, judged, listener, time.process_time() - began)


def _chunks(source: str) -> "Iterator[Samples]":
    """Yield samples at 16 kHz of a sound file, or of raw 16-bit samples on stdin."""
    from earmark.files.sound import read_sound
    from earmark.tasks.keywords.values import RATE

    if source == STDIN:
        # read1 returns what is there: sound must be judged when it comes, not when a block is full
        yield from _raw(getattr(sys.stdin.buffer, "read1", sys.stdin.buffer.read))
        return
    samples, _ = read_sound(Path(source), rate=RATE)
    for start in range(0, len(samples), CHUNK):
        yield samples[start : start + CHUNK]


def _raw(read: Callable[[int], bytes]) -> "Iterator[Samples]":
    """Yield samples of raw little-endian 16-bit sound as it comes; half a sample waits."""
    half = b""
    while block := read(2 * CHUNK):
        whole = half + block
        size = len(whole) // 2 * 2
        half = whole[size:]
        yield np.frombuffer(whole[:size], dtype="<i2").astype(np.float32) / np.float32(32768)
    if half:
        raise InputError(
            "raw sound must be whole 16-bit samples",
            at="stdin",
            got="an odd number of bytes",
            want="mono, 16 kHz, 16-bit little-endian, no header",
        )


def _shown(
    terminal: Terminal, listener: "StreamListener", chunks: "Iterator[Samples]", *, every: bool
) -> "Iterator[WindowVerdict]":
    """Yield every window's verdict, printing each wake, or each window, when it is decided."""
    from earmark.tasks.keywords.run.listening import WakeGate

    gate = WakeGate()
    for chunk in chunks:
        for one in listener.feed(chunk):
            _print(terminal, one, wakes=gate.opens(one), every=every)
            yield one
    for one in listener.rest():
        _print(terminal, one, wakes=gate.opens(one), every=every)
        yield one


def _print(terminal: Terminal, one: "WindowVerdict", *, wakes: bool, every: bool) -> None:
    if terminal.as_json or not (wakes or every):
        return
    score = "" if one.verdict.score is None else f"   score {one.verdict.score:.3f}"
    click.echo(f"{one.end:10.2f} s   {'awake' if wakes else '     '}{score}")


def _conclude(
    terminal: Terminal,
    judged: "list[WindowVerdict]",
    listener: "StreamListener",
    seconds: float,
) -> None:
    """Print the JSON document, or a note of how often it woke, and the latency."""
    from earmark.tasks.keywords.run.listening import wakes

    woken = list(wakes(judged))
    per_decision = seconds / len(judged)
    document = {
        "seconds": judged[-1].end,
        "windows": len(judged),
        "wakes": [{"time": one.end, "score": one.verdict.score} for one in woken],
        "scores": [[one.end, one.verdict.score] for one in judged],
        "hop": listener.hop,
        "window": listener.window,
        "cpu_per_decision": per_decision,
    }
    terminal.result(document, lambda: iter(()))
    terminal.note(
        f"woke {counted(len(woken), 'time')} in {judged[-1].end:.1f} s; {per_decision:.3f} CPU s "
        f"per decision: latency at most {listener.hop + per_decision:.2f} s after a keyword ends"
    )


listen = command(
    "listen",
    "Listen for one keyword in a long recording or a stream. ENROLMENT is a folder of recordings "
    "of the keyword, best five, by one speaker; SOURCE a sound file, or - for raw mono 16-bit "
    "samples at 16 kHz on stdin. A line is printed when the device wakes.",
    EXAMPLE,
    params=[
        click.Argument(["enrolment"], metavar="ENROLMENT", type=click.Path(path_type=Path)),
        click.Argument(["source"], metavar="SOURCE"),
        click.Option(
            ["--hop"],
            type=float,
            default=0.25,
            metavar="SECONDS",
            help="Seconds between two decisions.  [0.25]",
        ),
        click.Option(
            ["--window"],
            type=float,
            default=None,
            metavar="SECONDS",
            help="Seconds that a decision looks at.  [the longest recording's speech and 1 s]",
        ),
        click.Option(
            ["--scores"],
            is_flag=True,
            help="Print every window with its score; without it, a window whose words do not fit "
            "is passed over before its voice is looked at.",
        ),
        click.Option(
            ["--model"],
            type=click.Path(path_type=Path),
            default=None,
            metavar="FILE",
            help="A table that `earmark train` wrote, in place of the shipped one.",
        ),
    ],
    handler=run_listen,
)
