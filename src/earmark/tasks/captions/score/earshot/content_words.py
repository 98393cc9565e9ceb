"""A caption as `earshot` reads it: its vector, and its words in context with their weight."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.captions.score.fluency.trigrams import LITTLE
from earmark.text.embed import mini_lm
from earmark.text.parse import Sentence, Word, parse
from earmark.text.shipped import model_file

Floats = NDArray[np.float32]
MODEL = "listener"
CARRYING = frozenset(("NOUN", "PROPN", "VERB", "ADJ"))
SAYING = CARRYING | {"ADV", "NUM", "INTJ", "X"}
PLACES = frozenset("background distance foreground".split())
SILENT = LITTLE - PLACES
# Words that fit any sound. They carry nothing, and support each other only when they are the same.
EMPTY = PLACES | frozenset(
    "sound noise occur happen hear audible nearby somewhere thing audio recording clip other "
    "various different present continue go make be".split()
)
REMEMBERED = 6000
_LATELY: dict[str, "Heard"] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """A caption's unit vector and its telling words.

    A word has a lemma, a vector in context and one of the lemma alone, a rarity, and carries or
    not: nouns, verbs and adjectives carry; adverbs and the like only tell.
    """

    sentence: Floats
    lemmas: tuple[str, ...]
    vectors: Floats
    types: Floats
    rarity: NDArray[np.float64]
    carries: NDArray[np.bool_]


def rarities() -> Mapping[str, float]:
    """How rare each lemma is in the captions of AudioCaps: log of captions over those with it."""
    return _table(model_file(MODEL, "rarity.json"))


@cache
def _table(path: Path) -> Mapping[str, float]:
    table: Mapping[str, float] = json.loads(path.read_text(encoding="utf-8"))
    return table


def hear(texts: Iterable[str]) -> dict[str, Heard]:
    """Each different text once; the last few thousand are remembered."""
    wanted = list(dict.fromkeys(texts))
    new = [text for text in wanted if text not in _LATELY]
    found = {text: _LATELY[text] for text in wanted if text in _LATELY}
    fresh = _hear(new) if new else {}
    _LATELY.update(fresh)
    for text in list(_LATELY)[: max(0, len(_LATELY) - REMEMBERED)]:
        del _LATELY[text]
    return {**found, **fresh}


def _hear(texts: list[str]) -> dict[str, Heard]:
    plain = [" ".join(text.split()) for text in texts]
    readings = mini_lm().read(plain)
    told_by = [_telling(sentence) for sentence in parse(plain)]
    lemmas = sorted({word.lemma for told in told_by for word in told})
    types = dict(zip(lemmas, mini_lm().sentences(lemmas), strict=True))
    made = {}
    for text, reading, told in zip(texts, readings, told_by, strict=True):
        alone = [types[word.lemma] for word in told]
        made[text] = Heard(
            sentence=reading.sentence,
            lemmas=tuple(word.lemma for word in told),
            vectors=reading.words([(word.start, word.end) for word in told]),
            types=np.array(alone, dtype=np.float32).reshape(len(told), reading.pieces.shape[1]),
            rarity=rarity_of([word.lemma for word in told]),
            carries=np.array(
                [word.pos in CARRYING and word.lemma not in EMPTY for word in told], dtype=bool
            ),
        )
    return made


def _telling(sentence: Sentence) -> list[Word]:
    return [word for word in sentence if word.pos in SAYING and word.lemma not in SILENT]


def rarity_of(lemmas: Sequence[str]) -> NDArray[np.float64]:
    """The rarity of each lemma; an unknown one is as rare as the rarest known."""
    table = rarities()
    most = table[""]
    return np.array([table.get(lemma, most) for lemma in lemmas], dtype=float)


def count_rarities(sentences: Iterable[Sentence], *, least: int = 5) -> dict[str, float]:
    """The table for `rarities`: lemmas of at least `least` captions; "" stands for all others."""
    from collections import Counter

    found: Counter[str] = Counter()
    size = 0
    for sentence in sentences:
        size += 1
        found.update({word.lemma for word in _telling(sentence)})
    top = float(np.log(size / least)) if size > least else 1.0
    table = {
        lemma: round(float(np.log(size / times)), 3)
        for lemma, times in sorted(found.items())
        if times >= least and lemma
    }
    return {"": round(top, 3), **table}
