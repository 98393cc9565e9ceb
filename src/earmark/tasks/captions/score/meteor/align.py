"""Which words of two sentences match: same word, same stem, synonym, paraphrase."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Ints
from earmark.tasks.captions.score.meteor.align_kernel import (
    LENGTH,
    MODULE,
    NONE,
    OTHER_LENGTH,
    OTHER_START,
    START,
    align,
)
from earmark.tasks.captions.score.meteor.tables import LONGEST_PHRASE, WordTables

MODULES = 4
SAME, STEM, SYNONYM, PARAPHRASE = range(MODULES)
Match = tuple[int, int, int, int, int]  # start, length in the reference; in the candidate; module
Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's words and all that the modules compare."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    synsets: tuple[frozenset[str], ...]
    is_function: tuple[bool, ...]
    phrases: Mapping[str, tuple[int, ...]]  # every phrase of up to seven words to where it starts

    @classmethod
    def of(cls, words: tuple[str, ...], lexicon: "Lexicon") -> "Sentence":
        """Return the sentence of these words."""
        entries = [lexicon.entry(word) for word in words]
        return cls(
            words,
            tuple(entry.stem for entry in entries),
            tuple(entry.synsets for entry in entries),
            tuple(entry.is_function for entry in entries),
            _phrases(words),
        )


def _phrases(words: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_PHRASE, len(words)) + 1):
            phrase = " ".join(words[start:end])
            places[phrase] = (*places.get(phrase, ()), start)
    return places


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one word."""

    stem: str
    synsets: frozenset[str]
    is_function: bool


class Lexicon:
    """The words met so far, each looked up once."""

    def __init__(self, tables: WordTables, stem: Callable[[str], str]) -> None:
        self._tables, self._stem = tables, stem
        self._entries: dict[str, Entry] = {}

    def entry(self, word: str) -> Entry:
        """Return what is known of a word."""
        if word not in self._entries:
            self._entries[word] = Entry(
                self._stem(word),
                self._tables.synsets_of(word),
                word in self._tables.function_words,
            )
        return self._entries[word]


def counts_of(
    reference: Sentence, candidate: Sentence, paraphrases: Mapping[str, list[str]]
) -> Row:
    """Return what METEOR counts of a pair, in the order of its program.

    Lengths of candidate and reference, function words of both; for each module the matched content
    words of both and function words of both; chunks; matched words of both.
    """
    same = reference.words == candidate.words
    matches = sorted(
        _same_words(reference, candidate)
        if same
        else _all_matches(reference, candidate, paraphrases),
        key=lambda match: match[START],
    )
    table = np.array(matches, dtype=np.int64).reshape(-1, 5)
    first = np.searchsorted(table[:, START], np.arange(len(reference.words) + 1))
    lengths = (len(reference.words), len(candidate.words))
    chosen = align(table, first, lengths) if len(table) else np.empty(0, dtype=np.int64)
    return _tally(reference, candidate, table[chosen[chosen != NONE]])


def _all_matches(
    reference: Sentence, candidate: Sentence, paraphrases: Mapping[str, list[str]]
) -> Iterator[Match]:
    yield from _same_words(reference, candidate)
    yield from _word_matches(reference, candidate, STEM)
    yield from _word_matches(reference, candidate, SYNONYM)
    for start, length, other_start, other_length in _paraphrased(reference, candidate, paraphrases):
        yield start, length, other_start, other_length, PARAPHRASE
    for other_start, other_length, start, length in _paraphrased(candidate, reference, paraphrases):
        yield start, length, other_start, other_length, PARAPHRASE


def _same_words(reference: Sentence, candidate: Sentence) -> Iterator[Match]:
    for place, word in enumerate(reference.words):
        for other in candidate.phrases.get(word, ()):
            yield place, 1, other, 1, SAME


def _word_matches(reference: Sentence, candidate: Sentence, module: int) -> Iterator[Match]:
    """Yield pairs of different words with one stem, or with a synset in common."""
    for place, word in enumerate(reference.words):
        stem, synsets = reference.stems[place], reference.synsets[place]
        for other, other_word in enumerate(candidate.words):
            if word == other_word:
                continue
            if module == STEM:
                is_match = stem == candidate.stems[other]
            else:
                is_match = not synsets.isdisjoint(candidate.synsets[other])
            if is_match:
                yield place, 1, other, 1, module


def _paraphrased(
    one: Sentence, other: Sentence, paraphrases: Mapping[str, list[str]]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield where a phrase of one sentence has a paraphrase in the other, shorter phrases first."""
    for start in range(len(one.words)):
        for length in range(1, min(LONGEST_PHRASE, len(one.words) - start) + 1):
            for text in paraphrases.get(" ".join(one.words[start : start + length]), ()):
                for other_start in other.phrases.get(text, ()):
                    yield start, length, other_start, text.count(" ") + 1


def _tally(reference: Sentence, candidate: Sentence, matches: Ints) -> Row:
    """Return the counts of chosen matches (matches, 5), ordered by their place in the reference."""
    by_module = np.zeros((MODULES, 4))  # content words of candidate, reference; function words
    chunks, end, other_end = 0, NONE, NONE
    for match in matches.tolist():
        sides = (
            (candidate, match[OTHER_START], match[OTHER_LENGTH]),
            (reference, match[START], match[LENGTH]),
        )
        for side, (sentence, start, length) in enumerate(sides):
            function = sum(sentence.is_function[start : start + length])
            by_module[match[MODULE], side] += length - function
            by_module[match[MODULE], 2 + side] += function
        chunks += match[START] != end or match[OTHER_START] != other_end
        end, other_end = match[START] + match[LENGTH], match[OTHER_START] + match[OTHER_LENGTH]
    return (
        float(len(candidate.words)),
        float(len(reference.words)),
        float(sum(candidate.is_function)),
        float(sum(reference.is_function)),
        *by_module.ravel().tolist(),
        float(chunks),
        float(matches[:, OTHER_LENGTH].sum()),
        float(matches[:, LENGTH].sum()),
    )


def phrases_of(sentences: Iterable[Sentence]) -> set[str]:
    """Return every phrase that any of the sentences has."""
    return {phrase for sentence in sentences for phrase in sentence.phrases}
