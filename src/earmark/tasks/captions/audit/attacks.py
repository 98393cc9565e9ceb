"""Ways of gaming a metric: what is added to a caption without saying more about the sound."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from earmark.score.counting import Prepared
from earmark.score.metric import Metric
from earmark.stats.draw import stream
from earmark.stats.rates import proportion
from earmark.tasks.captions.values import Captions

FREQUENT = tuple(
    "man speaking and a followed by engine water background the dog talking woman running noise "
    "is in with as sound".split()
)
CONSTANT = "a man is speaking"
ROUNDING = 1e-9  # a rise below it is arithmetic
Attack = Callable[[str, np.random.Generator, Sequence[str]], str]
"""From a caption, a generator and other captions to the padded caption."""


def _tail(text: str) -> Attack:
    return lambda caption, rng, pool: f"{plain(caption)} {text}"


def _frequent(size: int) -> Attack:
    return lambda caption, rng, pool: f"{plain(caption)} {' '.join(rng.choice(FREQUENT, size))}"


def _another(caption: str, rng: np.random.Generator, pool: Sequence[str]) -> str:
    return f"{plain(caption)} and {small(pool[int(rng.integers(len(pool)))])}"


def _twice(caption: str, rng: np.random.Generator, pool: Sequence[str]) -> str:
    return f"{plain(caption)} and {small(plain(caption))}"


def _again(caption: str, rng: np.random.Generator, pool: Sequence[str]) -> str:
    return f"{plain(caption)} {small(plain(caption))}"


def _shorter(caption: str, rng: np.random.Generator, pool: Sequence[str]) -> str:
    return " ".join(plain(caption).split()[:-1]) or caption


ATTACKS: Mapping[str, Attack] = {
    "another caption": _another,
    "itself, with and": _twice,
    "itself": _again,
    "3 frequent words": _frequent(3),
    "5 frequent words": _frequent(5),
    "10 frequent words": _frequent(10),
    "while a man is speaking": _tail("while a man is speaking"),
    "and other sounds occur": _tail("and other sounds occur"),
    "in the background": _tail("in the background"),
    "in the distance": _tail("in the distance"),
    "nearby": _tail("nearby"),
    "one constant caption": lambda caption, rng, pool: CONSTANT,
    "last word dropped": _shorter,
}
# These replace or shorten the caption: they are no padding.
NO_PADDING = frozenset(("one constant caption", "last word dropped"))


def plain(caption: str) -> str:
    """Return the caption without a full stop at its end."""
    return caption.rstrip().rstrip(".")


def small(caption: str) -> str:
    """Return the caption with a small first letter."""
    return caption[:1].lower() + caption[1:]


def attacked(
    captions: Mapping[str, str], pool: Sequence[str], *, seed: int
) -> dict[str, dict[str, str]]:
    """Return the padded captions by attack and item."""
    return {
        name: {
            item: attack(text, stream(seed, "attack", name, item), pool)
            for item, text in captions.items()
        }
        for name, attack in ATTACKS.items()
    }


def attack_table(
    references: Mapping[str, Captions], *, metrics: Sequence[str], seed: int
) -> dict[str, dict[str, float]]:
    """Return the share of captions whose score rises, by attack and metric.

    The first caption of each item is attacked, and compared with the others of that item.
    """
    captions = {item: value.texts[0] for item, value in references.items()}
    others = {item: Captions(value.texts[1:]) for item, value in references.items()}
    return rises(captions, others, metrics=metrics, seed=seed)


def rises(
    captions: Mapping[str, str],
    references: Mapping[str, Captions],
    *,
    metrics: Sequence[str],
    seed: int,
) -> dict[str, dict[str, float]]:
    """Return the share of captions whose score rises, by attack and metric."""
    if not captions:
        return {}
    from earmark.tasks.captions import METRICS

    padded = attacked(captions, sorted(set(captions.values())), seed=seed)
    table: dict[str, dict[str, float]] = {name: {} for name in padded}
    for metric in metrics:
        built = METRICS[metric]()
        before = score_texts(built, references, captions)
        for name, texts in padded.items():
            after = score_texts(built, references, texts)
            higher = sum(after[item] > before[item] + ROUNDING for item in captions)
            table[name][metric] = proportion(higher, of=len(captions))
    return table


def score_texts(
    metric: Metric, references: Mapping[str, Captions], texts: Mapping[str, str]
) -> dict[str, float]:
    """Return the score of each caption against the references of its item."""
    outputs = {item: Captions((text,)) for item, text in texts.items()}
    counts = metric.counts(Prepared(references, outputs, tuple(references)))
    return {item: metric.rate(counts[item]) for item in references}
