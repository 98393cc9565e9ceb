"""Fitting the weights of `earshot` to people's preferences, and telling how well that goes.

A pairwise logistic regression whose weights may not be negative: the preferred caption of a pair
should score higher, and so should a caption as it was against itself padded. Folds are made of
sounds; the weights that are tested have never seen the sound.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.stats.draw import stream
from earmark.stats.rates import proportion
from earmark.tasks.captions.audit.attacks import attacked
from earmark.tasks.captions.audit.benchmark import Contest, read_benchmark
from earmark.tasks.captions.score.earshot.metric import (
    BROKEN_FROM,
    BROKEN_TO,
    ENOUGH,
    Parts,
    explain,
)
from earmark.tasks.captions.values import KINDS, Captions

Floats = NDArray[np.float64]
NAMES = ("similarity", "broken", "missing", "unsupported")
PENALTY = 0.1
ATTACKED = 300
LEFT_OUT = "one constant caption"


def fit_weights(
    benchmark: Path, *, out: Path, seed: int, folds: int, attacks: float
) -> dict[str, object]:
    """Fit on a benchmark, write the weights to `out`, and give the card.

    `attacks` is how much all pairs "as it was" > "padded" count together, against all pairs that
    people decided.
    """
    contests = read_benchmark(benchmark)
    sides = [_rows(contests, side) for side in (0, 1)]
    gaps = sides[0] - sides[1]
    padded, padded_sounds = _padded(contests, seed)
    signs = np.array([np.sign(contest.preferred) for contest in contests])
    sounds = np.array([contest.sound for contest in contests])
    part = _folds(sounds, folds, seed)
    scores = np.zeros(len(contests))
    for fold in range(folds):
        seen = np.isin(sounds, [s for s, f in part.items() if f != fold])
        learn = np.isin(padded_sounds, sounds[seen])
        own = _fit(gaps[seen], signs[seen], padded[learn], attacks)
        scores[~seen] = gaps[~seen] @ own
    weights = _fit(gaps, signs, padded, attacks)
    card: dict[str, object] = {
        "model": "listener",
        "benchmark": benchmark.name,
        "seed": seed,
        "folds": folds,
        "attacks": attacks,
        "weights": dict(zip(NAMES, (weights / weights[0]).round(4).tolist(), strict=True)),
        "steepness": round(float(weights[0]), 3),
        "cross_validated": _agreement(contests, scores * signs > 0),
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "weights.json").write_text(json.dumps(card, indent=1), encoding="utf-8")
    return card


def _row(parts: Parts) -> tuple[float, ...]:
    """The parts so that more is better and weights are positive."""
    return (
        parts.similarity,
        -min(max(parts.broken, BROKEN_FROM), BROKEN_TO),
        -max(0.0, ENOUGH - parts.coverage),
        -parts.unsupported,
    )


def _rows(contests: Sequence[Contest], side: int) -> Floats:
    names = [f"{at:06d}" for at in range(len(contests))]
    references = {n: Captions(c.references[side]) for n, c in zip(names, contests, strict=True)}
    said = {n: Captions((c.captions[side],)) for n, c in zip(names, contests, strict=True)}
    found = explain(references, said)
    return np.array([_row(found[name]) for name in names])


def _padded(contests: Sequence[Contest], seed: int) -> tuple[Floats, Any]:
    """How much better captions are as they were than padded, and whose they are."""
    rng = stream(seed, "padded")
    size = min(ATTACKED, len(contests))
    chosen = rng.choice(len(contests), size=size, replace=False).tolist()
    sides = rng.integers(2, size=size).tolist()
    pool = sorted({caption for contest in contests for caption in contest.captions})
    picked = {f"{at}": (contests[at], side) for at, side in zip(chosen, sides, strict=True)}
    references = {name: Captions(c.references[side]) for name, (c, side) in picked.items()}
    texts = {name: c.captions[side] for name, (c, side) in picked.items()}
    before = explain(references, {name: Captions((text,)) for name, text in texts.items()})
    rows, sounds = [], []
    for attack, made in attacked(texts, pool, seed=seed).items():
        if attack == LEFT_OUT:
            continue
        after = explain(references, {name: Captions((text,)) for name, text in made.items()})
        for name in texts:
            rows.append(np.subtract(_row(before[name]), _row(after[name])))
            sounds.append(picked[name][0].sound)
    return np.array(rows), np.array(sounds)


def _folds(sounds: Any, folds: int, seed: int) -> dict[str, int]:
    names = sorted(set(sounds.tolist()))
    order = stream(seed, "folds").permutation(len(names))
    return {names[at]: place % folds for place, at in enumerate(order.tolist())}


def _fit(gaps: Floats, signs: Any, padded: Floats, attacks: float) -> Floats:
    from scipy.optimize import minimize
    from scipy.special import expit

    scale = np.maximum(np.abs(gaps).std(axis=0), 1e-3)
    human = (gaps * signs[:, None])[signs != 0] / scale
    own = padded / scale
    each = attacks * len(human) / max(1, len(own))

    def loss(weights: Floats) -> tuple[float, Floats]:
        one, two = human @ weights, own @ weights
        value = np.logaddexp(0, -one).sum() + each * np.logaddexp(0, -two).sum()
        slope = -(expit(-one) @ human) - each * (expit(-two) @ own)
        return value + PENALTY / 2 * weights @ weights, slope + PENALTY * weights

    start = np.ones(gaps.shape[1])
    bounds = [(0, None)] * len(start)
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    return np.asarray(found.x / scale, dtype=float)


def _agreement(contests: Sequence[Contest], right: Any) -> dict[str, float]:
    found = {}
    for name in (*KINDS, "total"):
        rows = [
            bool(hit)
            for contest, hit in zip(contests, right, strict=True)
            if contest.preferred and name in {contest.kind, "total"}
        ]
        found[name] = round(proportion(sum(rows), of=len(rows)), 4)
    return found
