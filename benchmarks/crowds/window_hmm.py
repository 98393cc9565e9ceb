"""The window HMM against MACE on simulated crowds it was not developed on.

    python -m benchmarks.crowds.window_hmm [first seed] [crowds] [parameter=value ...]

Development used the seeds 1 to 4; the default here is 201 to 212. Prints every crowd, the mean,
and how often the HMM lost a column to MACE VB. Parameters are those of the simulated crowd, to see
where the HMM's assumptions stop to hold: `audibility_spread=0` makes all events alike.
"""

import sys
import time

import numpy as np

from earmark.tasks.events import trial
from earmark.tasks.events.crowd_values import Crowd

COLUMNS = ("ER", "S", "D", "I", "F1", "P", "R", "F.7", "F.1")


def main(first: int = 201, crowds: int = 12, changes: tuple[str, ...] = ()) -> None:
    crowd = Crowd.of({k: float(v) for k, _, v in (word.partition("=") for word in changes)})
    rows: dict[str, list[list[float]]] = {}
    for seed in range(first, first + crowds):
        found = trial.trial(seed, crowd=crowd)
        print(f"crowd {seed}: {found.sheet.windows} windows, {len(found.sheet.window)} answers")
        started = time.process_time()
        for name, lines in trial.ways(found.sheet, seed):
            row = trial.table_row(found.truth, lines)
            used, started = time.process_time() - started, time.process_time()
            rows.setdefault(name, []).append([row[column] for column in COLUMNS])
            show(name, rows[name][-1], f"{used:6.1f} CPU s")
    print(f"\nmean of {crowds} crowds")
    for name, found_rows in rows.items():
        show(name, np.mean(found_rows, axis=0).tolist())
    ours, theirs = np.array(rows["window-hmm"]), np.array(rows["mace vb"])
    for column, better in (("ER", -1), ("F1", 1), ("F.7", 1), ("F.1", 1)):
        k = COLUMNS.index(column)
        won = int(np.sum(better * (ours[:, k] - theirs[:, k]) > 0))
        print(f"{column:4} window-hmm better than mace vb in {won} of {crowds} crowds")


def show(name: str, row: list[float], note: str = "") -> None:
    cells = "  ".join(f"{c} {value:.3f}" for c, value in zip(COLUMNS, row, strict=True))
    print(f"  {name:11} {cells}  {note}", flush=True)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if "=" not in word]
    main(*(numbers or (201, 12)), tuple(word for word in sys.argv[1:] if "=" in word))
