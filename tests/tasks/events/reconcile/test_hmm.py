"""The window HMM against the other methods on a small simulated crowd."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from benchmarks.crowds.known_processes import KNOWN
from benchmarks.crowds.scene import ballots_of, make_scene, share_work
from benchmarks.crowds.trial import references, table_2_row, try_design

from earmark.score.evaluate import evaluate
from earmark.tasks.events import segment_f1
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.reconcile.hearing import BEGINS, ENDS
from earmark.tasks.events.reconcile.hmm import window_hmm
from earmark.tasks.events.reconcile.options import WindowHmmOptions
from earmark.tasks.events.reconcile.window_answers import WindowAnswers, window_answers
from earmark.tasks.events.values import Timeline


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


def crowd_answers(process: str) -> tuple[Mapping[str, Timeline], WindowAnswers]:
    """Five opinions about each window of three soundscapes, by a process of benchmarks/crowds."""
    scene = make_scene(1, recordings=3, seconds=90.0)
    rng = np.random.default_rng(1)
    work = share_work(scene, rng, people=40, opinions=5)
    yes = KNOWN[process][0](scene, work, rng)
    return scene.truth, window_answers(ballots_of(scene, work, yes))


def test_a_crowd_that_ticks_what_begins_is_read_by_where_events_begin() -> None:
    """Where people overlook what goes on, a long event is not cut off after its first window."""
    truth, answers = crowd_answers("onsets")
    fit = window_hmm(answers, WindowHmmOptions(levels=1, restarts=1))
    borders = fit.hearing.borders
    assert borders is not None and borders[BEGINS] == pytest.approx(1.0, abs=0.05)
    assert max(borders[0], borders[ENDS]) < 0.75
    f1 = evaluate(segment_f1(), truth, answers.timelines(fit.active >= 0.5), resamples=0).value
    assert f1 > 0.85  # .948 on seven recordings of 180 s; .782 without borders


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
