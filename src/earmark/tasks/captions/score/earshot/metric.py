"""`earshot`: our own metric. What the references say, no more than that, and in good English."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.score.metric import Metric, mean
from earmark.stats.rates import proportion
from earmark.task.progress import track
from earmark.tasks.captions.score.earshot.content_words import EMPTY, MODEL, Heard, hear
from earmark.tasks.captions.score.ngrams.blocks import only
from earmark.tasks.captions.values import Captions
from earmark.text.embed import DEFAULT_ENCODER, hold_little
from earmark.text.shipped import model_file, model_name
from earmark.values.counts import Mean
from earmark.values.errors import InputError

Floats = NDArray[np.float64]
MET, NEAR, RISE = 0.45, 0.35, 0.3
ENOUGH = 1.2
SHARED = 0.4
BROKEN_FROM, BROKEN_TO = -1.0, 6.0
BLOCK = 400


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts against one point of similarity.

    Found on AudioCaps-Eval by `earmark train captions listener`: a pairwise logistic regression
    whose weights may not be negative, with pairs "as it was" > "padded" added. `steepness` turns
    the sum into a value between 0 and 1 whose log odds differ by about the log odds of being
    preferred.
    """

    broken: float = 0.053
    missing: float = 0.4217
    unsupported: float = 0.1554
    steepness: float = 6.158


def weights() -> Weights:
    """The weights above, or those that `earmark train captions listener` wrote for the user."""
    path = model_file(MODEL, "weights.json")
    return _read(path) if path.exists() else Weights()


@cache
def _read(path: Path) -> Weights:
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        own = {name: float(value) for name, value in card["weights"].items()}
        own.pop("similarity")
        return Weights(**own, steepness=float(card["steepness"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            "these are not the weights of `earshot`",
            at=path,
            got=repr(error),
            fix="earmark train captions listener --benchmark F.json --out FOLDER",
        ) from error


@dataclass(frozen=True, slots=True)
class Parts:
    """What the score is made of, each read by itself.

    `similarity`: mean cosine of the sentence with the references. `coverage`: the rarity of the
    words that a reference supports, over the mean rarity of a reference. `unsupported`: words that
    nothing supports, and words said twice, over the mean number of words of a reference. `broken`:
    the log odds that the sentence is broken.
    """

    similarity: float
    coverage: float
    unsupported: float
    broken: float

    def total(self, by: Weights | None = None) -> float:
        """The sum before it is brought between 0 and 1."""
        by = by or weights()
        return (
            self.similarity
            - by.broken * min(max(self.broken, BROKEN_FROM), BROKEN_TO)
            - by.missing * max(0.0, ENOUGH - self.coverage)
            - by.unsupported * self.unsupported
        )

    def value(self, by: Weights | None = None) -> float:
        """The score, between 0 and 1."""
        by = by or weights()
        return float(1 / (1 + np.exp(-by.steepness * self.total(by))))


def earshot() -> Metric:
    """Our best: sentence similarity, coverage of what the references say, padding, fluency.

    Definition
    ----------
    1 / (1 + exp(-6.2 x)), x = S - .053 clip(b, -1, 6) - .42 max(0, 1.2 - C) - .155 U, with
    similarity S, coverage C, unsupported words U and the log odds b of being broken, as in
    `Parts`. A word is supported by the nearest word of any reference: the mean of the cosines of
    the two words in context and of the two lemmas alone, from 0 at .45 to 1 at .75 for C, and
    from .35 to .65 for U. Words that fit any sound (`sound`, `background`, ...) carry nothing and
    are supported only where two fifths of the references hold them.

    Undefined
    ---------
    Never: a caption without words is compared as it is, and scores low.

    Notes
    -----
    Higher is better; 0 to 1; .5 is a caption about as often preferred as not among those that
    machines write. Text only. Made to be hard to game: see the attack table in the README.
    """
    return Metric(
        task="captions",
        name="earshot",
        count=lambda reference, output: listen({"item": reference}, {"item": output})["item"],
        count_all=listen,
        rate=mean,
        options={
            "encoder": DEFAULT_ENCODER,
            "detector": model_name("fluency"),
            "parser": model_name("parser"),
            "weights": model_name(MODEL),
        },
        average="macro",
    )


def listen(references: Mapping[str, Captions], outputs: Mapping[str, Captions]) -> dict[str, Mean]:
    """The score of each item."""
    return {item: Mean.of(parts.value()) for item, parts in explain(references, outputs).items()}


def explain(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, Parts]:
    """The parts of each item's score; captions are read in blocks, so memory stays bounded."""
    items = list(references)
    found: dict[str, Parts] = {}
    hold_little(len(items))
    starts = range(0, len(items), BLOCK)
    for start in track(starts, label="listen", total=len(starts)):
        found.update(_block(items[start : start + BLOCK], references, outputs))
    return found


def _block(
    items: Sequence[str], references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, Parts]:
    from earmark.tasks.captions.score.fluency.detector import detector

    candidates = [only(outputs[item], item) for item in items]
    heard = hear([*candidates, *(text for item in items for text in references[item].texts)])
    broken = detector().logits(candidates)
    return {
        item: compare(heard[text], [heard[other] for other in references[item].texts], float(odds))
        for item, text, odds in zip(items, candidates, broken, strict=True)
    }


def compare(candidate: Heard, references: Sequence[Heard], broken: float) -> Parts:
    """The parts of one candidate."""
    similarity = float(np.mean([candidate.sentence @ them.sentence for them in references]))
    full, strict = supports(candidate, references)
    first = firsts(candidate.lemmas)
    met = rise(full, MET) * candidate.rarity * candidate.carries * first
    loose = np.where(first, 1 - rise(strict, NEAR), 1.0)
    wanted = float(np.mean([_mass(them) for them in references]))
    words = float(np.mean([len(set(them.lemmas)) for them in references]))
    return Parts(
        similarity=similarity,
        coverage=proportion(float(met.sum()), of=wanted) if wanted else 0.0,
        unsupported=proportion(float(loose.sum()), of=words) if words else float(loose.sum()),
        broken=broken,
    )


def supports(candidate: Heard, references: Sequence[Heard]) -> tuple[Floats, Floats]:
    """For each telling word, its nearest in any reference; and the same, strict on empty words."""
    nearest = _nearest(candidate, references)
    held = np.array(
        [np.mean([lemma in them.lemmas for them in references]) for lemma in candidate.lemmas]
    )
    empty = np.array([lemma in EMPTY for lemma in candidate.lemmas], dtype=bool)
    if not len(held):
        return nearest, nearest
    return np.where(empty, held > 0, nearest), np.where(empty, held >= SHARED, nearest)


def _nearest(candidate: Heard, references: Sequence[Heard]) -> Floats:
    found = np.zeros(len(candidate.lemmas))
    for them in references:
        full = np.array([lemma not in EMPTY for lemma in them.lemmas], dtype=bool)
        if len(found) and full.any():
            here = candidate.vectors @ them.vectors[full].T + candidate.types @ them.types[full].T
            found = np.maximum(found, here.max(axis=1) / 2)
    return found


def rise(support: Floats, start: float) -> Floats:
    """0 up to `start`, 1 from `start` + .3 on, straight between."""
    return np.clip((support - start) / RISE, 0, 1)


def firsts(lemmas: Sequence[str]) -> NDArray[np.bool_]:
    """Which words are said for the first time."""
    return np.array([lemma not in lemmas[:at] for at, lemma in enumerate(lemmas)], dtype=bool)


def _mass(heard: Heard) -> float:
    return float((heard.rarity * heard.carries * firsts(heard.lemmas)).sum())
