"""METEOR's own tables, read as data from the package pycocoevalcap: nothing of it is run.

The jar is a zip file of word lists: function words, WordNet's synsets, irregular forms. Paraphrases
lie beside it, 5.3 million pairs in 62 MB of gzip.
"""

import gzip
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.files.folder import write_file
from earmark.tasks.captions.score.meteor.normalise import ALWAYS, BEFORE_NUMBER
from earmark.text.text_cache import cache_folder

JAR, PARAPHRASES = "meteor-1.5.jar", "data/paraphrase-en.gz"
LONGEST_PHRASE = 7  # words of the longest phrase in the table
LINES_AT_ONCE = 300_000  # of the paraphrase table: about 10 MB; whole rows of three lines
# Endings and what replaces them, in the order in which WordNet's own morphology tries them.
ENDINGS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
    ("men", "man"), ("ies", "y"), ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""),
    ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("er", ""), ("est", ""),
    ("er", "e"), ("est", "e"),
)  # fmt: skip


@cache
def folder() -> Path | None:
    """Return the folder of the tables, or None where the package is not installed."""
    package = find_spec("pycocoevalcap")
    places = (
        Path(path) / "meteor" for path in (package and package.submodule_search_locations) or ()
    )
    return next(
        (place for place in places if (place / JAR).exists() and (place / PARAPHRASES).exists()),
        None,
    )


@dataclass(frozen=True, slots=True)
class WordTables:
    """The lists in the jar: function words, abbreviations, synsets of a word, irregular forms."""

    function_words: frozenset[str]
    abbreviations: Mapping[str, int]
    synsets: Mapping[str, str]  # word to its synsets' numbers, as the line stands in the file
    bases: Mapping[str, tuple[str, ...]]  # irregular form to its base forms

    def synsets_of(self, word: str) -> frozenset[str]:
        """Return the synsets of a word and of its base form."""
        bases = self.bases.get(word) or (self._base(word),)
        return frozenset(
            number for form in (word, *bases) for number in self.synsets.get(form, "").split()
        )

    def _base(self, word: str) -> str:
        """Return the first base form that WordNet knows, by cutting endings; "" if none."""
        if word.endswith("ss") or len(word) <= 2:
            return word
        for ending, instead in ENDINGS:
            if word.endswith(ending):
                form = word.removesuffix(ending) + instead
                if form in self.synsets:
                    return form + ("ful" if word.endswith("ful") else "")
        return ""


@cache
def read_words(place: Path) -> WordTables:
    """Return the word lists of the jar in this folder."""
    with zipfile.ZipFile(place / JAR) as jar:

        def lines(name: str) -> list[str]:
            return jar.read(name).decode("utf-8").splitlines()

        synsets = lines("synonym/english.synsets")
        forms: dict[str, tuple[str, ...]] = {}
        irregular = lines("synonym/english.exceptions")
        for base, inflected in zip(irregular[::2], irregular[1::2], strict=True):
            for form in inflected.split():
                forms[form] = (*forms.get(form, ()), base)
        return WordTables(
            frozenset(lines("function/english.words")),
            dict(_abbreviations(lines("nonbreaking/english.prefixes"))),
            dict(zip(synsets[::2], synsets[1::2], strict=True)),
            forms,
        )


def _abbreviations(lines: Iterable[str]) -> Iterator[tuple[str, int]]:
    for line in lines:
        words = line.split()
        if words and not words[0].startswith("#"):
            yield words[0], BEFORE_NUMBER if words[1:2] == ["#NUMERIC_ONLY#"] else ALWAYS


def paraphrases(place: Path, phrases: Iterable[str]) -> dict[str, list[str]]:
    """Return for each phrase its paraphrases among these phrases, in the table's order.

    The first call makes an index in the cache folder (84 MB, some ten seconds); where nothing can
    be stored, the whole table is read instead (three seconds).
    """
    wanted = {phrase.encode(): phrase for phrase in phrases}
    index = _index(place)
    pairs = _scan(place, wanted) if index is None else _look_up(index, wanted)
    table: dict[str, list[str]] = {}
    for phrase, other in pairs:
        table.setdefault(wanted[phrase], []).append(wanted[other])
    return table


def _rows(place: Path) -> Iterator[tuple[bytes, bytes]]:
    """Yield the pairs of the table; a row is three lines: probability, phrase, paraphrase."""
    with gzip.open(place / PARAPHRASES) as table:
        while lines := list(islice(table, LINES_AT_ONCE)):
            texts = b"".join(lines).split(b"\n")
            yield from zip(texts[1::3], texts[2::3], strict=False)


def _scan(place: Path, wanted: Mapping[bytes, str]) -> Iterator[tuple[bytes, bytes]]:
    return (row for row in _rows(place) if row[0] in wanted and row[1] in wanted)


def _look_up(
    index: NDArray[np.uint64], wanted: Mapping[bytes, str]
) -> Iterator[tuple[bytes, bytes]]:
    """Yield the rows of which both hashes are wanted."""
    by_hash = {_hash(phrase): phrase for phrase in wanted}
    hashes = np.array(sorted(by_hash), dtype=np.uint64)
    first, last = (np.searchsorted(index[0], hashes, side=side) for side in ("left", "right"))
    for own, start, end in zip(hashes.tolist(), first.tolist(), last.tolist(), strict=True):
        for other in index[1, start:end].tolist():
            if other in by_hash:
                yield by_hash[own], by_hash[other]


def _index(place: Path) -> NDArray[np.uint64] | None:
    """Return (2, rows) hashes of phrase and paraphrase, sorted by phrase; None without a cache."""
    home = cache_folder()
    if home is None:
        return None
    path = home / "meteor-1.5-paraphrases.npy"
    try:
        if not path.exists():
            _write_index(place, path)
        index: NDArray[np.uint64] = np.load(path, mmap_mode="r", allow_pickle=False)
        return index
    except (OSError, ValueError):
        return None


def _write_index(place: Path, path: Path) -> None:
    known: dict[bytes, int] = {}

    def hashed(phrase: bytes) -> int:
        number = known.get(phrase)
        if number is None:
            number = known[phrase] = _hash(phrase)
        return number

    both = np.array(
        [(hashed(phrase), hashed(other)) for phrase, other in _rows(place)], dtype=np.uint64
    )
    order = np.argsort(both[:, 0], kind="stable")  # rows of one phrase stay in the table's order
    content = io.BytesIO()
    np.save(content, np.ascontiguousarray(both[order].T))
    write_file(path, content.getvalue())


def _hash(phrase: bytes) -> int:
    """Return 64 bits: among 10^7 phrases and 10^6 wanted ones, a false match has odds of 10^-6."""
    return int.from_bytes(blake2b(phrase, digest_size=8).digest(), "big")
