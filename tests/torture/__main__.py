"""The long run: mutated files, kills, commands at once, changed bytes, queues, killed servers.

`python -m tests.torture` prints what was counted; `--help` says how to run a part of it. Exit code
1 if anything failed; mutated files that broke a reader stay in the folder that is named. A mutated
file may take 5 seconds of the processor, which other programs do not change.
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
from tests.torture.file_options import NOT_READ, file_options
from tests.torture.reader import options_read
from tests.torture.readers import made_readers
from tests.torture.tamper import changed_bytes, named_by_verify

from earmark.tasks import load

Line = tuple[str, int, int, str]  # what was tried, how often, how many failed, how it ended
WIDTH = 58  # of the first column


def mutated_files(folder: Path, cases: int, asked: argparse.Namespace) -> Iterator[Line]:
    """Count how every reader, or every one with a word in its name, ends on mutated files."""
    every = [reader for reader in made_readers(folder) if asked.only in reader.name]
    shares = mutated.spread(every, cases)
    number, of = asked.piece
    # pieces of neighbours, whose commands run on the same studies
    start, stop = (len(every) * one // of for one in (number - 1, number))
    for reader, share in zip(every[start:stop], shares[start:stop], strict=True):
        tally = mutated.torture(reader, share, asked.seed, folder / "broke-a-reader")
        codes = ", ".join(f"exit {code}: {count}" for code, count in sorted(tally.codes.items()))
        _explain(tally.failures)
        yield reader.name, tally.cases, len(tally.failures), f"{codes}; {tally.slowest:.1f} s"


def killed_verbs(folder: Path, count: int, asked: argparse.Namespace) -> Iterator[Line]:
    """Count how studies are after a kill."""
    every = list(kills.torture(folder, count, asked.seed))
    _explain([str(one) for one in every if one.state not in ("before", "after")])
    for task, verb in dict.fromkeys((one.task, one.verb) for one in every):
        states = Counter(one.state for one in every if (one.task, one.verb) == (task, verb))
        failed = sum(states.values()) - states["before"] - states["after"]
        ends = ", ".join(f"{state}: {number}" for state, number in sorted(states.items()))
        yield f"kills, {task} {verb}", sum(states.values()), failed, ends


def commands_at_once(folder: Path, count: int, asked: argparse.Namespace) -> Iterator[Line]:
    """Count what two commands at once lose."""
    every = list(pairs.torture(folder, count, asked.seed))
    _explain([str(one) for one in every if one.lost])
    for task in TASKS:
        own = [one for one in every if one.task == task]
        verbs = Counter(one.verbs for one in own)
        ends = ", ".join(f"{number} {names}" for names, number in sorted(verbs.items()))
        yield f"pairs, {task}", len(own), sum(bool(one.lost) for one in own), ends


def changed_files(folder: Path, count: int, asked: argparse.Namespace) -> Iterator[Line]:
    """Count the changed bytes that verify does not notice, each after a full verification."""
    draw = random.Random(asked.seed)
    for task in TASKS:
        study = small_study(task, folder / task)
        tried, missed, files = 0, [], set()
        for path, restore in changed_bytes(study.folder, draw, bytes_per_file=count):
            tried += 1
            files.add(path)
            if not named_by_verify(study.folder, path):
                missed.append(str(path))
            restore()
        _explain(missed)
        yield f"changed bytes, {task}", tried, len(missed), f"{len(files)} files"


def drained_queues(folder: Path, count: int, asked: argparse.Namespace) -> Iterator[Line]:
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
        drained = drain(
            place, None, submissions=count, kills=10, seed=asked.seed, real=real, longest=6.0
        )
        lost = count - drained.states.get("scored", 0)
        repeated = max(0, drained.repeated - drained.kills)
        ends = f"{drained.kills} kills, {drained.repeated} steps repeated"
        yield f"submissions, {name}", count, lost + drained.scored_twice + repeated, ends


def killed_servers(folder: Path, count: int, asked: argparse.Namespace) -> Iterator[Line]:
    """Count what servers lose that are killed under load, and units without their opinions."""
    from tests.torture import serving

    yield from serving.torture(folder, count, asked.seed)


def _explain(failures: list[str]) -> None:
    for failure in failures:
        click.echo(failure, err=True)


PARTS: dict[str, tuple[Callable[..., Iterator[Line]], int, str]] = {
    "cases": (mutated_files, 10_000, "mutated files"),
    "kills": (killed_verbs, 200, "kills of verbs"),
    "pairs": (commands_at_once, 200, "pairs of commands at once"),
    "bytes": (changed_files, 3, "changed bytes of each file of each task's study"),
    "submissions": (drained_queues, 200, "submissions in a queue whose worker is killed"),
    "servers": (killed_servers, 10, "kills of a server under load"),
}


def _piece(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if not (number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError("write K/N, such as 2/4")
    return int(number), int(of)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.torture",
        description="The same seed gives the same damage, whatever else runs: a part by itself "
        "(--parts cases), the readers with a word in their names (--only train), or a quarter of "
        "them (--piece 2/4) do what the whole run would do there.",
    )
    for name, (_, default, what) in PARTS.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{what} [{default}]")
    parser.add_argument("--parts", default=",".join(PARTS), help="which: cases,kills  [all]")
    parser.add_argument("--only", default="", help="of mutated files: a word in a reader's name")
    parser.add_argument("--piece", type=_piece, default=(1, 1), help="of mutated files: K/N [1/1]")
    parser.add_argument(
        "--folder",
        type=Path,
        help="where; pieces in one folder share what is made once  [a new one]",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--table", action="store_true", help="print who reads what, and end")
    return parser.parse_args()


def table(folder: Path) -> None:
    """Print which options name a file, and the readers in whose cases that file is mutated."""
    named: dict[str, list[str]] = {name: [] for name in sorted(file_options())}
    for reader in made_readers(folder):
        for option in dict.fromkeys(options_read(reader)):
            named.setdefault(option, []).append(reader.name)
    for option, names in named.items():
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        click.echo(f"{option:<{WIDTH}} {len(names):>6}  {'; '.join(names[:3])}{more}")
    for option, why in NOT_READ.items():
        click.echo(f"{option:<{WIDTH}} {'-':>6}  {why}")


def main() -> int:
    """Run the parts and print a table."""
    asked = _asked()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="torture-"))
    if asked.table:
        table(folder)
        return 0
    click.echo(f"seed {asked.seed}, in {folder}")
    click.echo(f"{'what':<{WIDTH}} {'tried':>6} {'failed':>6}  how it ended")
    total = failed = 0
    for name in asked.parts.split(","):
        part, count = PARTS[name][0], getattr(asked, name)
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        for line in part(place, count, asked) if count else ():
            total, failed = total + line[1], failed + line[2]
            click.echo(f"{line[0]:<{WIDTH}} {line[1]:>6} {line[2]:>6}  {line[3]}")
    click.echo(f"{'all':<{WIDTH}} {total:>6} {failed:>6}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
