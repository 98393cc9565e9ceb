"""Training of the fluency detector: usual captions against captions that we broke ourselves."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.tasks.captions.score.fluency.detector import Detector, save
from earmark.tasks.captions.score.fluency.features import COMMA, Wording, signs, spoken, stem
from earmark.tasks.captions.score.fluency.trigrams import LITTLE, Runs, shape
from earmark.tasks.captions.train.disfluencies import Words, broken
from earmark.values.errors import InputError

FOR_RUNS = 0.6
KNOWN_FROM = 5
KEPT_FROM = 2
BROKEN_PER_CLEAN = 1
STRANGE = 0.35
LEAST = 100
ON = (["and"], ["as"], ["while"], ["followed", "by"], ["then"])


def train_detector(captions: Iterable[str], *, out: Path, seed: int) -> dict[str, object]:
    """Fit, write to `out`, and give the card.

    Six tenths of the captions teach what is usual; the others, clean and broken, teach which
    signs count. In a third of the examples words are replaced by words that do not exist, so that
    a caption about things never heard of is not taken for a broken one.
    """
    texts = sorted({words for words in map(spoken, captions) if len(words) > 1})
    if len(texts) < LEAST:
        raise InputError(
            "a detector needs captions to learn from", got=f"{len(texts)}", want=f"{LEAST} or more"
        )
    order = stream(seed, "fluency split").permutation(len(texts))
    cut = int(FOR_RUNS * len(texts))
    wording = learn_wording([texts[at] for at in order[:cut]])
    rows, labels = _examples([list(texts[at]) for at in order[cut:]], wording, seed)
    made = _fitted(wording, np.array(rows), np.array(labels))
    card: dict[str, object] = {
        "task": "captions",
        "model": "fluency",
        "captions": len(texts),
        "examples": len(labels),
        "seed": seed,
    }
    save(made, out, card)
    return card


def learn_wording(texts: Sequence[Sequence[str]]) -> Wording:
    """What is usual in these captions."""
    texts = [[word for word in words if word != COMMA] for words in texts]
    times = Counter(word for words in texts for word in words)
    known = frozenset(word for word, count in times.items() if count >= KNOWN_FROM)
    seen = [[word if word in known else shape(word) for word in words] for words in texts]
    shapes = [[shape(word) for word in words] for words in texts]
    return Wording(Runs.counted(seen).kept(KEPT_FROM), Runs.counted(shapes).kept(KEPT_FROM), known)


def _examples(
    texts: Sequence[Words], wording: Wording, seed: int
) -> tuple[list[list[float]], list[int]]:
    rows: list[list[float]] = []
    labels: list[int] = []
    for at, words in enumerate(track(texts, label="break captions")):
        rng = stream(seed, "fluency", at)
        for example, label in _versions(words, rng, texts):
            rows.append(signs(strange(example, rng), wording))
            labels.append(label)
    return rows, labels


def _versions(words: Words, rng: Any, pool: Sequence[Words]) -> list[tuple[Words, int]]:
    """The caption, it broken several times, and now and then continued by a clean caption."""
    made = [(words, 0)]
    made += [(broken(words, rng, pool), 1) for _ in range(BROKEN_PER_CLEAN)]
    other = pool[int(rng.integers(len(pool)))]
    joint = ON[int(rng.integers(len(ON)))]
    draw = rng.random()
    if draw < 0.2:
        made.append((words + joint + other, 0))
    elif draw < 0.5:
        made.append((made[1][0] + ["and"] + other, 1))
    return made


def strange(words: Words, rng: Any) -> Words:
    """Now and then, some of the words replaced by words that do not exist, endings kept."""
    if rng.random() > STRANGE:
        return words
    renamed: dict[str, str] = {}
    made = []
    for word in words:
        root = stem(word)
        if word == COMMA:
            made.append(word)
            continue
        if word not in LITTLE and root not in renamed:
            name = "".join(chr(97 + int(letter)) for letter in rng.integers(26, size=5))
            renamed[root] = f"q{name}" if rng.random() < 0.5 else root
        new = renamed.get(root, root)
        made.append(word if new == root or word in LITTLE else new + shape(word)[1:])
    return made


def _fitted(wording: Wording, rows: Any, labels: Any) -> Detector:
    from sklearn.linear_model import LogisticRegression

    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1
    model = LogisticRegression(max_iter=1000).fit((rows - middle) / spread, labels)
    weights = model.coef_[0] / spread
    bias = float(model.intercept_[0] - (weights * middle).sum())
    return Detector(wording, weights, bias)
