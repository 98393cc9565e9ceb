"""The window HMM against MACE on simulated crowds it was not developed on.

    python -m benchmarks.crowds.window_hmm [first seed] [crowds] [parameter=value ...]

Development used the seeds 1 to 4; the default here is 201 to 212. Prints every crowd, the mean,
and how often the HMM was better than MACE VB in a column. Parameters are those of the simulated
crowd, to see where the HMM's assumptions stop to hold: `audibility_spread=0` makes events alike.
"""

import sys
import time

import numpy as np
from benchmarks.crowds.trial import references, table_2_row, try_design

from earmark.tasks.events.ask.crowd import Crowd

COLUMNS = ("ER", "S", "D", "I", "F1", "P", "R", "F.7", "F.1")
LOWER_IS_BETTER, HIGHER_IS_BETTER = -1, 1


def main(first: int = 201, crowds: int = 12, changes: tuple[str, ...] = ()) -> None:
    crowd = Crowd.of({k: float(v) for k, _, v in (word.partition("=") for word in changes)})
    rows: dict[str, list[list[float]]] = {}
    for seed in range(first, first + crowds):
        trial = try_design(seed, crowd=crowd)
        windows, answers = len(trial.ballots.items), len(trial.ballots.answers)
        print(f"crowd {seed}: {windows} windows, {answers} answers")
        started = time.process_time()
        for name, lines in references(trial.ballots, seed):
            row = table_2_row(trial.truth, lines)
            used, started = time.process_time() - started, time.process_time()
            rows.setdefault(name, []).append([row[column] for column in COLUMNS])
            show(name, rows[name][-1], f"{used:6.1f} CPU s")
    print(f"\nmean of {crowds} crowds")
    for name, own in rows.items():
        show(name, np.mean(own, axis=0).tolist())
    hmm, mace = np.array(rows["window-hmm"]), np.array(rows["mace vb"])
    for column, sign in (
        ("ER", LOWER_IS_BETTER),
        ("F1", HIGHER_IS_BETTER),
        ("F.7", HIGHER_IS_BETTER),
        ("F.1", HIGHER_IS_BETTER),
    ):
        k = COLUMNS.index(column)
        better = int(np.sum(sign * (hmm[:, k] - mace[:, k]) > 0))
        print(f"{column:4} window-hmm better than mace vb in {better} of {crowds} crowds")


def show(name: str, row: list[float], note: str = "") -> None:
    cells = "  ".join(f"{c} {value:.3f}" for c, value in zip(COLUMNS, row, strict=True))
    print(f"  {name:11} {cells}  {note}", flush=True)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if "=" not in word]
    main(*(numbers or (201, 12)), changes=tuple(word for word in sys.argv[1:] if "=" in word))
