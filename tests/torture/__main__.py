"""The long run: mutated files, kills, commands at once, changed bytes, queues, killed servers.

`python -m tests.torture [--cases N] [--kills N] [--pairs N] [--bytes N] [--submissions N]
[--servers N] [--seed N] [--only WORD]` prints what was counted. Exit code 1 if anything failed;
mutated files that broke a reader stay in the folder that is named. A mutated file may take 5
seconds of the processor, which other programs do not change.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from tests.studies import TASKS, small_study
from tests.torture import kills, mutated, pairs
from tests.torture.readers import readers
from tests.torture.tamper import changed_bytes, named_by_verify

from earmark.tasks import load

Line = tuple[str, int, int, str]  # what was tried, how often, how many failed, how it ended


def mutated_files(folder: Path, cases: int, seed: int, only: str = "") -> Iterator[Line]:
    """Count how every reader, or every one with a word in its name, ends on mutated files."""
    every = [reader for reader in readers(folder) if only in reader.name]
    for reader, share in zip(every, mutated.spread(every, cases), strict=True):
        tally = mutated.torture(reader, share, seed, folder / "broke-a-reader")
        codes = ", ".join(f"exit {code}: {count}" for code, count in sorted(tally.codes.items()))
        _explain(tally.failures)
        yield reader.name, tally.cases, len(tally.failures), f"{codes}; {tally.slowest:.1f} s"


def killed_verbs(folder: Path, count: int, seed: int) -> Iterator[Line]:
    """Count how studies are after a kill."""
    every = list(kills.torture(folder, count, seed))
    _explain([str(one) for one in every if one.state not in ("before", "after")])
    for task in TASKS:
        states = Counter(one.state for one in every if one.task == task)
        failed = sum(states.values()) - states["before"] - states["after"]
        ends = ", ".join(f"{state}: {number}" for state, number in sorted(states.items()))
        yield f"kills, {task}", sum(states.values()), failed, ends


def commands_at_once(folder: Path, count: int, seed: int) -> Iterator[Line]:
    """Count what two commands at once lose."""
    every = list(pairs.torture(folder, count, seed))
    _explain([str(one) for one in every if one.lost])
    for task in TASKS:
        own = [one for one in every if one.task == task]
        yield f"pairs, {task}", len(own), sum(bool(one.lost) for one in own), ""


def changed_files(folder: Path, count: int, seed: int) -> Iterator[Line]:
    """Count the changed bytes that verify does not notice, each after a full verification."""
    draw = random.Random(seed)
    for task in TASKS:
        study = small_study(task, folder / task)
        tried, missed = 0, []
        for path, restore in changed_bytes(study.folder, draw, bytes_per_file=count):
            tried += 1
            if not named_by_verify(study.folder, path):
                missed.append(str(path))
            restore()
        _explain(missed)
        yield f"changed bytes, {task}", tried, len(missed), ""


def drained_queues(folder: Path, count: int, seed: int) -> Iterator[Line]:
    """Count what is lost of a queue of submissions while its worker is killed ten times."""
    shutil.copytree(Path(__file__).parents[1] / "sixth", folder / "tasks")
    os.environ["EARMARK_TASKS"] = str(folder / "tasks")
    load.cache_clear()
    from tests.study.drains import drain

    runners = {"a plain process": False, "the sandbox": True}
    for name, real in runners.items():
        if real and shutil.which("bwrap") is None:
            continue
        place = folder / name.replace(" ", "-")
        drained = drain(place, None, submissions=count, kills=10, seed=seed, real=real, longest=6.0)
        lost = count - drained.states.get("scored", 0)
        repeated = max(0, drained.repeated - drained.kills)
        ends = f"{drained.kills} kills, {drained.repeated} steps repeated"
        yield f"submissions, {name}", count, lost + drained.scored_twice + repeated, ends


def killed_servers(folder: Path, count: int, seed: int) -> Iterator[Line]:
    """Count what servers lose that are killed under load, and units without their opinions."""
    from tests.torture import serving

    yield from serving.torture(folder, count, seed)


def _explain(failures: list[str]) -> None:
    for failure in failures:
        click.echo(failure, err=True)


PARTS: dict[str, tuple[Callable[..., Iterator[Line]], int]] = {
    "cases": (mutated_files, 10_000),
    "kills": (killed_verbs, 200),
    "pairs": (commands_at_once, 200),
    "bytes": (changed_files, 3),
    "submissions": (drained_queues, 200),
    "servers": (killed_servers, 10),
}


def main() -> int:
    """Run the parts and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture")
    for name, (_, default) in PARTS.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="a word in the names of readers")
    asked = vars(parser.parse_args())
    folder = Path(tempfile.mkdtemp(prefix="torture-"))
    click.echo(f"in {folder}\n{'what':<44} {'tried':>6} {'failed':>6}  how it ended")
    total = failed = 0
    for name, (part, _) in PARTS.items():
        place = folder / name
        place.mkdir()
        more = (asked["only"],) if name == "cases" else ()
        for line in part(place, asked[name], asked["seed"], *more) if asked[name] else ():
            total, failed = total + line[1], failed + line[2]
            click.echo(f"{line[0]:<44} {line[1]:>6} {line[2]:>6}  {line[3]}")
    click.echo(f"{'all':<44} {total:>6} {failed:>6}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
