"""Training of the fluency detector: clean captions against captions that we made disfluent."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.tasks.captions.score.fluency.detector import FluencyDetector, save
from earmark.tasks.captions.score.fluency.features import (
    COMMA,
    CaptionModel,
    features,
    stem,
    words_and_commas,
)
from earmark.tasks.captions.score.fluency.trigrams import FUNCTION_WORDS, TrigramModel, shape
from earmark.tasks.captions.train.disfluencies import Words, make_disfluent
from earmark.values.errors import InputError

FOR_TRIGRAMS = 0.6  # share of the captions that the trigram models learn from; by hand
KNOWN_FROM = 5  # occurrences of a word that the model keeps as a word
KEPT_FROM = 2  # occurrences of an n-gram that the model keeps; by hand
# More disfluent captions per clean one find more, but take more unusual captions of people for
# disfluent ones (README).
DISFLUENT_PER_CLEAN = 1
UNKNOWN_WORDS = 0.35  # share of examples with made-up words; by hand
LEAST = 100  # captions; fewer teach nothing
CONTINUATIONS = (["and"], ["as"], ["while"], ["followed", "by"], ["then"])


def train_detector(captions: Iterable[str], *, out: Path, seed: int) -> dict[str, object]:
    """Train a detector, write it to `out`, and return its card.

    Six tenths of the captions teach what is usual; the others, clean and disfluent, teach which
    features count. In a third of the examples words are replaced by words that do not exist, so
    that a caption about things never heard of is not taken for a disfluent one.
    """
    texts = sorted({words for words in map(words_and_commas, captions) if len(words) > 1})
    if len(texts) < LEAST:
        raise InputError(
            "a detector needs captions to learn from", got=f"{len(texts)}", want=f"{LEAST} or more"
        )
    order = stream(seed, "fluency split").permutation(len(texts))
    cut = int(FOR_TRIGRAMS * len(texts))
    model = learn_usual([texts[k] for k in order[:cut]])
    rows, labels = _examples([list(texts[k]) for k in order[cut:]], model, seed)
    detector = _fitted(model, np.array(rows), np.array(labels))
    card: dict[str, object] = {
        "task": "captions",
        "model": "fluency",
        "captions": len(texts),
        "examples": len(labels),
        "seed": seed,
    }
    save(detector, out, card)
    return card


def learn_usual(texts: Sequence[Sequence[str]]) -> CaptionModel:
    """Return the trigram models of these captions."""
    texts = [[word for word in words if word != COMMA] for words in texts]
    times = Counter(word for words in texts for word in words)
    known = frozenset(word for word, count in times.items() if count >= KNOWN_FROM)
    seen = [[word if word in known else shape(word) for word in words] for words in texts]
    shapes = [[shape(word) for word in words] for words in texts]
    models = [TrigramModel.count(rows).pruned(KEPT_FROM) for rows in (seen, shapes)]
    return CaptionModel(models[0], models[1], known)


def _examples(
    texts: Sequence[Words], model: CaptionModel, seed: int
) -> tuple[list[list[float]], list[int]]:
    rows: list[list[float]] = []
    labels: list[int] = []
    for number, words in enumerate(track(texts, label="make captions disfluent")):
        rng = stream(seed, "fluency", number)
        for example, label in _versions(words, rng, texts):
            rows.append(features(with_made_up_words(example, rng), model))
            labels.append(label)
    return rows, labels


def _versions(
    words: Words, rng: np.random.Generator, pool: Sequence[Words]
) -> list[tuple[Words, int]]:
    """Return clean (0) and disfluent (1) versions; some are continued by a clean caption."""
    versions = [(words, 0)]
    versions += [(make_disfluent(words, rng, pool), 1) for _ in range(DISFLUENT_PER_CLEAN)]
    other = pool[int(rng.integers(len(pool)))]
    continuation = CONTINUATIONS[int(rng.integers(len(CONTINUATIONS)))]
    draw = rng.random()
    if draw < 0.2:
        versions.append((words + continuation + other, 0))
    elif draw < 0.5:
        versions.append((versions[1][0] + ["and"] + other, 1))
    return versions


def with_made_up_words(words: Words, rng: np.random.Generator) -> Words:
    """Replace, in a third of the cases, some words by words that do not exist, endings kept."""
    if rng.random() > UNKNOWN_WORDS:
        return words
    renamed: dict[str, str] = {}
    result = []
    for word in words:
        root = stem(word)
        if word == COMMA:
            result.append(word)
            continue
        if word not in FUNCTION_WORDS and root not in renamed:
            name = "".join(chr(97 + int(letter)) for letter in rng.integers(26, size=5))
            renamed[root] = f"q{name}" if rng.random() < 0.5 else root
        new = renamed.get(root, root)
        result.append(word if new == root or word in FUNCTION_WORDS else new + shape(word)[1:])
    return result


def _fitted(model: CaptionModel, rows: Floats, labels: Ints) -> FluencyDetector:
    """Return a logistic regression over standardised features, undone into plain weights."""
    from sklearn.linear_model import LogisticRegression

    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1
    regression = LogisticRegression(max_iter=1000).fit((rows - middle) / spread, labels)
    weights = regression.coef_[0] / spread
    bias = float(regression.intercept_[0] - (weights * middle).sum())
    return FluencyDetector(model, weights, bias)
