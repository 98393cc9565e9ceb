"""`python -m benchmarks [TASK ...]`: every row of every task, sides interleaved, as ratios."""

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

from benchmarks.rows import Row

HERE = Path(__file__).parent
FRAME = {"rows", "one", "__main__"}
SECONDS = 1800


def python_of(task: str) -> str:
    """The interpreter of the environment that holds a task's peers, when it was set up."""
    place = HERE.parent / ".bench" / task / "bin" / "python"
    return str(place) if place.exists() else sys.executable


def run_side(task: str, row: Row, side: str) -> dict[str, object]:
    env = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    command = [python_of(task), "-m", "benchmarks.one", task, row.name, side]
    try:
        done = subprocess.run(
            command, cwd=HERE.parent, env=env, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return {"missing": f"stopped after {SECONDS} s"}
    if done.returncode:
        return {"missing": done.stderr.strip().splitlines()[-1] if done.stderr else "failed"}
    found: dict[str, object] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def run_row(task: str, row: Row) -> None:
    best: dict[str, dict[str, float]] = {}
    missing: dict[str, object] = {}
    for _ in range(row.repeats):
        for side in row.sides:
            if side in missing:
                continue
            found = run_side(task, row, side)
            if "missing" in found:
                missing[side] = found["missing"]
            elif side not in best or float(str(found["cpu"])) < best[side]["cpu"]:
                best[side] = {key: float(str(value)) for key, value in found.items()}
    print(f"\n{task}: {row.name}" + (f"   (promised: {row.target})" if row.target else ""))
    ours = best.get("earmark")
    for side, found in best.items():
        ratio = f"{found['cpu'] / ours['cpu']:8.1f} x" if ours and ours["cpu"] else ""
        memory = f"{found['megabytes'] / ours['megabytes']:6.2f} x" if ours else ""
        print(
            f"  {side:<28} {found['cpu']:10.4f} s {ratio:>11} {found['megabytes']:8.0f} MB {memory}"
        )
    for side, reason in missing.items():
        print(f"  {side:<28} not measured: {reason}")


def main() -> None:
    names = sys.argv[1:] or sorted(
        module.name for module in pkgutil.iter_modules([str(HERE)]) if module.name not in FRAME
    )
    print("CPU seconds (best of the repeats) and peak memory; ratios to earmark in the same run")
    for task in names:
        for row in importlib.import_module(f"benchmarks.{task}").ROWS:
            run_row(task, row)


if __name__ == "__main__":
    main()
