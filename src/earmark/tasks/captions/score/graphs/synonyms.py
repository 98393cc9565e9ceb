"""Lemmas that are the same, or synonyms by WordNet where it is found.

WordNet is that of the machine, or the synsets that METEOR's tables hold (the extra `meteor`).
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from earmark.files.text import read_lines
from earmark.tasks.captions.score.meteor import tables
from earmark.tasks.captions.values import Tuple

# Where Debian, Homebrew and the original distribution install it.
PLACES = ("/usr/share/wordnet", "/usr/local/share/wordnet", "/usr/local/WordNet-3.0/dict")
FILES = ("noun", "verb", "adj", "adv")


def wordnet_folder() -> Path | None:
    """Return the folder of WordNet's files: $WNSEARCHDIR, $WORDNET or a usual place; else None."""
    named = [os.environ.get("WNSEARCHDIR"), os.environ.get("WORDNET")]
    for place in (*named, *PLACES):
        if place and (Path(place) / "index.noun").exists():
            return Path(place)
    return None


def synonym_source() -> str:
    """Return what the signature says: `lemma+wordnet`, `lemma+meteor-synsets` or `lemma`."""
    if wordnet_folder():
        return "lemma+wordnet"
    return "lemma+meteor-synsets" if tables.folder() else "lemma"


def same_or_synonym(one: Tuple, other: Tuple) -> bool:
    """Return whether two tuples match word by word.

    Examples
    --------
    >>> same_or_synonym(("dog", "bark"), ("dog", "bark"))
    True
    >>> same_or_synonym(("dog",), ("dog", "bark"))
    False
    """
    if len(one) != len(other):
        return False
    return all(a == b or bool(_senses(a) & _senses(b)) for a, b in zip(one, other, strict=True))


def _senses(lemma: str) -> frozenset[str]:
    folder, packaged = wordnet_folder(), tables.folder()
    if folder:
        return _index(folder).get(lemma.replace(" ", "_"), frozenset())
    return _synsets(packaged, lemma) if packaged else frozenset()


@cache
def _synsets(packaged: Path, lemma: str) -> frozenset[str]:
    return frozenset(tables.read_words(packaged).synsets.get(lemma, "").split())


@cache
def _index(folder: Path) -> dict[str, frozenset[str]]:
    index: dict[str, set[str]] = {}
    for kind in FILES:
        for lemma, senses in _lines(folder / f"index.{kind}"):
            index.setdefault(lemma, set()).update(f"{kind}{sense}" for sense in senses)
    return {lemma: frozenset(senses) for lemma, senses in index.items()}


def _lines(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield lemma and senses. A line holds lemma, part of speech, sense count, ..., the senses."""
    if not path.exists():
        return
    for line in read_lines(path):
        cells = line.split()
        if not line.startswith("  ") and len(cells) > 4:
            yield cells[0], cells[-int(cells[2]) :]
