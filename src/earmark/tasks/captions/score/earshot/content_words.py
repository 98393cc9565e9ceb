"""A caption as `earshot` reads it: its vector, and its content words with vectors and rarity."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from earmark.arrays import Bools, Floats, Floats32
from earmark.files.json_text import read_json
from earmark.tasks.captions.score.earshot.endings import is_unfinished, whole_words
from earmark.tasks.captions.score.fluency.trigrams import FUNCTION_WORDS
from earmark.tasks.captions.score.graphs.negation import negated_words
from earmark.tasks.captions.score.recent import RecentTexts
from earmark.text.embed import mini_lm
from earmark.text.parse import Sentence, Word, parse
from earmark.text.shipped_models import model_file

MODEL = "listener"  # the folder of the shipped model, and the name by which it is trained
CARRYING = frozenset(("NOUN", "PROPN", "VERB", "ADJ"))
CONTENT = CARRYING | {"ADV", "NUM", "INTJ", "X"}
PLACES = frozenset("background distance foreground".split())
IGNORED = FUNCTION_WORDS - PLACES
# Words that fit any sound. They carry nothing, and support each other only when they are the same.
# Written by hand; several lists were compared by cross-validation on AudioCaps-Eval (README).
GENERIC = PLACES | frozenset(
    "sound noise occur happen hear audible nearby somewhere thing audio recording clip other "
    "various different present continue go make be".split()
)
# Captions whose vectors are kept: some 20 kB each. A block of 400 items with up to 15 captions.
REMEMBERED = 6000


@dataclass(frozen=True, slots=True, eq=False)
class EncodedCaption:
    """A caption's unit vector and its content words.

    A word has a vector in context (`vectors`), one of its lemma alone (`types`) and a rarity.
    `carries` is True for nouns, verbs and adjectives that do not fit any sound: only these count
    for coverage; adverbs, numbers and generic words count when they are unsupported. `denied` is
    True for words that are said not to be: in "no dog is barking", dog and barking. A caption that
    is `unfinished` is read up to the end of its last whole phrase.
    """

    sentence: Floats32  # (dimensions,)
    lemmas: tuple[str, ...]
    vectors: Floats32  # (words, dimensions)
    types: Floats32  # (words, dimensions)
    rarity: Floats  # (words,)
    carries: Bools  # (words,)
    denied: Bools  # (words,)
    unfinished: bool = False


def encoded_captions() -> RecentTexts[EncodedCaption]:
    """Return an empty cache of encoded captions."""
    return RecentTexts(encode, size=REMEMBERED)


def encode(texts: Sequence[str]) -> Iterator[EncodedCaption]:
    """Yield each caption with its vectors; all are read by the encoder in one call."""
    given = [" ".join(text.split()) for text in texts]
    first = list(parse(given))
    unfinished = [is_unfinished(sentence) for sentence in first]
    plain = [_whole(*each) for each in zip(given, first, unfinished, strict=True)]
    readings = mini_lm().read(plain)
    sentences = list(parse(plain))
    words_of = [_content_words(sentence) for sentence in sentences]
    denied_of = [_denied(sentence) for sentence in sentences]
    lemmas = sorted({word.lemma for words in words_of for word in words})
    types = dict(zip(lemmas, mini_lm().sentences(lemmas), strict=True))
    parts = zip(readings, words_of, denied_of, unfinished, strict=True)
    for reading, words, denied, cut in parts:
        alone = [types[word.lemma] for word in words]
        carries = [word.pos in CARRYING and word.lemma not in GENERIC for word in words]
        yield EncodedCaption(
            sentence=reading.sentence,
            lemmas=tuple(word.lemma for word in words),
            vectors=reading.words([(word.start, word.end) for word in words]),
            types=np.array(alone, dtype=np.float32).reshape(len(words), reading.pieces.shape[1]),
            rarity=rarity_of([word.lemma for word in words]),
            carries=np.array(carries, dtype=bool),
            denied=denied,
            unfinished=cut,
        )


def _whole(text: str, sentence: Sentence, unfinished: bool) -> str:
    """Return an unfinished caption up to the end of its last whole phrase, others as they are."""
    return text[: sentence[whole_words(sentence) - 1].end] if unfinished and sentence else text


def _content_words(sentence: Sentence) -> list[Word]:
    return [word for word in sentence if _is_content(word)]


def _is_content(word: Word) -> bool:
    return word.pos in CONTENT and word.lemma not in IGNORED


def _denied(sentence: Sentence) -> Bools:
    """Return which content words are denied, of shape (words,)."""
    denied = negated_words(sentence)
    content = [k for k, word in enumerate(sentence) if _is_content(word)]
    return np.array([index in denied for index in content], dtype=bool)


def rarity_of(lemmas: Sequence[str]) -> Floats:
    """Return the rarity of each lemma; an unknown one is as rare as the rarest known."""
    table = _rarities(model_file(MODEL, "rarity.json"))
    return np.array([table.get(lemma, table[""]) for lemma in lemmas], dtype=float)


@cache
def _rarities(path: Path) -> Mapping[str, float]:
    """Read the rarity of lemmas in the captions of AudioCaps: log(captions / captions with it).

    Lemmas of at least five captions are listed; "" holds the rarity of all others.
    """
    table: Mapping[str, float] = read_json(path)
    return table
