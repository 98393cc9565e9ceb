"""Fitting the weights of `earshot` to people's preferences, and how well that goes.

A pairwise logistic regression whose weights may not be negative: the preferred caption of a pair
should score higher, and so should a caption as it was against itself padded. Folds are made of
sounds; the weights that are tested have never seen the sound.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Bools, Floats
from earmark.files.folder import write_file
from earmark.stats.draw import stream
from earmark.stats.rates import proportion
from earmark.tasks.captions.audit.attacks import NO_PADDING, attacked
from earmark.tasks.captions.audit.benchmark import Contest, read_benchmark
from earmark.tasks.captions.score.earshot.content_words import EncodedCaption, encoded_captions
from earmark.tasks.captions.score.earshot.parts import (
    ENOUGH,
    LEAST_DISFLUENCY,
    MOST_DISFLUENCY,
    TOLERATED,
    EarshotParts,
    all_parts,
)
from earmark.tasks.captions.score.recent import RecentTexts
from earmark.tasks.captions.values import KINDS, Captions

# in the file; the columns of `_row`
NAMES = ("similarity", "broken", "missing", "unsupported", "generic")
REGULARISATION = 0.1  # of the squared weights; by hand
ATTACKED = 300  # captions that are padded
# A whole caption that is appended can hold what is true by luck, so it needs more weight than
# single words to be seen as padding; 1 to 12 were compared on both benchmarks (README).
COUNTED = {"another caption": 4}


@dataclass(frozen=True, slots=True, eq=False)
class PaddedPairs:
    """How much better captions are as they were than padded, and the sounds they belong to."""

    gaps: Floats  # (pairs, 5)
    sounds: NDArray[np.str_]  # (pairs,)


def fit_weights(
    benchmark: Path, *, out: Path, seed: int, folds: int, attacks: float
) -> dict[str, Any]:
    """Fit on a benchmark, write the weights to `out`, and return the card.

    `attacks` is how much all pairs "as it was" > "padded" count together, against all pairs that
    people decided.
    """
    contests = read_benchmark(benchmark)
    captions = encoded_captions()
    gaps = _rows(contests, 0, captions) - _rows(contests, 1, captions)  # (contests, 5)
    padded = _padded(contests, seed, captions)
    signs = np.array([np.sign(contest.preferred) for contest in contests], dtype=float)
    sounds = np.array([contest.sound for contest in contests])
    fold_of = _folds(sounds, folds, seed)
    scores = np.zeros(len(contests))
    for fold in range(folds):
        seen = np.isin(sounds, [sound for sound, own in fold_of.items() if own != fold])
        seen_padded = np.isin(padded.sounds, sounds[seen])
        own = _fit(gaps[seen], signs[seen], padded.gaps[seen_padded], attacks)
        scores[~seen] = gaps[~seen] @ own
    weights = _fit(gaps, signs, padded.gaps, attacks)
    card: dict[str, Any] = {
        "model": "listener",
        "benchmark": benchmark.name,
        "seed": seed,
        "folds": folds,
        "attacks": attacks,
        "weights": dict(zip(NAMES, (weights / weights[0]).round(4).tolist(), strict=True)),
        "steepness": round(float(weights[0]), 3),
        "cross_validated": _agreement(contests, scores * signs > 0),
    }
    write_file(out / "weights.json", json.dumps(card, indent=1))
    return card


def _row(parts: EarshotParts) -> tuple[float, ...]:
    """Return the parts with signs so that more is better and weights are positive."""
    return (
        parts.likeness,
        -min(max(parts.disfluency, LEAST_DISFLUENCY), MOST_DISFLUENCY),
        -max(0.0, ENOUGH - parts.coverage),
        -max(0.0, parts.unsupported - TOLERATED),
        -parts.generic,
    )


def _rows(contests: Sequence[Contest], side: int, encoded: RecentTexts[EncodedCaption]) -> Floats:
    """Return the parts of one side's captions, of shape (contests, 5)."""
    names = [f"{number:06d}" for number in range(len(contests))]
    references = {n: Captions(c.references[side]) for n, c in zip(names, contests, strict=True)}
    outputs = {n: Captions((c.captions[side],)) for n, c in zip(names, contests, strict=True)}
    parts = all_parts(references, outputs, encoded)
    return np.array([_row(parts[name]) for name in names])


def _padded(
    contests: Sequence[Contest], seed: int, encoded: RecentTexts[EncodedCaption]
) -> PaddedPairs:
    """Draw captions, pad each in every way, and compare the parts before and after."""
    rng = stream(seed, "padded")
    size = min(ATTACKED, len(contests))
    chosen = rng.choice(len(contests), size=size, replace=False).tolist()
    sides = rng.integers(2, size=size).tolist()
    pool = sorted({caption for contest in contests for caption in contest.captions})
    picked = {f"{number}": (contests[number], s) for number, s in zip(chosen, sides, strict=True)}
    references = {name: Captions(c.references[side]) for name, (c, side) in picked.items()}
    texts = {name: contest.captions[side] for name, (contest, side) in picked.items()}

    def parts_of(captions: dict[str, str]) -> dict[str, EarshotParts]:
        outputs = {name: Captions((text,)) for name, text in captions.items()}
        return all_parts(references, outputs, encoded)

    before = parts_of(texts)
    rows, sounds = [], []
    for attack, padded in attacked(texts, pool, seed=seed).items():
        if attack in NO_PADDING:
            continue
        after = parts_of(padded)
        for name in texts:
            times = COUNTED.get(attack, 1)
            rows += [np.subtract(_row(before[name]), _row(after[name]))] * times
            sounds += [picked[name][0].sound] * times
    return PaddedPairs(np.array(rows), np.array(sounds))


def _folds(sounds: NDArray[np.str_], folds: int, seed: int) -> dict[str, int]:
    """Return each sound's fold."""
    names = sorted(set(sounds.tolist()))
    order = stream(seed, "folds").permutation(len(names))
    return {names[k]: place % folds for place, k in enumerate(order.tolist())}


def _fit(gaps: Floats, signs: Floats, padded: Floats, attacks: float) -> Floats:
    """Return the weights, of shape (5,): none negative, and of the parts as they are.

    Columns are scaled to about 1 while fitting, so that the regularisation treats them alike.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    scale = np.maximum(np.abs(gaps).std(axis=0), 1e-3)
    human = (gaps * signs[:, None])[signs != 0] / scale
    attacked_gaps = padded / scale
    weight = attacks * len(human) / max(1, len(attacked_gaps))

    def loss(weights: Floats) -> tuple[float, Floats]:
        one, two = human @ weights, attacked_gaps @ weights
        value = np.logaddexp(0, -one).sum() + weight * np.logaddexp(0, -two).sum()
        gradient = -(expit(-one) @ human) - weight * (expit(-two) @ attacked_gaps)
        penalty = REGULARISATION / 2 * weights @ weights
        return value + penalty, gradient + REGULARISATION * weights

    start = np.ones(gaps.shape[1])
    bounds = [(0, None)] * len(start)
    optimum = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    return np.asarray(optimum.x / scale, dtype=float)


def _agreement(contests: Sequence[Contest], right: Bools) -> dict[str, float]:
    """Return the share of decided contests that are right, by kind and in total."""
    shares = {}
    for name in (*KINDS, "total"):
        hits = [
            bool(hit)
            for contest, hit in zip(contests, right, strict=True)
            if contest.preferred and name in {contest.kind, "total"}
        ]
        shares[name] = round(proportion(sum(hits), of=len(hits)), 4)
    return shares
