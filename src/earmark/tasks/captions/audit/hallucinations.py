"""One wrong word: whether a metric notices that one noun of a right caption became another.

The caption of a person is compared with the other captions of the same sound; then one of its nouns
is replaced by a noun of the same number that no caption of that sound has.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from earmark.score.metric import Metric
from earmark.stats.draw import stream
from earmark.stats.rates import proportion
from earmark.tasks.captions.audit.attacks import ROUNDING, score_texts
from earmark.tasks.captions.values import Captions
from earmark.text.noun_forms import same_noun, written_like
from earmark.text.parse import Sentence, Word, parse

NUMBERS = ("NN", "NNS")  # a singular is replaced by a singular, a plural by a plural
# Nouns that fit any sound: without them a caption is not wrong.
ANYTHING = frozenset("background distance foreground noise sound sounds noises way time".split())


class SwappedCaption(NamedTuple):
    """A caption of a sound, the same with one noun replaced, and what both are compared with."""

    caption: str
    swapped: str
    references: Captions


def nouns_of(sentence: Sentence) -> list[Word]:
    """Return the nouns of a caption that say something of the sound."""
    return [
        word
        for word in sentence
        if word.pos == "NOUN"
        and word.tag in NUMBERS
        and word.form.isalpha()
        and word.form.lower() not in ANYTHING
    ]


def noun_swaps(references: Mapping[str, Captions], *, seed: int) -> dict[str, SwappedCaption]:
    """Return, for each sound that has a noun and other captions, its first caption with a swap."""
    texts = sorted({text for own in references.values() for text in own.texts})
    trees = dict(zip(texts, parse(texts), strict=True))
    nouns = {item: [nouns_of(trees[t]) for t in own.texts] for item, own in references.items()}
    pool: dict[str, list[str]] = {tag: [] for tag in NUMBERS}
    for noun in (noun for own in nouns.values() for each in own for noun in each):
        pool[noun.tag].append(noun.form.lower())
    swaps = {}
    for item, own in references.items():
        others = tuple(text for text in own.texts[1:] if text != own.texts[0])
        if not nouns[item][0] or not others:
            continue
        rng = stream(seed, "noun swap", item)
        noun = nouns[item][0][int(rng.integers(len(nouns[item][0])))]
        said = {other.form.lower() for each in nouns[item] for other in each}
        substitute = _substitute(pool[noun.tag], said, rng)
        if substitute:
            text = own.texts[0]
            swapped = text[: noun.start] + written_like(substitute, noun.form) + text[noun.end :]
            swaps[item] = SwappedCaption(text, swapped, Captions(others))
    return swaps


def _substitute(pool: Sequence[str], said: Iterable[str], rng: np.random.Generator) -> str | None:
    """Draw a noun as often as people use it, of those that nobody said of this sound."""
    said = sorted(said)
    fits = [word for word in pool if not any(same_noun(word, other) for other in said)]
    return fits[int(rng.integers(len(fits)))] if fits else None


def share_lowered(swaps: Mapping[str, SwappedCaption], metric: Metric) -> float:
    """Return the share of swaps that lower the score."""
    references = {item: swap.references for item, swap in swaps.items()}
    before = score_texts(metric, references, {item: swap.caption for item, swap in swaps.items()})
    after = score_texts(metric, references, {item: swap.swapped for item, swap in swaps.items()})
    lower = sum(after[item] < before[item] - ROUNDING for item in swaps)
    return proportion(lower, of=len(swaps))
