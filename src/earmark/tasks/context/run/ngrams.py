"""The floor: an interpolated trigram model, as a detector and as a language model."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from earmark.task.task import Json, Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.choosing import offered, rank_share
from earmark.tasks.context.run.discourse.corpus import mix, word_key
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.examples import told
from earmark.tasks.context.values import Choice, Passage, Scores
from earmark.text.tokens import sentences
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "ngrams"
Array = Any
START = word_key("<s>")
WEIGHTS = (0.25, 0.45, 0.3)
ONE, TWO, PAIR, TRIPLE = (np.uint64(slot) for slot in range(1, 5))


@dataclass(frozen=True, slots=True)
class Grams:
    """Counts of words, of pairs and triples, and of what comes before their last word."""

    words: tuple[str, ...]
    counts: Array
    keys: Array
    times: Array
    tokens: float

    def look_up(self, keys: Array) -> Array:
        """How often each n-gram was seen."""
        index = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[index] == keys, self.times[index], 0.0)

    def probability(self, two: Array, one: Array, here: Array, count: Array) -> Array:
        """P(word | two words before), interpolated; `count` is the word's own count."""
        single = (count + 0.5) / (self.tokens + 0.5 * (len(self.words) + 1))
        before1, before2 = self.look_up(mix(ONE, one)), self.look_up(mix(TWO, two, one))
        pair = _over(self.look_up(mix(PAIR, one, here)), before1)
        triple = _over(self.look_up(mix(TRIPLE, two, one, here)), before2)
        middle, high = WEIGHTS[1] * (before1 > 0), WEIGHTS[2] * (before2 > 0)
        return (1 - middle - high) * single + middle * pair + high * triple


def ngrams(
    items: Sequence[Item],
    *,
    train_on: Training | None,
    seed: int,
    model: Path | None = None,
    nouns: bool = False,
) -> Iterator[Output[Scores]]:
    """How surprising each word is to a trigram model.

    Parameters
    ----------
    model
        A model that `earmark train context ngrams` wrote.
    nouns
        Score nouns only; every other word gets the lowest score.
    """
    card, grams = _load(model_file.needed(model, NAME))
    threshold = card["threshold_nouns" if nouns else "threshold"]
    for item in items:
        passage = Passage.of(item)
        surprise = surprises(grams, passage.tokens)
        scores = only_nouns(passage, surprise) if nouns else surprise
        choices = _choices(grams, item, passage)
        told_so = tuple(surprise.tolist())
        yield Output(NAME, item.id, Scores(tuple(scores.tolist()), threshold, told_so, choices))


def train_ngrams(
    train_on: Training | None, *, out: Path, seed: int, develop: Path | None = None
) -> Json:
    """Count the unmodified training text.

    Parameters
    ----------
    develop
        A study to choose the threshold on; without one, every tenth document is held out.
    """
    learn, held_out = told(train_on, develop)
    grams = count(learn.originals())
    truth = np.concatenate(held_out.labels)
    rows = [surprises(grams, p.tokens) for p in held_out.passages]
    nouns = [only_nouns(p, row) for p, row in zip(held_out.passages, rows, strict=True)]
    card = {
        "system": NAME,
        "documents": len(learn.passages),
        "words": len(grams.words),
        "threshold": best_threshold(np.concatenate(rows), truth),
        "threshold_nouns": best_threshold(np.concatenate(nouns), truth),
        "seed": seed,
    }
    arrays = {
        "words": np.array(grams.words),
        "counts": grams.counts,
        "keys": grams.keys,
        "times": grams.times,
        "tokens": np.array([grams.tokens]),
    }
    model_file.save(out, card, arrays)
    return card


def count(documents: Sequence[Sequence[str]]) -> Grams:
    """The n-grams of documents, sentence by sentence."""
    seen: Counter[str] = Counter()
    keys: list[Array] = []
    for tokens in documents:
        seen.update(tokens)
        here, one, two = before(tokens)
        keys += [mix(ONE, one), mix(TWO, two, one)]
        keys += [mix(PAIR, one, here), mix(TRIPLE, two, one, here)]
    found, times = np.unique(np.concatenate(keys), return_counts=True)
    order = sorted(seen)
    counts = np.array([seen[word] for word in order], np.float64)
    return Grams(tuple(order), counts, found, times.astype(np.float32), float(counts.sum()))


def before(tokens: Sequence[str]) -> tuple[Array, Array, Array]:
    """Hashes of every word, the word before, and the one before that, within the sentence."""
    known: dict[str, int] = {}
    here = np.array([known.setdefault(t, word_key(t)) for t in tokens], np.uint64)
    one, two = np.roll(here, 1), np.roll(here, 2)
    for low, high in sentences(tuple(tokens)):
        one[low] = two[low] = START
        if low + 1 < high:
            two[low + 1] = START
    return here, one, two


def surprises(grams: Grams, tokens: Sequence[str]) -> Array:
    """-log P of each token, in nats."""
    here, one, two = before(tokens)
    return -np.log(grams.probability(two, one, here, word_counts(grams, tokens)))


def word_counts(grams: Grams, tokens: Sequence[str]) -> Array:
    """How often each token was seen in training."""
    words = np.array(grams.words)
    asked = np.array(tokens, dtype=words.dtype if len(words) else str)
    index = np.minimum(np.searchsorted(words, asked), len(words) - 1)
    return np.where(words[index] == np.array(tokens), grams.counts[index], 0.0)


def only_nouns(passage: Passage, scores: Array) -> Array:
    """The scores of nouns; everything else just below the lowest."""
    from earmark.tasks.context.run.discourse.corpus import NOUNS
    from earmark.text.tags import shipped

    tags = passage.tags or shipped().tag(passage.tokens)
    lowest = float(scores.min()) - 1 if len(scores) else 0.0
    return np.where([tag in NOUNS for tag in tags], scores, min(lowest, -1.0))


def _choices(grams: Grams, item: Item, passage: Passage) -> tuple[Choice, ...]:
    """Both words at every place that the study reveals."""
    found = []
    places = offered(item)
    if places:
        keys = np.array([word_key(word) for word in grams.words], np.uint64)
        _, one, two = before(passage.tokens)
    for at, first, second in places:
        whole = grams.probability(two[at], one[at], keys, grams.counts)
        pair = [
            float(
                grams.probability(
                    two[at], one[at], np.uint64(word_key(w)), word_counts(grams, [w])[0]
                )
            )
            for w in (first, second)
        ]
        ranks = [rank_share(whole, p) for p in pair]
        found.append(Choice(at, float(np.log(pair[0])), float(np.log(pair[1])), *ranks))
    return tuple(found)


def _over(part: Array, whole: Array) -> Array:
    return np.where(whole > 0, part / np.maximum(whole, 1), 0.0)


def _load(path: Path) -> tuple[Json, Grams]:
    card, kept = model_file.load(path, system=NAME)
    words = tuple(kept["words"].tolist())
    grams = Grams(words, kept["counts"], kept["keys"], kept["times"], float(kept["tokens"][0]))
    return card, grams
