"""What a speaker's test clips are to be, before any sound is read.

Each kind of clip is planned by one function. They draw from one generator in the order of
`plan_clips`; changing that order, or the order of draws within a function, changes every
challenge that was ever made with a seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.tasks.keywords.make.options import TrialOptions
from earmark.tasks.keywords.make.recordings import Words

# The two ways of making a near miss, used in turn.
CUT_SHORT, HALVES_SWAPPED = "cut short", "halves swapped"


@dataclass(frozen=True, slots=True)
class ClipPlan:
    """One test clip to come: files to splice in order, and how the last is distorted, if it is.

    `in_one_breath` is whether no pause lies between the files.
    """

    kind: str
    files: tuple[Path, ...]
    is_target: bool = False
    near_miss: str = ""
    in_one_breath: bool = False


@dataclass(frozen=True, slots=True)
class ClipSources:
    """The recordings that one speaker's test clips are drawn from."""

    keyword: Sequence[Path]  # the speaker's keyword, without the recordings of the enrolment
    own_words: Sequence[Path]  # the speaker's other words
    impostors: Sequence[Path]  # the keyword, by other speakers
    strangers: Sequence[Path]  # other words, by other speakers

    @classmethod
    def of(
        cls, own: Words, others: Mapping[str, Words], keyword: str, spare: Sequence[Path]
    ) -> "ClipSources":
        """Sort all recordings by who says what; `spare` are those of the keyword to test with."""
        return cls(
            keyword=spare,
            own_words=_without(own, keyword),
            impostors=[path for words in others.values() for path in words.get(keyword, ())],
            strangers=[path for words in others.values() for path in _without(words, keyword)],
        )


def _without(words: Words, keyword: str) -> list[Path]:
    return [path for word, paths in words.items() if word != keyword for path in paths]


def plan_clips(
    sources: ClipSources, options: TrialOptions, rng: np.random.Generator
) -> list[ClipPlan]:
    """Return all test clips of a speaker, kind by kind."""
    return [
        *_positives(sources, options.positives, rng),
        *_own_words(sources, options.own_words, rng),
        *_impostors(sources, options.impostors, rng),
        *_strangers(sources, options.strangers, rng),
        *_near_misses(sources, options.near_misses, rng),
        *_longer_phrases(sources, options.longer_phrases, rng),
    ]


def _draw(paths: Sequence[Path], rng: np.random.Generator) -> Path:
    return paths[int(rng.integers(len(paths)))]


def _lead(number: int, paths: Sequence[Path], rng: np.random.Generator) -> tuple[Path, ...]:
    """Return a recording to splice in front of every second clip, if there is any to draw."""
    return (_draw(paths, rng),) if number % 2 and paths else ()


def _positives(sources: ClipSources, count: int, rng: np.random.Generator) -> Iterator[ClipPlan]:
    """Plan the keyword by its speaker, alone or after another of the speaker's words."""
    for number in range(count):
        lead = _lead(number, sources.own_words, rng)
        keyword = sources.keyword[number % len(sources.keyword)]
        yield ClipPlan("keyword after a word" if lead else "keyword", (*lead, keyword), True)


def _own_words(sources: ClipSources, count: int, rng: np.random.Generator) -> Iterator[ClipPlan]:
    """Plan one or two other words of the speaker."""
    for number in range(count if sources.own_words else 0):
        lead = _lead(number, sources.own_words, rng)
        yield ClipPlan("own words", (*lead, _draw(sources.own_words, rng)))


def _impostors(sources: ClipSources, count: int, rng: np.random.Generator) -> Iterator[ClipPlan]:
    """Plan the keyword by another speaker, alone or after a stranger's word."""
    for number in range(count if sources.impostors else 0):
        lead = _lead(number, sources.strangers, rng)
        yield ClipPlan("impostor", (*lead, _draw(sources.impostors, rng)))


def _strangers(sources: ClipSources, count: int, rng: np.random.Generator) -> Iterator[ClipPlan]:
    """Plan another word by another speaker."""
    for _ in range(count if sources.strangers else 0):
        yield ClipPlan("stranger", (_draw(sources.strangers, rng),))


def _near_misses(sources: ClipSources, count: int, rng: np.random.Generator) -> Iterator[ClipPlan]:
    """Plan the speaker's own keyword, distorted in the two ways in turn."""
    for number in range(count):
        way = (CUT_SHORT, HALVES_SWAPPED)[number % 2]
        yield ClipPlan(f"near miss, {way}", (_draw(sources.keyword, rng),), near_miss=way)


def _longer_phrases(
    sources: ClipSources, count: int, rng: np.random.Generator
) -> Iterator[ClipPlan]:
    """Plan phrases of the speaker that begin with the keyword and go on."""
    for _ in range(count if sources.own_words else 0):
        files = (_draw(sources.keyword, rng), _draw(sources.own_words, rng))
        yield ClipPlan("longer phrase", files, in_one_breath=True)
