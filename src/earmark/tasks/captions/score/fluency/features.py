"""Signs of a broken sentence: unlikely runs, repetition, loose ends. All from the words alone."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from earmark.tasks.captions.score.fluency.trigrams import LITTLE, Runs, shape
from earmark.tasks.captions.score.ngrams.tokens import tokenise

MARKS = re.compile(r"[,;:.!?]+(?=\s|$)")
COMMA = ","
JOINTS = frozenset(", and as while with then followed before after when until by or".split())
ARTICLES = frozenset("a an the some several".split())
ONCE_MORE = frozenset("another more again other second".split())
BEFORE_NOUNS = frozenset("in on of at to from into onto over through by with against near".split())
BINDERS = frozenset("and or as while but then when until before after which that".split())
HELPERS = frozenset("is are was were be being been has have".split())
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
class Wording:
    """The two models of runs, and the words that the first one knows."""

    words: Runs
    shapes: Runs
    known: frozenset[str]

    def seen(self, words: Sequence[str]) -> list[str]:
        """The words, each unknown one replaced by its shape."""
        return [word if word in self.known else shape(word) for word in words]


def spoken(text: str) -> tuple[str, ...]:
    """The words of a caption, with its commas: they part what would otherwise be said twice.

    Examples
    --------
    >>> spoken("Rain on water, water splashes.")
    ('rain', 'on', 'water', ',', 'water', 'splashes')
    """
    found: list[str] = []
    for part in MARKS.split(text):
        words = tokenise(part)
        if words and found:
            found.append(COMMA)
        found.extend(words)
    return tuple(found)


def signs(marked: Sequence[str], wording: Wording) -> list[float]:
    """The numbers of `NAMES` for one caption, given as `spoken`."""
    words = [word for word in marked if word != COMMA]
    usual = wording.words.log_chances(wording.seen(words))
    shapes = wording.shapes.log_chances([shape(word) for word in words])
    size = max(1, len(words))
    return [
        *_summary(usual),
        *_summary(shapes),
        sum(chance < -6 for chance in shapes),
        *_repetition(marked),
        *_ends(words),
        sum(a == b and a in LITTLE for a, b in pairwise(words)),
        min(size, 40) / 10,
        sum(word in JOINTS for word in words) / size,
        sum(shape(word) in {"-ing", "-s", "-ed"} for word in words) / size,
    ]


def _summary(chances: Sequence[float]) -> tuple[float, float, float, float]:
    ordered = sorted(chances)
    second = ordered[1] if len(ordered) > 1 else ordered[0]
    return sum(chances) / len(chances), ordered[0], second, chances[-1]


def _ends(words: Sequence[str]) -> tuple[float, ...]:
    last = words[-1] if words else ""
    first = words[0] if words else ""
    loose = first in BINDERS or first in HELPERS or first in {"of", "by", "followed"}
    return (
        float(last in ARTICLES),
        float(last in BEFORE_NOUNS),
        float(last in BINDERS),
        float(last in HELPERS),
        float(loose),
    )


def _repetition(words: Sequence[str]) -> tuple[float, ...]:
    stems = [stem(word) for word in words if word not in LITTLE and word != COMMA]
    distinct = len(set(stems))
    near = sum(a == b and a not in LITTLE for a, b in pairwise(words))
    near += sum(
        a == b and a not in LITTLE and middle not in {"and", COMMA}
        for a, middle, b in zip(words, words[1:], words[2:], strict=False)
    )
    clauses = [clause for clause in _clauses(words) if clause]
    same = sum(times - 1 for times in Counter(clauses).values())
    nested = sum(
        one < other or other < one for at, one in enumerate(clauses) for other in clauses[at + 1 :]
    )
    repeated = 1 - distinct / len(stems) if stems else 0.0
    return (float(_longest_repeat(words)), repeated, float(near), float(same), float(nested))


def _clauses(words: Sequence[str]) -> list[frozenset[str]]:
    """The sets of content words between joints."""
    found: list[set[str]] = [set()]
    for word in words:
        if word in JOINTS:
            found.append(set())
        elif word not in LITTLE or word in ONCE_MORE:
            found[-1].add(stem(word))
    return [frozenset(clause) for clause in found]


def _longest_repeat(words: Sequence[str]) -> int:
    """How many words the longest run that occurs twice has, up to six."""
    words = [word for word in words if word != COMMA]
    for size in range(min(6, len(words) - 1), 1, -1):
        runs = [tuple(words[at : at + size]) for at in range(len(words) - size + 1)]
        if len(set(runs)) < len(runs):
            return size
    return 0


def stem(word: str) -> str:
    """The word without the ending that a verb or a plural puts on.

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
