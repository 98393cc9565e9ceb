"""Several systems' scores of one metric, paired by item, and what swapping groups does to them."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.score.counting import CountTable
from earmark.score.metric import Metric
from earmark.score.resampling import Counts, in_rows, rater
from earmark.score.sums import GroupSums
from earmark.stats import bootstrap
from earmark.stats.paired import CELLS, SLACK, SwapPatterns, swap_p_values
from earmark.values import checks
from earmark.values.score import Score

Pair = tuple[str, str]
# Groups are left out one by one; above so many they are left out in this many blocks, which costs a
# metric that looks at everything (PSDS) a hundred evaluations and no power.
MOST_BLOCKS = 100
# What groups are called that a caller of Python handed over as a mapping.
UNNAMED = "given"
# Random patterns on which a difference must be the sum of what the groups add to it.
TRIED = 8


@dataclass(frozen=True, eq=False)
class PairedCounts:
    """The counts of systems over the same items, in the same order, with the items' groups."""

    metric: Metric
    names: tuple[str, ...]
    values: Mapping[str, float]
    counts: tuple[Counts, ...]
    groups: tuple[str, ...]  # of each item
    places: Ints  # (items,), the number of its group
    sums: GroupSums | None
    grouped_by: str = ""  # as signatures say it

    @classmethod
    def of(cls, metric: Metric, scores: Mapping[str, Score]) -> "PairedCounts":
        """Pair scores by item; raise InputError if they are not over the same items."""
        first = next(iter(scores.values()))
        for other in scores.values():
            items = tuple(checks.same_items(first.by_item, other.by_item))
        counts = tuple(in_rows(score.by_item, items) for score in scores.values())
        groups = tuple(first.groups.get(item, item) for item in items)
        position = {name: k for k, name in enumerate(sorted(set(groups)))}
        places = np.array([position[group] for group in groups], dtype=np.int64)
        sums = GroupSums.of(metric, counts, places)
        values = {name: score.value for name, score in scores.items()}
        grouped_by = dict(first.signature.options).get("groups", "")
        return cls(metric, tuple(scores), values, counts, groups, places, sums, grouped_by)

    @cached_property
    def group_count(self) -> int:
        """How many groups there are."""
        return len(set(self.groups))

    @property
    def unit(self) -> str:
        """What is swapped: what groups are called if that is a noun, else an item or a group."""
        name = self.grouped_by.partition("@")[0]
        if name.isalpha() and not name.endswith("s") and name != UNNAMED:
            return name
        return "item" if self.group_count == len(self.groups) else "group"

    def resampled(self, *, resamples: int, seed: int) -> dict[str, Floats]:
        """Return each system's value in each resample, (resamples,), drawn alike."""
        rates = [rater(self.metric, counts) for counts in self.counts]
        drawn = bootstrap.resample_weights(self.groups, resamples=resamples, seed=seed)
        blocks = [[rate(weights) for rate in rates] for weights in drawn]
        parts = zip(*blocks, strict=True)
        return {name: np.concatenate(own) for name, own in zip(self.names, parts, strict=True)}

    @cached_property
    def shares(self) -> dict[str, Floats]:
        """What each block of groups contributes to each system's value, (blocks,).

        Contributions are the jackknife's: how far the value falls when the block is left out. They
        are centred so that their mean is the value itself, not the value corrected for bias: two
        systems that are equally good have equal bias, and correcting it adds noise that is largest
        where it hurts (best_f: the level would be .09 instead of .05).
        """
        without = self._left_out()  # (systems, blocks)
        blocks = without.shape[1]
        centred = (blocks - 1) * (without.mean(axis=1, keepdims=True) - without)
        return {
            name: self.values[name] + own for name, own in zip(self.names, centred, strict=True)
        }

    def _left_out(self) -> Floats:
        if self.sums is not None:
            rest = self.sums.rows.sum(axis=1, keepdims=True) - self.sums.rows
            systems, groups, columns = rest.shape
            return self.sums.rate(rest.reshape(-1, columns)).reshape(systems, groups)
        blocks = min(self.group_count, MOST_BLOCKS)
        own = self.places % blocks  # (items,)
        most = max(1, CELLS // len(own))
        parts = []
        for start in range(0, blocks, most):
            left_out = np.arange(start, min(start + most, blocks))[:, None]
            weights = (own != left_out).astype(np.int64)  # (some blocks, items)
            parts.append([rater(self.metric, counts)(weights) for counts in self.counts])
        return np.concatenate([np.array(part) for part in parts], axis=1)

    def p_values(self, pairs: Sequence[Pair], *, least: int, seed: int) -> dict[Pair, float]:
        """Return p of each pair; with at least so many swaps, unless all patterns are fewer."""
        observed = {
            (a, b): (
                self.values[a] - self.values[b],
                max(abs(self.values[a]), abs(self.values[b])),
            )
            for a, b in pairs
        }
        swapped: Swapped
        if not self.metric.poolable:
            swapped = SwappedShares(self.shares)
        elif self.sums is not None:
            swapped = SwappedSums(self.names, self.sums)
        else:
            swapped = SwappedItems.of(self, pairs)
        swaps = SwapPatterns.of(swapped.groups, pairs=len(pairs), least=least, seed=seed)
        return swap_p_values(observed, swapped.differences, swaps, columns=swapped.columns)


@dataclass(frozen=True, slots=True, eq=False)
class SwappedSums:
    """Counts that are rows of numbers: one matrix product per system and block of patterns."""

    names: tuple[str, ...]
    sums: GroupSums

    @property
    def groups(self) -> int:
        """How many groups may swap."""
        return int(self.sums.rows.shape[1])

    @property
    def columns(self) -> int:
        """How many numbers are held per pattern."""
        return len(self.names) * int(self.sums.rows.shape[2])

    def differences(self, block: Bools, pairs: Collection[Pair]) -> dict[Pair, Floats]:
        """Return for each pair the differences, (patterns,), when its systems swap groups."""
        swapped = block.astype(float)  # (patterns, groups)
        own = dict(zip(self.names, self.sums.rows, strict=True))
        moved = {name: swapped @ own[name] for name in {name for pair in pairs for name in pair}}
        total = {name: rows.sum(axis=0) for name, rows in own.items()}
        result = {}
        for a, b in pairs:
            change = moved[b] - moved[a]  # (patterns, columns)
            sides = np.concatenate([total[a] + change, total[b] - change])
            first, second = np.split(self.sums.rate(sides), 2)
            result[a, b] = first - second
        return result


@dataclass(frozen=True, slots=True, eq=False)
class SwappedShares:
    """Raw scores, which cannot be mixed: the groups' contributions to the difference swap signs."""

    shares: Mapping[str, Floats]  # (blocks,) each

    @property
    def groups(self) -> int:
        """How many blocks may swap."""
        return len(next(iter(self.shares.values())))

    @property
    def columns(self) -> int:
        """How many numbers are held per pattern."""
        return len(self.shares)

    def differences(self, block: Bools, pairs: Collection[Pair]) -> dict[Pair, Floats]:
        """Return for each pair the mean contribution, (patterns,), with the signs of a pattern."""
        signs = _signs(block)
        means = {name: signs @ own / len(own) for name, own in self.shares.items()}
        return {(a, b): means[a] - means[b] for a, b in pairs}


@dataclass(frozen=True, slots=True, eq=False)
class SwappedItems:
    """Counts of any other kind: the metric rates the items of both systems with weights 0 and 1.

    A mean over groups is cheaper: `parts` has what each group adds to the difference of a pair,
    where that is so.
    """

    paired: PairedCounts
    parts: Mapping[Pair, Floats]  # (groups,) each

    @classmethod
    def of(cls, paired: PairedCounts, pairs: Sequence[Pair]) -> "SwappedItems":
        """Look which pairs' differences are sums over groups.

        Each group is swapped alone; where some random patterns then give what the sum of those
        effects says, all of them do.
        """
        groups, plain = paired.group_count, cls(paired, {})
        random = next(SwapPatterns(groups, TRIED, is_exact=False).blocks())
        rows = np.vstack([np.zeros((1, groups), bool), np.eye(groups, dtype=bool), random])
        most = max(1, CELLS // plain.columns)
        blocks = [rows[start : start + most] for start in range(0, len(rows), most)]
        parts = {}
        for pair in pairs:
            values = np.concatenate([plain.differences(block, [pair])[pair] for block in blocks])
            own = (values[0] - values[1 : groups + 1]) / 2
            size = max(abs(paired.values[name]) for name in pair)
            expected = _signs(rows) @ own
            if np.allclose(values, expected, rtol=0, atol=SLACK / 10 * size):
                parts[pair] = own
        return cls(paired, parts)

    @property
    def groups(self) -> int:
        """How many groups may swap."""
        return self.paired.group_count

    @property
    def columns(self) -> int:
        """How many numbers are held per pattern."""
        return 4 * len(self.paired.places)

    def differences(self, block: Bools, pairs: Collection[Pair]) -> dict[Pair, Floats]:
        """Return for each pair the differences, (patterns,), when its systems swap groups."""
        signs = _signs(block)
        result = {pair: signs @ self.parts[pair] for pair in pairs if pair in self.parts}
        rest = [pair for pair in pairs if pair not in self.parts]
        if not rest:
            return result
        counts = dict(zip(self.paired.names, self.paired.counts, strict=True))
        swapped = block[:, self.paired.places].astype(np.int64)  # (patterns, items)
        both = np.hstack([1 - swapped, swapped]), np.hstack([swapped, 1 - swapped])
        for a, b in rest:
            rate = rater(self.paired.metric, _both(counts[a], counts[b]))
            result[a, b] = rate(both[0]) - rate(both[1])
        return result


def _signs(block: Bools) -> Floats:
    """Return -1 for a group that swaps and 1 for one that stays, (patterns, groups)."""
    return np.where(block, -1.0, 1.0)


Swapped = SwappedSums | SwappedShares | SwappedItems


def _both(first: Counts, second: Counts) -> Counts:
    if isinstance(first, CountTable) and isinstance(second, CountTable):
        return first.joined(second)
    return [*first, *second]


def spread_of(first: Floats, second: Floats, groups: int) -> float:
    """Return the standard deviation of a group's contribution to the difference; nan below two.

    The standard error of the difference is this over the square root of the number of groups.
    """
    blocks = len(first)
    if blocks < 2:
        return math.nan
    return float(np.std(first - second, ddof=1) * math.sqrt(groups / blocks))
