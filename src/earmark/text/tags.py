"""Part of speech: a small tagger that is fast enough never to be the bottleneck.

An averaged perceptron over hashed features, trained on UD English EWT (Penn Treebank tags) and
kept as one table of 8-bit weights. Anything that looks like `Tagger` may stand in its place, and
tags that somebody else made can be read from a file.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from earmark.text.conllu import read_conllu
from earmark.text.tokens import sentences
from earmark.values.errors import InputError

Array = Any
SHIPPED = Path(__file__).with_name("models") / "tags-ewt.npz"
ROWS = 1 << 18
FORMS = 6
SURE = 0.97
OFTEN = 12
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})


class Sentence(NamedTuple):
    """Words and their tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


class Tags(Protocol):
    """Whatever gives every token of a document a tag."""

    name: str

    def tag(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """One tag for each token."""
        ...


class Tagger:
    """The trained tagger: `tag(tokens)` gives Penn Treebank tags.

    Examples
    --------
    >>> shipped().tag(("The", "dogs", "sleep", "."))
    ('DT', 'NNS', 'VBP', '.')
    """

    def __init__(
        self, name: str, names: Sequence[str], weights: Array, known: dict[str, int]
    ) -> None:
        self.name = name
        self.names = tuple(names)
        self.weights = weights
        self.sure = known
        self.types: dict[str, int] = {"": 0}
        self.forms = np.zeros((1 << 12, FORMS), np.uint32)
        self.known = np.full(1 << 12, -1, np.int16)

    def tag(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """One Penn Treebank tag for each token."""
        names = self.names
        return tuple([names[tag] for tag in self.codes(tokens).tolist()])

    def codes(self, tokens: Sequence[str]) -> Array:
        """The same as numbers: places in `names`."""
        from earmark.text.tag_kernel import decode

        types = self._types(tokens)
        return decode(types, _starts(tokens), self.forms, self.known, self.weights)

    def save(self, path: Path) -> None:
        """Write the table; `load` reads it."""
        words = sorted(self.sure)
        np.savez_compressed(
            path,
            names=np.array(self.names),
            weights=self.weights,
            words=np.array(words),
            sure=np.array([self.sure[word] for word in words], np.int16),
        )

    def _types(self, tokens: Sequence[str]) -> Array:
        types = self.types
        for token in dict.fromkeys(tokens):
            if token not in types:
                self._learn_type(token)
        return np.fromiter((types[token] for token in tokens), np.int64, len(tokens))

    def _learn_type(self, token: str) -> None:
        number = len(self.types)
        if number == len(self.known):
            self.forms = np.concatenate([self.forms, np.zeros_like(self.forms)])
            self.known = np.concatenate([self.known, np.full_like(self.known, -1)])
        self.types[token] = number
        self.forms[number] = forms_of(token)
        self.known[number] = self.sure.get(token, -1)


def load(path: Path) -> Tagger:
    """The tagger in a file that `Tagger.save` wrote."""
    if not path.exists():
        raise InputError("there is no tagger here", at=path, fix="train one: earmark train context")
    with np.load(path, allow_pickle=False) as kept:
        known = dict(zip(kept["words"].tolist(), kept["sure"].tolist(), strict=True))
        return Tagger(path.stem, kept["names"].tolist(), kept["weights"], known)


@cache
def shipped() -> Tagger:
    """The tagger that comes with Earmark."""
    return load(SHIPPED)


def train(
    corpus: Sequence[Sentence], *, seed: int, turns: int = 10, rows: int = ROWS, name: str = "own"
) -> Tagger:
    """A tagger learnt from tagged sentences.

    Parameters
    ----------
    corpus
        Sentences with their tags.
    seed
        Orders the sentences of each pass.
    turns
        Passes over the corpus.
    rows
        Rows of the weight table, a power of two; features are hashed into it.
    name
        What the tagger is called.
    """
    from earmark.text.tag_kernel import learn

    names = sorted({tag for sentence in corpus for tag in sentence.tags})
    number = {tag: index for index, tag in enumerate(names)}
    tagger = Tagger(name, names, np.zeros((rows, len(names)), np.int8), _sure(corpus, number))
    words = [word for sentence in corpus for word in sentence.words]
    truth = np.array([number[t] for sentence in corpus for t in sentence.tags], np.int16)
    starts = np.cumsum([0, *(len(sentence.words) for sentence in corpus)])
    draw = np.random.default_rng(seed)
    order = np.concatenate([draw.permutation(len(corpus)) for _ in range(turns)])
    table = np.zeros((3, rows, len(names)), np.float32)
    text = (tagger._types(words), starts, truth)
    learn(text, tagger.forms, tagger.known, order, table)
    scale = 127 / max(float(np.abs(table[1]).max()), 1e-9)
    tagger.weights = np.round(table[1] * scale).astype(np.int8)
    return tagger


def read_tagged(path: Path) -> tuple[Sentence, ...]:
    """Return the sentences of a CoNLL-U file with their language-specific tags."""
    return tuple(
        Sentence(tuple(word.form for word in one.words), tuple(word.xpos for word in one.words))
        for one in read_conllu(path)
    )


def forms_of(token: str) -> tuple[int, ...]:
    """What the tagger sees of a word: itself, its ends, its beginning, its shape; as numbers."""
    lower = token.lower()
    parts = (token_key(token), lower[-2:], lower[-3:], lower[-4:], lower[:3], shape(token))
    return tuple(zlib.crc32(part.encode()) for part in parts)


def token_key(token: str) -> str:
    """The word with its digits made equal."""
    return "".join("0" if c.isdigit() else c for c in token) if not token.isalpha() else token


def shape(token: str) -> str:
    """Capitals, digits, hyphens and other marks, as a short code.

    Examples
    --------
    >>> [shape(word) for word in ("word", "Word", "NATO", "mid-1990s", "--")]
    ['a', 'Aa', 'A', 'a0-', '.']
    """
    if token.isalpha():
        return "a" if token.islower() else "A" if token.isupper() else "Aa"
    code = "A" if token[:1].isupper() else "a" if any(c.isalpha() for c in token) else ""
    code += "0" if any(c.isdigit() for c in token) else ""
    code += "-" if "-" in token and code else ""
    return code or "."


def _starts(tokens: Sequence[str]) -> Array:
    ends = [0, *(end for _, end in sentences(tuple(tokens)))]
    return np.array(ends, np.int64)


def _sure(corpus: Iterable[Sentence], number: dict[str, int]) -> dict[str, int]:
    """Frequent words that have one tag nearly always."""
    tags: dict[str, Counter[str]] = {}
    for sentence in corpus:
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            tags.setdefault(word, Counter())[tag] += 1
    best = {word: counts.most_common(1)[0] for word, counts in tags.items()}
    return {
        word: number[tag]
        for word, (tag, times) in best.items()
        if times >= OFTEN and times >= SURE * tags[word].total()
    }


@cache
def load_once(path: Path) -> Tagger:
    """The tagger of that file, read once a process."""
    return load(path)


def measure(tagger: Tags, corpus: Sequence[Sentence]) -> dict[str, float]:
    """Share of right tags, and precision and recall of nouns, on tagged sentences."""
    right = tokens = 0
    nouns = {"both": 0, "said": 0, "true": 0}
    for sentence in corpus:
        for told, found in zip(sentence.tags, tagger.tag(sentence.words), strict=True):
            right += told == found
            tokens += 1
            nouns["both"] += told in NOUNS and found in NOUNS
            nouns["said"] += found in NOUNS
            nouns["true"] += told in NOUNS
    return {
        "accuracy": right / max(tokens, 1),
        "noun_precision": nouns["both"] / max(nouns["said"], 1),
        "noun_recall": nouns["both"] / max(nouns["true"], 1),
    }
