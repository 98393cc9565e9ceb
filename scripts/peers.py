"""Environments for `make bench`: one for each task's peers, with Earmark in it."""

import subprocess
import sys
import venv
from pathlib import Path

TOP = Path(__file__).parents[1]


def prepare(peers: Path) -> None:
    """Make an environment `.bench/<task>` with that task's peers, anew when they change."""
    place = TOP / ".bench" / peers.stem
    stamp = place / "peers.txt"
    if stamp.exists() and stamp.read_text() == peers.read_text():
        return
    print(f"setting up the peers of {peers.stem}", flush=True)
    venv.create(place, with_pip=True, clear=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    lines = [line for line in peers.read_text().splitlines() if line and not line.startswith("#")]
    torch = [line for line in lines if line.startswith("torch==")]
    alone = [line.split() for line in lines if line.startswith("--no-deps")]
    wanted = [line for line in lines if not line.startswith("--no-deps")]
    for step in (torch, wanted, *alone, ["-e", str(TOP)]):
        if step and subprocess.run([*pip, *step]).returncode:
            print(f"  some peers of {peers.stem} could not be installed; their rows will say so")
            return
    lend(place)
    stamp.write_text(peers.read_text())


def lend(place: Path) -> None:
    """Let what Earmark needs come from the main environment, after all that peers bring."""
    ours = next((TOP / ".venv" / "lib").glob("python*/site-packages"), None)
    theirs = next((place / "lib").glob("python*/site-packages"))
    if ours is not None:
        (theirs / "earmark-extras.pth").write_text(f"{ours}\n")


if __name__ == "__main__":
    tasks = [path.stem for path in (TOP / "benchmarks").glob("*.py")]
    for file in sorted((TOP / "benchmarks" / "peers").glob("*.txt")):
        if file.stem in (sys.argv[1:] or tasks):
            prepare(file)
