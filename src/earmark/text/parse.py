"""Dependency trees of sentences: words with part of speech, lemma and governor.

The parser is a small spaCy pipeline that comes with Earmark; `earmark train captions parser` trains
it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from earmark.task.extras import MissingExtra, install_line
from earmark.text.shipped_models import folder_digest, model_file
from earmark.text.text_cache import TextCache, cache_folder
from earmark.values.errors import InputError

MODEL = "parser"
PACKAGES = ("spacy", "lemminflect")  # what reading sentences needs, of the extra `text`
TREES = "trees 1"  # another number when `Word` or the lemmas change
MOST_TREES = 200_000  # texts whose trees are kept on disk: about 200 MB
MOST_WORDS = 400  # a caption is a sentence; what is longer is slow to parse and no caption
# Plurals that the lemmatiser takes for forms of another noun.
PLURALS = {"leaves": "leaf", "axes": "axe", "bases": "base"}
LEMMA_CLASSES = {"PROPN": "PROPN", "NOUN": "NOUN", "VERB": "VERB", "AUX": "AUX", "ADJ": "ADJ"}


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its form, lemma, Universal and Penn tags, governor (-1 at the root), relation.

    `start` and `end` are its characters in the text.
    """

    form: str
    lemma: str
    pos: str
    tag: str
    head: int
    relation: str
    start: int
    end: int


Sentence = tuple[Word, ...]


def pipeline(folder: Path | None = None) -> Any:
    """Return the shipped spaCy pipeline, or the one in a folder."""
    return _load(folder or model_file(MODEL))


@cache
def _load(folder: Path) -> Any:
    try:
        import spacy
    except ImportError as error:
        raise MissingExtra("reading sentences needs spaCy", fix=install_line("text")) from error
    try:
        return spacy.load(folder)
    except OSError as error:
        raise InputError(
            "there is no parser here",
            at=folder,
            got=str(error).split("\n")[0],
            fix="earmark train captions parser --treebank F.conllu --out FOLDER",
        ) from error


def parse(texts: Iterable[str], *, folder: Path | None = None) -> Iterator[Sentence]:
    """Yield each text as one sentence; what is beyond 400 words is left out.

    Trees are kept in the cache on disk, under the digest of the parser: loading spaCy takes longer
    than parsing a thousand captions.
    """
    place = folder or model_file(MODEL)
    name = f"{TREES} {_digest(place)}"
    trees = TextCache(name, folder=cache_folder(), most=MOST_TREES)
    for content in trees.of(list(texts), lambda new: _fresh(new, place)):
        yield tuple(Word(*row) for row in json.loads(content))


@cache
def _digest(folder: Path) -> str:
    """Return the digest of a parser; a process that has loaded one looks at it once."""
    return folder_digest(folder)


def _fresh(texts: list[str], folder: Path) -> Iterator[bytes]:
    nlp = pipeline(folder)
    docs = (_cut(nlp, text) for text in texts)
    for doc in nlp.pipe(docs, batch_size=128):
        rows = [astuple(_word(token)) for token in doc]
        yield json.dumps(rows, separators=(",", ":")).encode()


def _cut(nlp: Any, text: str) -> Any:
    doc = nlp.make_doc(" ".join(text.split()))
    return doc if len(doc) <= MOST_WORDS else doc[:MOST_WORDS].as_doc()


def _word(token: Any) -> Word:
    return Word(
        form=token.text,
        lemma=lemma(token.lower_, token.pos_),
        pos=token.pos_,
        tag=token.tag_,
        head=-1 if token.head.i == token.i else token.head.i,
        relation="root" if token.head.i == token.i else token.dep_,
        start=token.idx,
        end=token.idx + len(token.text),
    )


@lru_cache(maxsize=100_000)
def lemma(form: str, pos: str) -> str:
    """Return the form that a dictionary lists.

    Examples
    --------
    >>> lemma("barks", "VERB"), lemma("women", "NOUN"), lemma("the", "DET")
    ('bark', 'woman', 'the')
    """
    if pos not in LEMMA_CLASSES:
        return form
    if pos == "NOUN" and form in PLURALS:
        return PLURALS[form]
    from lemminflect import getLemma

    lemmas = getLemma(form, upos=LEMMA_CLASSES[pos], lemmatize_oov=form.isalpha())
    return str(lemmas[0]) if lemmas else form
