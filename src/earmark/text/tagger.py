"""Part-of-speech tags: a small tagger that is fast enough never to be the bottleneck.

An averaged perceptron over hashed features, trained on UD English EWT (Penn Treebank tags) and
stored as one table of 8-bit weights.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Ints
from earmark.files.models import use_model
from earmark.files.npz import read_arrays
from earmark.stats.rates import proportion
from earmark.text.conllu import read_conllu
from earmark.text.penn_tokens import sentences
from earmark.values.errors import InputError

SHIPPED = Path(__file__).with_name("models") / "tags-ewt.npz"
# Rows of the weight table, into which features are hashed: 49 tags of 8 bits make 13 MB. Chosen for
# that size; features that fall into one row share their weights.
ROWS = 1 << 18
FORMS = 6  # how many numbers `forms_of` gives for a word
# A word seen at least OFTEN times that has one tag in a share SURE of them always gets that tag,
# which is faster than the perceptron. .97 is that of Honnibal's perceptron tagger (2013), whose
# least count is 20; 12 was chosen by hand.
SURE = 0.97
OFTEN = 12
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})


class TaggedSentence(NamedTuple):
    """Words and their tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


class Tagger:
    """A trained tagger: `tag(tokens)` gives Penn Treebank tags.

    `weights` is (rows, tags). `types` numbers every word that was ever tagged; `forms` (types, 6)
    and `known` (types,) hold what the kernel needs to know of it, so that each word is analysed
    once. They grow with use and never change a result.

    Examples
    --------
    >>> shipped().tag(("The", "dogs", "sleep", "."))
    ('DT', 'NNS', 'VBP', '.')
    """

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        weights: NDArray[np.int8],
        known: dict[str, int],
    ) -> None:
        self.name = name
        self.names = tuple(names)
        self.weights = weights
        self.sure = known
        self.types: dict[str, int] = {"": 0}
        self.forms = np.zeros((1 << 12, FORMS), np.uint32)
        self.known = np.full(1 << 12, -1, np.int16)

    def tag(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return one Penn Treebank tag for each token."""
        names = self.names
        return tuple([names[tag] for tag in self.codes(tokens).tolist()])

    def codes(self, tokens: Sequence[str]) -> NDArray[np.int16]:
        """Return the tags as numbers (tokens,), which are indices of `names`."""
        from earmark.text.tagger_kernel import decode

        types = self.type_numbers(tokens)
        codes: NDArray[np.int16] = decode(
            types, _starts(tokens), self.forms, self.known, self.weights
        )
        return codes

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

    def type_numbers(self, tokens: Sequence[str]) -> Ints:
        """Return the number of each token's word (tokens,); new words get the next numbers."""
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
    """Return the tagger in a file that `Tagger.save` wrote."""
    if not path.exists():
        raise InputError("there is no tagger here", at=path, fix="train one: earmark train context")
    stored = read_arrays(path, what="a tagger is a file that `train` wrote")
    try:
        known = dict(zip(stored["words"].tolist(), stored["sure"].tolist(), strict=True))
        names, weights = stored["names"].tolist(), stored["weights"]
        _check_table(names, weights, known)
        return Tagger(path.stem, names, weights, known)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("a tagger is a file that `train` wrote", at=path, got=error) from error


def _check_table(names: list[str], weights: NDArray[np.int8], known: dict[str, int]) -> None:
    """Raise ValueError where the compiled loop, which checks nothing, would leave the table."""
    rows, columns = weights.shape
    if weights.dtype != np.int8 or not columns or columns != len(names):
        raise ValueError(f"weights of {weights.dtype} for {columns} tags, and {len(names)} names")
    if not rows or rows & (rows - 1):
        raise ValueError(f"{rows} rows of weights, where a power of two is needed")
    if any(not 0 <= tag < columns for tag in known.values()):
        raise ValueError("a word has a tag that is not there")


def shipped() -> Tagger:
    """Return the tagger that comes with Earmark."""
    return _loaded(use_model(SHIPPED))


@cache
def _loaded(path: Path) -> Tagger:
    return load(path)


def train(
    corpus: Sequence[TaggedSentence],
    *,
    seed: int,
    epochs: int = 10,
    rows: int = ROWS,
    name: str = "own",
) -> Tagger:
    """Train a tagger on tagged sentences.

    The seed orders the sentences of each epoch. `rows` is the size of the weight table, into which
    features are hashed; it must be a power of two.
    """
    from earmark.text.tagger_kernel import learn

    names = sorted({tag for sentence in corpus for tag in sentence.tags})
    if not names:
        raise InputError("a tagger learns from tagged words", got="none in the files")
    number = {tag: index for index, tag in enumerate(names)}
    tagger = Tagger(name, names, np.zeros((rows, len(names)), np.int8), _sure(corpus, number))
    words = [word for sentence in corpus for word in sentence.words]
    truth = np.array([number[t] for sentence in corpus for t in sentence.tags], np.int16)
    starts = np.cumsum([0, *(len(sentence.words) for sentence in corpus)])
    rng = np.random.default_rng(seed)
    order = np.concatenate([rng.permutation(len(corpus)) for _ in range(epochs)])
    table = np.zeros((3, rows, len(names)), np.float32)  # weights, their sums, time stamps
    text = (tagger.type_numbers(words), starts, truth)
    learn(text, tagger.forms, tagger.known, order, table)
    scale = 127 / max(float(np.abs(table[1]).max()), 1e-9)
    tagger.weights = np.round(table[1] * scale).astype(np.int8)
    return tagger


def read_tagged(path: Path) -> tuple[TaggedSentence, ...]:
    """Return the sentences of a CoNLL-U file with their language-specific tags."""
    return tuple(
        TaggedSentence(
            tuple(word.form for word in one.words), tuple(word.xpos for word in one.words)
        )
        for one in read_conllu(path)
    )


def forms_of(token: str) -> tuple[int, ...]:
    """Return what the tagger sees of a word, hashed: itself, endings, beginning, shape."""
    lower = token.lower()
    parts = (token_key(token), lower[-2:], lower[-3:], lower[-4:], lower[:3], shape(token))
    return tuple(zlib.crc32(part.encode()) for part in parts)


def token_key(token: str) -> str:
    """Return the word with every digit replaced by 0, so that all numbers of a form are one."""
    return "".join("0" if c.isdigit() else c for c in token) if not token.isalpha() else token


def shape(token: str) -> str:
    """Return a short code of capitals, digits, hyphens and other marks.

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


def _starts(tokens: Sequence[str]) -> Ints:
    ends = [0, *(end for _, end in sentences(tuple(tokens)))]
    return np.array(ends, np.int64)


def _sure(corpus: Iterable[TaggedSentence], number: dict[str, int]) -> dict[str, int]:
    """Return the frequent words that nearly always have one tag, with that tag's number."""
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
    """Return the tagger of that file; a process reads it once."""
    return load(path)


def measure(tagger: Tagger, corpus: Sequence[TaggedSentence]) -> dict[str, float]:
    """Return the share of right tags, and precision and recall of nouns, on tagged sentences."""
    right = tokens = 0
    both = said = true = 0
    for sentence in corpus:
        for reference, output in zip(sentence.tags, tagger.tag(sentence.words), strict=True):
            right += reference == output
            tokens += 1
            both += reference in NOUNS and output in NOUNS
            said += output in NOUNS
            true += reference in NOUNS
    return {
        "accuracy": proportion(right, of=tokens),
        "noun_precision": proportion(both, of=said),
        "noun_recall": proportion(both, of=true),
    }
