"""How many answers are saved by asking where the doubt is, by simulation.

    python -m benchmarks.crowds.asking [first seed] [crowds] [recordings]

Every window has a bank of answers of different people. Evenly: everybody's first k answers to each
window. Where the doubt is: one answer a window, then rounds of a tenth of the windows. Both are
reconciled by the window HMM and scored against the truth; MACE stands beside them.
"""

import sys

import numpy as np

from earmark.score.evaluate import evaluate
from earmark.tasks.events import trial
from earmark.tasks.events.crowd_values import Crowd
from earmark.tasks.events.hmm import Recipe, window_hmm
from earmark.tasks.events.more import spread_out, telling
from earmark.tasks.events.reconcile import mace_fit
from earmark.tasks.events.score.segments import segment_f1
from earmark.tasks.events.sheet import Sheet

BANK = 10
EVENLY = (1, 2, 3, 4, 5)
ROUNDS = 20


def main(first: int = 401, crowds: int = 3, recordings: int = 10) -> None:
    for seed in range(first, first + crowds):
        crowd = Crowd(opinions=BANK, cap=10**6)
        found = trial.trial(seed, crowd=crowd, recordings=recordings)
        sheet, bank = found.sheet, banked(found.sheet, seed)
        print(f"crowd {seed}: {sheet.windows} windows")
        even = {}
        for k in EVENLY:
            part = taken(sheet, bank, np.full(sheet.windows, k))
            even[k] = hmm_f1(found, part)[0]
            tags = trial.tags_of(
                part, mace_fit(part, inference="vb", restarts=3, iterations=50, seed=seed)
            )
            stacked = f1(found, trial.stacked_tags(part, tags))
            told = f"{len(part.window):5d} answers: hmm {even[k]:.3f}  mace {stacked:.3f}"
            print(f"  evenly {k} a window, {told}", flush=True)
        reached: dict[int, int] = {}
        for answers, value in doubtful(found, bank):
            print(f"  where the doubt is, {answers:5d} answers: hmm {value:.3f}", flush=True)
            for k in EVENLY[1:]:
                if value >= even[k]:
                    reached.setdefault(k, answers)
            if len(reached) == len(EVENLY) - 1:
                break
        for k in EVENLY[1:]:
            wanted = k * sheet.windows
            told = (
                f"{reached[k]} ({1 - reached[k] / wanted:.0%} saved)"
                if k in reached
                else "not reached"
            )
            print(f"  as good as {k} a window ({wanted} answers): {told}", flush=True)


def f1(found: trial.Trial, lines: dict) -> float:
    return evaluate(segment_f1(), found.truth, lines, resamples=0).value


def hmm_f1(found: trial.Trial, part: Sheet):
    fit = window_hmm(part, Recipe())
    return f1(found, part.timelines(fit.active >= 0.5)), fit


def banked(sheet: Sheet, seed: int) -> list[np.ndarray]:
    """Each window's answers in an order of their own."""
    rng = np.random.default_rng(seed)
    rows = [np.flatnonzero(sheet.window == k) for k in range(sheet.windows)]
    return [rng.permutation(row) for row in rows]


def taken(sheet: Sheet, bank: list[np.ndarray], counts: np.ndarray) -> Sheet:
    """The first `counts` answers to each window."""
    from dataclasses import replace

    rows = np.sort(np.concatenate([row[:n] for row, n in zip(bank, counts, strict=True)]))
    return replace(sheet, window=sheet.window[rows], person=sheet.person[rows], yes=sheet.yes[rows])


def doubtful(found: trial.Trial, bank: list[np.ndarray]):
    """Rounds of asking where it tells most: how many answers so far, and the F1 reached."""
    sheet = found.sheet
    counts = np.ones(sheet.windows, dtype=int)
    for _ in range(ROUNDS):
        part = taken(sheet, bank, counts)
        value, fit = hmm_f1(found, part)
        yield len(part.window), value
        asked = 0
        for window in spread_out(sheet, telling(fit)):
            if counts[window] < BANK:
                counts[window] += 1
                asked += 1
            if asked >= sheet.windows // 10:
                break


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
