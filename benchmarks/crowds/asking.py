"""How many answers are saved by asking where the expected information gain is highest.

    python -m benchmarks.crowds.asking [first seed] [crowds] [recordings]

Every window has a bank of answers of different people. Evenly: everybody's first k answers to each
window. By information gain: one answer per window, then rounds of a tenth of the windows. Both are
reconciled by the window HMM and scored against the truth; MACE is shown beside them.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from benchmarks.crowds.trial import DesignTrial, try_design

from earmark.arrays import Ints
from earmark.score.evaluate import evaluate
from earmark.tasks.events import segment_f1
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.ask.information_gain import expected_information_gain, spread_out
from earmark.tasks.events.reconcile.hmm import window_hmm
from earmark.tasks.events.reconcile.hmm_fit import Smoothed
from earmark.tasks.events.reconcile.methods import mace_fit, tags_of
from earmark.tasks.events.reconcile.window_answers import (
    WindowAnswers,
    active,
    activity,
    window_answers,
)
from earmark.tasks.events.values import Timeline

BANK = 10
EVENLY = (1, 2, 3, 4, 5)
ROUNDS = 20
Bank = list[Ints]


def main(first: int = 401, crowds: int = 3, recordings: int = 10) -> None:
    for seed in range(first, first + crowds):
        trial = try_design(seed, crowd=Crowd(opinions=BANK, cap=10**6), recordings=recordings)
        answers = window_answers(trial.ballots)
        bank = banked(answers, seed)
        print(f"crowd {seed}: {answers.windows} windows")
        even = {k: evenly(trial, answers, bank, k, seed) for k in EVENLY}
        reached: dict[int, int] = {}
        for count, value in by_information_gain(trial, answers, bank):
            print(f"  by information gain, {count:5d} answers: hmm {value:.3f}", flush=True)
            for k in EVENLY[1:]:
                if value >= even[k]:
                    reached.setdefault(k, count)
            if len(reached) == len(EVENLY) - 1:
                break
        for k in EVENLY[1:]:
            print(saving(k, k * answers.windows, reached.get(k)), flush=True)


def evenly(trial: DesignTrial, answers: WindowAnswers, bank: Bank, k: int, seed: int) -> float:
    """Print what k answers per window give; return the F1 of the HMM."""
    part = first_answers(answers, bank, np.full(answers.windows, k))
    value = hmm_f1(trial, part)[0]
    fit = mace_fit(part, inference="vb", restarts=3, iterations=50, seed=seed)
    shares = activity(part, tags_of(fit, part).astype(float), np.ones(part.windows))
    mace = f1(trial, part.timelines(active(shares, 0.8)))
    count = len(part.window)
    print(f"  evenly {k} per window, {count:5d} answers: hmm {value:.3f}  mace {mace:.3f}")
    return value


def by_information_gain(
    trial: DesignTrial, answers: WindowAnswers, bank: Bank
) -> Iterator[tuple[int, float]]:
    """Yield how many answers there are after each round, and the F1 reached."""
    counts = np.ones(answers.windows, dtype=int)
    for _ in range(ROUNDS):
        part = first_answers(answers, bank, counts)
        value, smoothed = hmm_f1(trial, part)
        yield len(part.window), value
        asked = 0
        for window in spread_out(answers, expected_information_gain(answers, smoothed)):
            if counts[window] < BANK:
                counts[window] += 1
                asked += 1
            if asked >= answers.windows // 10:
                break


def saving(k: int, wanted: int, reached: int | None) -> str:
    share = f"{reached} ({1 - reached / wanted:.0%} saved)" if reached else "not reached"
    return f"  as good as {k} per window ({wanted} answers): {share}"


def f1(trial: DesignTrial, lines: Mapping[str, Timeline]) -> float:
    return evaluate(segment_f1(), trial.truth, lines, resamples=0).value


def hmm_f1(trial: DesignTrial, part: WindowAnswers) -> tuple[float, Smoothed]:
    smoothed = window_hmm(part)
    return f1(trial, part.timelines(smoothed.active >= 0.5)), smoothed


def banked(answers: WindowAnswers, seed: int) -> Bank:
    """Return each window's answers in an order of their own."""
    rng = np.random.default_rng(seed)
    rows = [np.flatnonzero(answers.window == k) for k in range(answers.windows)]
    return [rng.permutation(row) for row in rows]


def first_answers(answers: WindowAnswers, bank: Bank, counts: Ints) -> WindowAnswers:
    """Return the first `counts` answers to each window."""
    rows = np.sort(np.concatenate([row[:n] for row, n in zip(bank, counts, strict=True)]))
    return replace(
        answers, window=answers.window[rows], person=answers.person[rows], yes=answers.yes[rows]
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
