"""Start one step, watch it, and end it at its budget; afterwards nothing of it is left."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from earmark.run.box import OWN_PROCESSES, Box, Launch, Limits, Runner
from earmark.run.budget import MEGABYTE
from earmark.run.logs import LogKeeper, readable
from earmark.run.meter import Meter, Sample, SandboxError
from earmark.run.steps import LOG_SHOWN, StepStatus
from earmark.run.trees import TreeSize, tree_size

TICK = 0.05  # seconds between two looks at memory and processes
# A look at the disk walks the whole tree. It may take this share of the time.
DISK_SHARE = 0.1
SECOND = 1.0  # between two lines of telemetry
BLOCK = 65536
# How a shell reports the signal of a file that grew too large (SIGXFSZ).
TOO_LARGE = (128 + signal.SIGXFSZ, -signal.SIGXFSZ)
KILLED = (128 + signal.SIGKILL, -signal.SIGKILL)

Telemetry = Callable[[dict[str, float]], None]
Stop = Callable[[], bool]


class StepStopped(RuntimeError):
    """A step that was ended because whoever waited for it no longer does."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a step ended, before anybody looked at what it wrote."""

    status: StepStatus
    reason: str
    seconds: float
    cpu_seconds: float
    megabytes: float
    disk_megabytes: float
    log: bytes


@dataclass(slots=True)
class _Watch:
    """What was seen of a step so far."""

    limits: Limits
    telemetry: Telemetry
    stop: Stop
    started: float = field(default_factory=time.monotonic)
    cpu: float = 0.0
    memory: float = 0.0
    processes: int = 0
    before: int = 0  # bytes that the step found in the folders it may write
    size: TreeSize = field(default_factory=TreeSize)
    largest: int = 0
    next_sample: float = 0.0
    next_walk: float = 0.0
    next_line: float = SECOND
    ended: float | None = None

    @property
    def seconds(self) -> float:
        """How long the step has been running, or ran."""
        return (self.ended or time.monotonic()) - self.started

    @property
    def written(self) -> int:
        """Bytes that were added to the folders."""
        return max(0, self.size.bytes - self.before)

    def look(self, meter: Meter, process: int, box: Box, *, at_end: bool = False) -> None:
        """Take a sample if it is time to, walk the disk now and then, report each second.

        A step that prints without end wakes us for every block; it is looked at no more often.
        """
        now = self.seconds
        if now < self.next_sample and not at_end:
            return
        self.next_sample = now + TICK
        sample = meter.sample(process)
        self.cpu = max(self.cpu, sample.cpu_seconds)
        self.memory = max(self.memory, sample.megabytes)
        self.processes = max(self.processes, sample.processes)
        if at_end or now >= self.next_walk:
            self.walk(box)
        if now >= self.next_line and not at_end:
            self.next_line += SECOND
            if self.stop():
                raise StepStopped("the step was called off")
            self.report(sample, now)

    def walk(self, box: Box) -> None:
        """Look at the disk; the longer a walk takes, the longer it is until the next."""
        started = time.monotonic()
        self.size = tree_size(box.written())
        self.largest = max(self.largest, self.written)
        self.next_walk = self.seconds + max(TICK, (time.monotonic() - started) / DISK_SHARE)

    def report(self, sample: Sample, now: float) -> None:
        """Send a line of telemetry."""
        self.telemetry(
            {
                "second": round(now, 2),
                "cpu_seconds": round(sample.cpu_seconds, 3),
                "megabytes": round(sample.megabytes, 2),
                "processes": sample.processes,
                "disk_megabytes": round(self.written / MEGABYTE, 3),
            }
        )

    def excess(self) -> tuple[StepStatus, str] | None:
        """Return the limit that is exceeded, if one is."""
        limits = self.limits
        if self.seconds > limits.seconds:
            return "timeout", f"took longer than its {limits.seconds:.4g} s"
        if self.size.too_many:
            return "disk", "wrote too many files or nested folders too deep"
        if self.written > limits.disk:
            return "disk", f"wrote more than its {limits.disk / MEGABYTE:.4g} MB"
        if self.processes > limits.processes + OWN_PROCESSES:
            return "processes", f"started more than its {limits.processes} processes"
        if self.memory * MEGABYTE > limits.memory:
            return "memory", f"used more than its {limits.memory / MEGABYTE:.4g} MB of memory"
        return None


def supervise(
    runner: Runner,
    box: Box,
    limits: Limits,
    telemetry: Telemetry = lambda line: None,
    stop: Stop = lambda: False,
) -> Ended:
    """Run a box within limits; kill all of it at the first excess, and when its script ends.

    `telemetry` gets a line per second, and `stop` is asked as often whether to call it off, which
    raises StepStopped. Raise SandboxError if the step could not be started or not be ended: that is
    no fault of the code.
    """
    meter = runner.meter(limits)
    try:
        with runner.launch(box, limits, meter) as launch:
            return _watched(launch, box, meter, _Watch(limits, telemetry, stop))
    except OSError as error:
        raise SandboxError(f"a step could not be run: {error}") from error
    finally:
        meter.close()


def _watched(launch: Launch, box: Box, meter: Meter, watch: _Watch) -> Ended:
    log = LogKeeper(watch.limits.log)
    watch.before = tree_size(box.written()).bytes
    watch.started = time.monotonic()
    process = subprocess.Popen(
        launch.words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        close_fds=True,
        pass_fds=launch.files,
        env=dict(launch.environment),
        cwd="/",
        start_new_session=True,
    )
    excess = None
    try:
        excess = _until_end(process, box, meter, watch, log)
    finally:
        watch.ended = time.monotonic()
        cpu = _end(process, launch, meter)
        _drain(process, log)
    watch.cpu = max(watch.cpu, cpu)
    if not launch.has_begun:
        raise SandboxError(f"the box could not be made: {readable(log.text(), last=LOG_SHOWN)}")
    watch.look(meter, process.pid, box, at_end=True)
    status, reason = excess or _verdict(process.returncode, meter, watch)
    used = (watch.seconds, watch.cpu, watch.memory, watch.largest / MEGABYTE)
    return Ended(status, reason, *used, log.text())


def _until_end(
    process: "subprocess.Popen[bytes]", box: Box, meter: Meter, watch: _Watch, log: LogKeeper
) -> tuple[StepStatus, str] | None:
    """Read the log and look at the limits until the process ends; return the excess, if any."""
    pipe = process.stdout
    if pipe is None:
        raise SandboxError("a step has no log")
    os.set_blocking(pipe.fileno(), False)
    handle = os.pidfd_open(process.pid)
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    waiting.register(pipe.fileno(), select.POLLIN)
    try:
        while True:
            pause = max(0.0, min(TICK, watch.limits.seconds - watch.seconds))
            ready = {number for number, _ in waiting.poll(1000 * pause)}
            if pipe.fileno() in ready and not _read(pipe.fileno(), log):
                waiting.unregister(pipe.fileno())
            if handle in ready:
                return None
            watch.look(meter, process.pid, box)
            if excess := watch.excess():
                return excess
    finally:
        os.close(handle)


def _read(pipe: int, log: LogKeeper) -> bool:
    """Take what is in the pipe; return whether more may come."""
    try:
        block = os.read(pipe, BLOCK)
    except BlockingIOError:
        return True
    log.add(block)
    return bool(block)


def _end(process: "subprocess.Popen[bytes]", launch: Launch, meter: Meter) -> float:
    """Kill the step's processes, the starter and all others; return the CPU seconds they took.

    The starter is reaped last: until then its number is its own, and nobody else is hit.
    """
    if launch.stop:
        subprocess.run(launch.stop, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    meter.end(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _drain(process: "subprocess.Popen[bytes]", log: LogKeeper) -> None:
    """Take what is left in the pipe; its writers are gone, so it ends."""
    if process.stdout is None:
        return
    with suppress(BlockingIOError):
        while block := os.read(process.stdout.fileno(), BLOCK):
            log.add(block)
    process.stdout.close()


def _verdict(code: int, meter: Meter, watch: _Watch) -> tuple[StepStatus, str]:
    """Return how a step ended that was not stopped: by its exit code and what limits refused."""
    events = meter.events()
    limits = watch.limits
    if code == 0 and not watch.excess() and not events.out_of_memory:
        return "ok", ""
    if events.out_of_memory:
        return "memory", f"used more than its {limits.memory / MEGABYTE:.4g} MB of memory"
    if code and (events.forks_refused or watch.processes >= limits.processes):
        return "processes", f"started more than its {limits.processes} processes"
    if code in TOO_LARGE:
        return "disk", f"wrote a file of more than {limits.disk / MEGABYTE:.4g} MB"
    if excess := watch.excess():
        return excess
    if code in KILLED:
        return "error", "was killed by a signal"
    return "error", f"ended with exit code {code}"
