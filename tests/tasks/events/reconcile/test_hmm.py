"""The window HMM against the other methods on a small simulated crowd."""

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
