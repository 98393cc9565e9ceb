"""The window HMM against the other methods on a small simulated crowd."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.crowds.trial import references, table_2_row, try_design

from earmark.tasks.events.ask.crowd import Crowd


def test_the_window_hmm_is_ahead_of_mace_and_mace_of_stacking_everybody() -> None:
    trial = try_design(3, crowd=Crowd(people=150, cap=999), recordings=4, seconds=90.0)
    rows = {
        name: table_2_row(trial.truth, lines) for name, lines in references(trial.ballots, seed=3)
    }
    assert list(rows) == ["all", "trusted", "mace vb", "mace em", "window-hmm"]
    assert rows["window-hmm"]["F1"] > rows["mace vb"]["F1"] > rows["all"]["F1"]
    assert rows["window-hmm"]["ER"] < rows["mace vb"]["ER"]
    for row in rows.values():
        assert row["ER"] == pytest.approx(row["S"] + row["D"] + row["I"])


# what a fit says of every second, to the last bit, and the paths that are drawn from it
SAID = """
from tests.tasks.events.crowds import noisy_ballots
from earmark.tasks.events.reconcile.methods import by_window_hmm
fit = by_window_hmm(noisy_ballots(), seed=5)
for name, line in sorted(fit.values.items()):
    print(name, line.events, line.scores.rows.tobytes().hex(), line.doubt)
print(fit.people, fit.doubt, fit.made_by)
for name, paths in sorted(fit.posterior.items()):
    print(name, paths)
"""


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    said = []
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", SAID],
            cwd=Path(__file__).parents[4],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        )
        said.append(done.stdout)
    assert said[0] == said[1] and len(said[0]) > 10_000
