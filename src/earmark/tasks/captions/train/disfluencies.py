"""Ways of breaking a caption, after the faults that captioning systems show.

A system cut off at its longest length ends in the middle of a phrase; one that has lost its place
says an event twice, drops the word that joins two events, or the verb of one.
"""

from collections.abc import Callable, Sequence
from typing import Any

from earmark.tasks.captions.score.fluency.features import JOINTS
from earmark.tasks.captions.score.fluency.trigrams import LITTLE, shape

Words = list[str]
TAILS = (
    "in the",
    "and a",
    "with a",
    "as a",
    "followed by a",
    "and",
    "a",
    "the",
    "is",
    "by",
    "of a",
    "in the background and",
    "while",
    "as",
    "then",
    "to",
    "with",
    "on a",
    "are",
    "and the",
)
JOIN = ("and", "as", "while", "followed by", "then", "with", "and then")
AGAIN = ("in the background", "in the distance", "loudly", "nearby", "continuously", "again")


def cut_short(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """Ends after a little word inside the caption, or with a loose tail."""
    inside = [at for at, word in enumerate(words[:-1], 1) if at > 2 and _loose(word)]
    if inside and rng.random() < 0.5:
        return words[: inside[int(rng.integers(len(inside)))]]
    return words + TAILS[int(rng.integers(len(TAILS)))].split()


def say_twice(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """The caption, or one of its events, a second time."""
    events = [event for event in _events(words) if len(event) > 1]
    event = events[int(rng.integers(len(events)))] if events else words
    joint = JOIN[int(rng.integers(len(JOIN)))].split()
    if rng.random() < 0.5:
        return words + joint + event
    at = words.index(event[0]) + len(event)
    return words[:at] + joint + event + words[at:]


def stutter(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """A word or a short run at once again."""
    size = int(rng.choice([1, 1, 2, 3]))
    at = int(rng.integers(max(1, len(words) - size + 1)))
    return words[: at + size] + words[at:]


def close_twice(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """In the background in the background."""
    tail = AGAIN[int(rng.integers(len(AGAIN)))].split()
    middle = [] if rng.random() < 0.6 else ["and"]
    return words + tail + middle + tail


def unjoin(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """Without the word between two events."""
    at = [i for i, word in enumerate(words) if word in JOINTS and 0 < i < len(words) - 1]
    if not at:
        other = pool[int(rng.integers(len(pool)))]
        return words + other
    place = at[int(rng.integers(len(at)))]
    after = (
        place + 2
        if words[place : place + 2] in (["followed", "by"], ["and", "then"])
        else place + 1
    )
    return words[:place] + words[after:]


def drop_verb(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """Without the word that says what happens."""
    doings = [i for i, word in enumerate(words) if i and shape(word) in {"-ing", "-s", "-ed"}]
    follows = [i for i in doings if words[i - 1] not in {"is", "are"} or rng.random() < 0.7]
    if not follows or len(words) < 4:
        return cut_short(words, rng, pool)
    place = follows[int(rng.integers(len(follows)))]
    return words[:place] + words[place + 1 :]


def drop_words(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """Without one or two little words, or with one in a wrong place."""
    little = [i for i, word in enumerate(words) if i and word in LITTLE]
    if little and rng.random() < 0.5:
        place = little[int(rng.integers(len(little)))]
        return words[:place] + words[place + 1 :]
    place = int(rng.integers(1, len(words) + 1))
    extra = ("a", "the", "is", "and", "of", "in", "by", "as")[int(rng.integers(8))]
    return [*words[:place], extra, *words[place:]]


def salad(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """With a handful of words from elsewhere behind it."""
    flat = [word for at in rng.integers(len(pool), size=4) for word in pool[int(at)]]
    rng.shuffle(flat)
    return words + flat[: int(rng.integers(2, 9))]


def shuffle(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """Two neighbouring stretches the wrong way round."""
    if len(words) < 4:
        return salad(words, rng, pool)
    cuts = sorted(rng.choice(len(words) + 1, size=3, replace=False).tolist())
    first, second, third = cuts
    return words[:first] + words[second:third] + words[first:second] + words[third:]


# The shares are a guess at how often systems fail in each way; faults that even a reader would
# hardly notice are left to `drop_words`, `drop_verb` and `shuffle`, which are rare.
WAYS: tuple[tuple[Callable[[Words, Any, Sequence[Words]], Words], float], ...] = (
    (cut_short, 0.39),
    (say_twice, 0.33),
    (stutter, 0.11),
    (close_twice, 0.06),
    (unjoin, 0.03),
    (drop_verb, 0.01),
    (drop_words, 0.01),
    (salad, 0.05),
    (shuffle, 0.01),
)


def broken(words: Words, rng: Any, pool: Sequence[Words]) -> Words:
    """The caption broken in one of the ways; in one of twelve cases in two."""
    chances = [weight for _, weight in WAYS]
    total = sum(chances)
    made = words
    for _ in range(2 if rng.random() < 1 / 12 else 1):
        way = int(rng.choice(len(WAYS), p=[chance / total for chance in chances]))
        made = WAYS[way][0](made, rng, pool)
    return made


def _loose(word: str) -> bool:
    return word in LITTLE and word not in {
        "background",
        "distance",
        "foreground",
        "times",
        "away",
        "up",
        "down",
        "off",
        "out",
        "by",
        "then",
        "someone",
    }


def _events(words: Words) -> list[Words]:
    found: list[Words] = [[]]
    for word in words:
        if word in JOINTS:
            found.append([])
        else:
            found[-1].append(word)
    return [event for event in found if event]
