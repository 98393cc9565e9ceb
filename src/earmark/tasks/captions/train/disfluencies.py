"""Ways of making a caption disfluent, after the faults that captioning systems show.

A system cut off at its longest length ends in the middle of a phrase; one that has lost its place
says an event twice, drops the word that joins two events, or the verb of one.
"""

from collections.abc import Callable, Sequence

import numpy as np

from earmark.tasks.captions.score.fluency.features import CONNECTIVES
from earmark.tasks.captions.score.fluency.trigrams import FUNCTION_WORDS, shape

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


def cut_short(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """End the caption after a function word inside it, or with an unfinished tail."""
    inside = [end for end, word in enumerate(words[:-1], 1) if end > 2 and _unfinished(word)]
    if inside and rng.random() < 0.5:
        return words[: inside[int(rng.integers(len(inside)))]]
    return words + TAILS[int(rng.integers(len(TAILS)))].split()


def say_twice(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Repeat the caption, or one of its events."""
    events = [event for event in _events(words) if len(event) > 1]
    event = events[int(rng.integers(len(events)))] if events else words
    connective = JOIN[int(rng.integers(len(JOIN)))].split()
    if rng.random() < 0.5:
        return words + connective + event
    end = words.index(event[0]) + len(event)
    return words[:end] + connective + event + words[end:]


def stutter(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Repeat a word or a short n-gram at once."""
    size = int(rng.choice([1, 1, 2, 3]))
    first = int(rng.integers(max(1, len(words) - size + 1)))
    return words[: first + size] + words[first:]


def close_twice(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Append a closing phrase twice: in the background in the background."""
    tail = AGAIN[int(rng.integers(len(AGAIN)))].split()
    middle = [] if rng.random() < 0.6 else ["and"]
    return words + tail + middle + tail


def unjoin(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Drop the word between two events."""
    places = [i for i, word in enumerate(words) if word in CONNECTIVES and 0 < i < len(words) - 1]
    if not places:
        other = pool[int(rng.integers(len(pool)))]
        return words + other
    place = places[int(rng.integers(len(places)))]
    after = (
        place + 2
        if words[place : place + 2] in (["followed", "by"], ["and", "then"])
        else place + 1
    )
    return words[:place] + words[after:]


def drop_verb(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Drop the word that says what happens."""
    doings = [i for i, word in enumerate(words) if i and shape(word) in {"-ing", "-s", "-ed"}]
    follows = [i for i in doings if words[i - 1] not in {"is", "are"} or rng.random() < 0.7]
    if not follows or len(words) < 4:
        return cut_short(words, rng, pool)
    place = follows[int(rng.integers(len(follows)))]
    return words[:place] + words[place + 1 :]


def drop_words(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Drop a function word, or insert one in a wrong place."""
    function_words = [i for i, word in enumerate(words) if i and word in FUNCTION_WORDS]
    if function_words and rng.random() < 0.5:
        place = function_words[int(rng.integers(len(function_words)))]
        return words[:place] + words[place + 1 :]
    place = int(rng.integers(1, len(words) + 1))
    extra = ("a", "the", "is", "and", "of", "in", "by", "as")[int(rng.integers(8))]
    return [*words[:place], extra, *words[place:]]


def salad(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Append a handful of words of other captions, shuffled."""
    flat = [word for k in rng.integers(len(pool), size=4) for word in pool[int(k)]]
    rng.shuffle(flat)
    return words + flat[: int(rng.integers(2, 9))]


def shuffle(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Swap two neighbouring stretches."""
    if len(words) < 4:
        return salad(words, rng, pool)
    cuts = sorted(rng.choice(len(words) + 1, size=3, replace=False).tolist())
    first, second, third = cuts
    return words[:first] + words[second:third] + words[first:second] + words[third:]


# The shares are a guess at how often systems fail in each way; faults that even a reader would
# hardly notice are left to `drop_words`, `drop_verb` and `shuffle`, which are rare.
WAYS: tuple[tuple[Callable[[Words, np.random.Generator, Sequence[Words]], Words], float], ...] = (
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


def make_disfluent(words: Words, rng: np.random.Generator, pool: Sequence[Words]) -> Words:
    """Return the caption with one fault; with probability 1/12, with two."""
    shares = [share for _, share in WAYS]
    total = sum(shares)
    result = words
    for _ in range(2 if rng.random() < 1 / 12 else 1):
        way = int(rng.choice(len(WAYS), p=[share / total for share in shares]))
        result = WAYS[way][0](result, rng, pool)
    return result


def _unfinished(word: str) -> bool:
    return word in FUNCTION_WORDS and word not in {
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
    events: list[Words] = [[]]
    for word in words:
        if word in CONNECTIVES:
            events.append([])
        else:
            events[-1].append(word)
    return [event for event in events if event]
