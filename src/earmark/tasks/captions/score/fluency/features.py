"""Features of a disfluent caption: unlikely words, repetition, unfinished ends.

All of them are computed from the words alone, without a parser.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from earmark.tasks.captions.score.fluency.trigrams import FUNCTION_WORDS, TrigramModel, shape
from earmark.tasks.captions.score.ngrams.tokens import tokenise

MARKS = re.compile(r"[,;:.!?]+(?=\s|$)")
COMMA = ","
# The word lists below were written by hand after the captions of AudioCaps; none was tuned.
CONNECTIVES = frozenset(", and as while with then followed before after when until by or".split())
ARTICLES = frozenset("a an the some several".split())
# Words that make a repetition deliberate: "a dog barks and another dog barks".
REPETITION_WORDS = frozenset("another more again other second".split())
PREPOSITIONS = frozenset("in on of at to from into onto over through by with against near".split())
CONJUNCTIONS = frozenset("and or as while but then when until before after which that".split())
AUXILIARIES = frozenset("is are was were be being been has have".split())
# A word less probable than exp(-6) after the two before it counts as unlikely; chosen by hand.
UNLIKELY = -6
LONGEST_REPEAT = 6  # words; longer repetitions are no worse
LONGEST_CAPTION = 40  # words; beyond, the length says no more
# The names are stored with a trained detector, which refuses to be read if they differ.
NAMES = (
    "word_mean",
    "word_lowest",
    "word_second",
    "word_end",
    "shape_mean",
    "shape_lowest",
    "shape_second",
    "shape_end",
    "shape_unlikely",
    "longest_repeat",
    "repeated_share",
    "near_repeat",
    "same_clauses",
    "nested_clauses",
    "ends_in_article",
    "ends_before_noun",
    "ends_in_binder",
    "ends_in_helper",
    "starts_loose",
    "double_little",
    "length",
    "joints",
    "doings",
)


@dataclass(frozen=True, slots=True)
class CaptionModel:
    """Trigram models of words and of shapes, and the words that the first one knows."""

    words: TrigramModel
    shapes: TrigramModel
    vocabulary: frozenset[str]

    def with_known_words(self, words: Sequence[str]) -> list[str]:
        """Return the words, each unknown one replaced by its shape."""
        return [word if word in self.vocabulary else shape(word) for word in words]


def words_and_commas(text: str) -> tuple[str, ...]:
    """Return the words of a caption with its commas: these part what would look repeated.

    Examples
    --------
    >>> words_and_commas("Rain on water, water splashes.")
    ('rain', 'on', 'water', ',', 'water', 'splashes')
    """
    tokens: list[str] = []
    for part in MARKS.split(text):
        words = tokenise(part)
        if words and tokens:
            tokens.append(COMMA)
        tokens.extend(words)
    return tuple(tokens)


def features(tokens: Sequence[str], model: CaptionModel) -> list[float]:
    """Return the features named in `NAMES` of one caption, given as `words_and_commas`."""
    words = [word for word in tokens if word != COMMA]
    word_logs = model.words.log_probabilities(model.with_known_words(words))
    shape_logs = model.shapes.log_probabilities([shape(word) for word in words])
    size = max(1, len(words))
    return [
        *_summary(word_logs),
        *_summary(shape_logs),
        sum(log < UNLIKELY for log in shape_logs),
        float(_longest_repeat(words)),
        _repeated_share(tokens),
        float(_near_repeats(tokens)),
        *map(float, _repeated_clauses(tokens)),
        *_ends(words),
        sum(a == b and a in FUNCTION_WORDS for a, b in pairwise(words)),
        min(size, LONGEST_CAPTION) / 10,
        sum(word in CONNECTIVES for word in words) / size,
        sum(shape(word) in {"-ing", "-s", "-ed"} for word in words) / size,
    ]


def _summary(logs: Sequence[float]) -> tuple[float, float, float, float]:
    """Return the mean, the lowest, the second lowest and the last of log-probabilities."""
    ordered = sorted(logs)
    second = ordered[1] if len(ordered) > 1 else ordered[0]
    return sum(logs) / len(logs), ordered[0], second, logs[-1]


def _ends(words: Sequence[str]) -> tuple[float, ...]:
    """Return whether the last word leaves the caption unfinished, and whether the first does."""
    last = words[-1] if words else ""
    first = words[0] if words else ""
    unfinished = first in CONJUNCTIONS | AUXILIARIES | {"of", "by", "followed"}
    return (
        float(last in ARTICLES),
        float(last in PREPOSITIONS),
        float(last in CONJUNCTIONS),
        float(last in AUXILIARIES),
        float(unfinished),
    )


def _repeated_share(tokens: Sequence[str]) -> float:
    """Return the share of content words whose stem has occurred before."""
    stems = [stem(word) for word in tokens if word not in FUNCTION_WORDS and word != COMMA]
    return 1 - len(set(stems)) / len(stems) if stems else 0.0


def _near_repeats(tokens: Sequence[str]) -> int:
    """Count content words that come again at once, or after one word other than "and"."""
    adjacent = sum(a == b and a not in FUNCTION_WORDS for a, b in pairwise(tokens))
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return adjacent + sum(
        a == b and a not in FUNCTION_WORDS and middle not in {"and", COMMA}
        for a, middle, b in triples
    )


def _repeated_clauses(tokens: Sequence[str]) -> tuple[int, int]:
    """Count clauses with the content words of an earlier one, and pairs that include each other."""
    clauses = [clause for clause in _clauses(tokens) if clause]
    same = sum(times - 1 for times in Counter(clauses).values())
    nested = sum(one < other or other < one for one, other in combinations(clauses, 2))
    return same, nested


def _clauses(tokens: Sequence[str]) -> list[frozenset[str]]:
    """Return the sets of content words between connectives."""
    clauses: list[set[str]] = [set()]
    for word in tokens:
        if word in CONNECTIVES:
            clauses.append(set())
        elif word not in FUNCTION_WORDS or word in REPETITION_WORDS:
            clauses[-1].add(stem(word))
    return [frozenset(clause) for clause in clauses]


def _longest_repeat(words: Sequence[str]) -> int:
    """Return the size of the longest n-gram that occurs twice; 0 below two words."""
    for size in range(min(LONGEST_REPEAT, len(words) - 1), 1, -1):
        ngrams = [tuple(words[first : first + size]) for first in range(len(words) - size + 1)]
        if len(set(ngrams)) < len(ngrams):
            return size
    return 0


def stem(word: str) -> str:
    """Return the word without the ending of a verb form or a plural.

    Examples
    --------
    >>> [stem(word) for word in ("barking", "barks", "barked", "bark", "speaks", "revving")]
    ['bark', 'bark', 'bark', 'bark', 'speak', 'rev']
    """
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) > 2:
            cut = word[: -len(end)]
            doubled = len(cut) > 3 and cut[-1] == cut[-2] and end in {"ing", "ed"}
            return (cut[:-1] if doubled else cut).removesuffix("e")
    return word.removesuffix("e")
