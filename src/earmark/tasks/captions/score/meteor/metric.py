"""METEOR 1.5, with the original's tables and without its Java program."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from earmark.kernels import plain
from earmark.score.metric import Metric
from earmark.stats.rates import proportion
from earmark.tasks.captions.score.meteor.align import (
    Lexicon,
    Row,
    Sentence,
    counts_of,
    phrases_of,
)
from earmark.tasks.captions.score.meteor.normalise import normalise
from earmark.tasks.captions.score.meteor.tables import folder, paraphrases, read_words
from earmark.tasks.captions.score.ngrams.tokens import tokenise
from earmark.tasks.captions.values import Captions, single_caption
from earmark.values.errors import InputError

NEEDS = "needs METEOR's tables and a stemmer: pip install 'earmark[meteor]'"
# Half a millisecond a pair in plain Python, half a second to load the compiled search.
FEW_PAIRS = 1000

# METEOR 1.5's own parameters for English. Weights: same word, same stem, synonym, paraphrase.
MODULES = (1.0, 0.6, 0.8, 0.6)
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
FIELDS = 23  # numbers in a line of the program


@dataclass(frozen=True, slots=True)
class MeteorCounts:
    """What METEOR counts, in the order of its program.

    Lengths of candidate and reference, function words of both; for each module the matched content
    words of both and function words of both; chunks; matched words of both. `undefined` counts
    items that could not be aligned.
    """

    counts: Row = (0.0,) * FIELDS
    undefined: float = 0

    def __add__(self, other: "MeteorCounts") -> "MeteorCounts":
        rows = zip(self.row(), other.row(), strict=True)
        return MeteorCounts.from_row(tuple(a + b for a, b in rows))

    def row(self) -> Row:
        """Return all numbers in a row."""
        return (*self.counts, self.undefined)

    @classmethod
    def from_row(cls, row: Row) -> "MeteorCounts":
        """Return the counts that a row holds."""
        return cls(tuple(row[:-1]), row[-1])

    @classmethod
    def of(cls, row: Row) -> "MeteorCounts":
        """Return the counts of one pair; a perfect match counts as without chunks."""
        if row[-3] == 1 and row[-2:] == row[:2]:
            row = (*row[:-3], 0.0, *row[-2:])
        return cls(row)


def meteor() -> Metric:
    """Build METEOR 1.5: matched words, stems, synonyms and paraphrases, in how many chunks.

    Definition
    ----------
    F (1 - .6 (chunks / matched words)^.2), F = P R / (.85 P + .15 R); P and R weigh the same word
    1, the same stem .6, a synonym .8, a paraphrase .6, and content words three times function
    words. Of several references the one with the highest score counts. Counts are summed over
    items before they are divided.

    Undefined
    ---------
    Where the tables (of the package pycocoevalcap) or the stemmer are not installed.

    Notes
    -----
    Denkowski and Lavie 2014, English; the counts of the authors' Java program. Higher is better;
    0 to 1.
    """
    aligner = Aligner(folder())

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, MeteorCounts]:
        if not is_installed():
            return dict.fromkeys(references, MeteorCounts(undefined=1))
        return aligner.counts(references, outputs)

    return Metric(
        task="captions",
        name="meteor",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=rate,
        undefined=NEEDS,
        check_installed=require_tables,
    )


def is_installed() -> bool:
    """Return whether the tables and the stemmer are there."""
    return folder() is not None and find_spec("snowballstemmer") is not None


def require_tables() -> None:
    """Raise InputError if METEOR was asked for by name and cannot be computed."""
    if not is_installed():
        raise InputError("meteor cannot be computed here", want=NEEDS)


class Aligner:
    """Aligns captions with their references; words are looked up once per metric."""

    def __init__(self, place: Path | None) -> None:
        self._place = place

    @cached_property
    def _lexicon(self) -> Lexicon:
        import snowballstemmer  # type: ignore[import-untyped,unused-ignore]

        return Lexicon(read_words(self._tables), snowballstemmer.stemmer("english").stemWord)

    @property
    def _tables(self) -> Path:
        if self._place is None:
            raise InputError("meteor cannot be computed here", want=NEEDS)
        return self._place

    def counts(
        self, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, MeteorCounts]:
        """Return the counts of each item, with the reference that scores highest."""
        sentences = {
            text: self._sentence(text)
            for item in references
            for text in (*references[item].texts, single_caption(outputs[item], item))
        }
        table = paraphrases(self._tables, phrases_of(sentences.values()))

        def best(item: str) -> MeteorCounts:
            output = sentences[single_caption(outputs[item], item)]
            pairs = (counts_of(sentences[text], output, table) for text in references[item].texts)
            return max(map(MeteorCounts.of, pairs), key=lambda counts: _or_zero(rate(counts)))

        pairs = sum(len(references[item].texts) for item in references)
        with plain(pairs < FEW_PAIRS):
            return {item: best(item) for item in references}

    def _sentence(self, text: str) -> Sentence:
        words = normalise(" ".join(tokenise(text)), read_words(self._tables).abbreviations)
        return Sentence.of(words, self._lexicon)


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def rate(counts: MeteorCounts) -> float:
    """Return METEOR of summed counts.

    Examples
    --------
    >>> row = [4.0, 4, 2, 2] + [1, 1, 2, 2] + [0] * 12 + [2, 3, 3]
    >>> round(rate(MeteorCounts(tuple(row))), 4)
    0.2792
    """
    if counts.undefined:
        return float("nan")
    row = counts.counts
    chunks, *matched = row[-3:]
    precision, recall = (_matched_share(row, side) for side in (0, 1))
    if not precision or not recall:
        return 0.0
    both = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    fragmentation: float = proportion(chunks, of=sum(matched) / 2) ** BETA
    return both * (1 - GAMMA * fragmentation)


def _matched_share(row: Row, side: int) -> float:
    """Return the weighted share of matched words: of the candidate (0) or the reference (1)."""
    content, function = row[4 + side : 20 : 4], row[6 + side : 20 : 4]
    matched = sum(
        weight * (DELTA * a + (1 - DELTA) * b)
        for weight, a, b in zip(MODULES, content, function, strict=True)
    )
    length, function_words = row[side], row[2 + side]
    return (
        proportion(matched, of=DELTA * (length - function_words) + (1 - DELTA) * function_words)
        if length
        else 0.0
    )
