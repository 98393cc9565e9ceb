"""What is counted of one passage: ranked tokens, and preferences between two words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Bools, Floats, Ints
from earmark.tasks.context.score.curve import PrecisionRecallCurve
from earmark.tasks.context.values import Flags, Range, Scores, Swaps
from earmark.values.counts import Hits
from earmark.values.errors import InputError

Side = Swaps | Flags
# Upper limits of the bins in which preferences are reported: nouns since the last mention (10 is
# the corruption's window) and times that the original is in the corpus (powers of ten).
DISTANCES = (1, 3, 6, 10)
COUNTS = (9, 99, 999)


@dataclass(frozen=True)
class RankedTokens:
    """Tokens with a score and a label, passage by passage; they add by lying side by side."""

    scores: tuple[Floats, ...] = ()  # (tokens,) for each passage
    labels: tuple[NDArray[np.int8], ...] = ()  # (tokens,) for each passage

    def __add__(self, other: "RankedTokens") -> "RankedTokens":
        return RankedTokens(self.scores + other.scores, self.labels + other.labels)

    @cached_property
    def curve(self) -> PrecisionRecallCurve:
        """Every cut between distinct scores."""
        if not self.scores:
            return PrecisionRecallCurve.of([], [])
        return PrecisionRecallCurve.of(np.concatenate(self.scores), np.concatenate(self.labels))


@dataclass(frozen=True, slots=True)
class Preferences:
    """How often the original was preferred, in all and by distance and frequency.

    The cells hold pairs of (preferred, compared): first over everything, then for each bin of the
    distance to the last mention, then for each bin of the original's frequency.
    """

    cells: tuple[float, ...] = (0.0,) * (2 * (3 + len(DISTANCES) + len(COUNTS)))

    def __add__(self, other: "Preferences") -> "Preferences":
        return Preferences(tuple(a + b for a, b in zip(self.cells, other.cells, strict=True)))

    def row(self) -> tuple[float, ...]:
        """Return the cells."""
        return self.cells

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> "Preferences":
        """Return the tally of a row."""
        return cls(tuple(row))


def seen_by_both(reference: Side, output: Side | Scores) -> list[Range]:
    """Return the ranges of tokens that both sides judged; raise InputError if lengths differ."""
    if reference.length != output.length:
        raise InputError(
            "there must be one score for every token",
            got=f"{output.length} scores, {reference.length} labels",
            want="the same tokens on both sides",
            fix="score the tokens that the passage was made with",
        )
    shown = output.seen if not isinstance(output, Scores) else ((0, output.length),)
    both = [(max(a, c), min(b, d)) for a, b in reference.seen for c, d in shown]
    return sorted((low, high) for low, high in both if low < high)


def rank_tokens(reference: Side, output: Side | Scores) -> RankedTokens:
    """Return the tokens of one passage as a ranking; a person's marks are scores of 1 and 0."""
    ranges = seen_by_both(reference, output)
    scores = np.asarray(output.scores if isinstance(output, Scores) else output.labels, float)
    labels = np.asarray(reference.labels, np.int8)
    parts = [np.arange(low, high) for low, high in ranges]
    tokens = np.concatenate(parts) if parts else np.empty(0, int)
    return RankedTokens((scores[tokens],), (labels[tokens],))


def flag_tokens(reference: Side, output: Side | Scores, *, threshold: float | None) -> Hits:
    """Count the tokens flagged from the threshold up, by default the output's own.

    A person's marks count as they are. nan when there is no threshold at all.
    """
    ranked = rank_tokens(reference, output)
    cut = threshold if threshold is not None else 0.5
    if isinstance(output, Scores) and threshold is None:
        if output.threshold is None:
            return Hits(np.nan, np.nan, np.nan)
        cut = output.threshold
    flagged, marked = ranked.scores[0] >= cut, ranked.labels[0] == 1
    right = int(np.sum(flagged & marked))
    return Hits(right, int(marked.sum()) - right, int(flagged.sum()) - right)


def prefer(reference: Side, output: Side | Scores) -> Preferences:
    """Count the places where the original was preferred; a tie counts half."""
    if not isinstance(output, Scores) or not isinstance(reference, Swaps):
        return Preferences()
    total = Preferences()
    choices = {choice.at: choice for choice in output.choices}
    for swap in reference.swaps:
        choice = choices.get(swap.at)
        if choice is None:
            continue
        ahead = choice.first - choice.second
        if swap.now < swap.was:
            ahead = -ahead
        right = 0.5 if ahead == 0 else float(ahead > 0)
        total += _placed(right, swap.nouns_back, swap.count_was)
    return total


def _placed(right: float, nouns_back: int, count: int) -> Preferences:
    cells = list(Preferences().cells)
    distance = sum(nouns_back > limit for limit in DISTANCES)
    frequency = sum(count > limit for limit in COUNTS)
    for place in (0, 1 + distance, 2 + len(DISTANCES) + frequency):
        cells[2 * place] += right
        cells[2 * place + 1] += 1
    return Preferences(tuple(cells))


class TokenGroups(NamedTuple):
    """Tokens of one passage with one score together, from the highest score down; (groups,) each.

    The number of the passage, how many tokens and how many positives a group has, and whether a
    threshold may lie after it.
    """

    passage: Ints
    sizes: Ints
    positives: Ints
    cuts: Bools


def group_tokens(counts: Sequence[RankedTokens]) -> TokenGroups:
    """Return the tokens of all passages, sorted once for all resamples."""
    scores = np.concatenate([s for tally in counts for s in tally.scores])
    labels = np.concatenate([lab for tally in counts for lab in tally.labels])
    lengths = [sum(len(s) for s in tally.scores) for tally in counts]
    passage = np.repeat(np.arange(len(counts)), lengths)
    level = np.unique(-scores, return_inverse=True)[1]
    groups, index = np.unique(level * len(counts) + passage, return_inverse=True)
    sizes = np.bincount(index, minlength=len(groups))
    positives = np.bincount(index, labels, minlength=len(groups)).astype(np.int64)
    cuts = np.append(np.diff(groups // len(counts)) != 0, True)[: len(groups)]
    return TokenGroups(groups % len(counts), sizes, positives, cuts)
