"""Agreement of people: Fleiss' kappa, Krippendorff's alpha, Cohen's kappa; intervals of them."""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from earmark.arrays import Floats, Ints
from earmark.stats.bootstrap import resample_weights
from earmark.stats.intervals import NoInterval, ValueRange, resampled_interval
from earmark.stats.rates import proportion
from earmark.values.errors import InputError
from earmark.values.score import Interval

# All three lie between these: -1 if two people never agree on two labels, 1 if all always do.
AGREEMENT_RANGE = ValueRange(-1.0, 1.0)
# How often each group is drawn (resamples, groups) -> the agreement in each resample.
Agreement = Callable[[Ints], Floats]


def label_counts(answers: Iterable[tuple[object, object]]) -> Ints:
    """Return how many chose each label (items, labels), from (item, label) pairs.

    Labels are sorted as texts; 1 and "1" are two labels.

    Examples
    --------
    >>> label_counts([("a", "yes"), ("a", "no"), ("b", "no")]).tolist()
    [[1, 1], [1, 0]]
    """
    pairs = list(answers)
    items = {item: row for row, item in enumerate(dict.fromkeys(item for item, _ in pairs))}
    names = sorted({_name(label) for _, label in pairs})
    labels = {name: column for column, name in enumerate(names)}
    table = np.zeros((len(items), len(labels)), dtype=np.int64)
    rows = [items[item] for item, _ in pairs]
    np.add.at(table, (rows, [labels[_name(label)] for _, label in pairs]), 1)
    return table


def _name(label: object) -> tuple[str, str]:
    return str(label), type(label).__name__


def fleiss_kappa(table: ArrayLike, *, unanimous: int = 0) -> float:
    """Return the agreement beyond chance of people who all answered every item.

    `table` has the number of answers per item and label. `unanimous` further items, which are not
    in the table, got the last label from everybody: so long texts in which most words have the
    same label need no row for each of them.

    Definition
    ----------
    Fleiss 1971: P_j = (sum_k n_jk^2 - m) / (m (m - 1)) for item j with m answers, p_k the share of
    label k, P_e = sum_k p_k^2, kappa = (mean P_j - P_e) / (1 - P_e).

    Undefined
    ---------
    nan with fewer than two answers per item, or when everybody always says the same.

    Examples
    --------
    >>> round(fleiss_kappa([[2, 0], [0, 2], [1, 1]]), 4)
    0.3333
    >>> round(fleiss_kappa([[2, 0], [1, 1]], unanimous=1), 4)
    0.3333
    """
    counts = _as_table(table)  # (items, labels)
    per_item = counts.sum(axis=1)
    if not len(counts) or per_item[0] < 2:
        return math.nan
    if np.any(per_item != per_item[0]):
        raise InputError(
            "Fleiss' kappa needs the same number of answers for every item",
            got=f"{per_item.min()} to {per_item.max()} answers",
            fix="use Krippendorff's alpha, which allows missing answers",
        )
    people = float(per_item[0])
    items = len(counts) + unanimous
    pairs = float(np.sum(counts * counts)) - people * len(counts)
    observed = (pairs / (people * (people - 1)) + unanimous) / items
    shares = counts[:, :-1].sum(axis=0) / (items * people)
    last = 1 - float(shares.sum())
    expected = float(np.sum(shares * shares)) + last * last
    return proportion(observed - expected, of=1 - expected)


def krippendorff_alpha(table: ArrayLike) -> float:
    """Return the agreement beyond chance for unordered labels, with missing answers allowed.

    Definition
    ----------
    Krippendorff 2011, nominal data: alpha = 1 - D_o / D_e over items with at least two answers,
    D_o = sum_j (m_j^2 - sum_k n_jk^2) / (m_j - 1), D_e = (n^2 - sum_k n_k^2) / (n - 1), where item
    j has m_j answers, n_jk of label k, and n = sum_j m_j.

    Undefined
    ---------
    nan when no item has two answers, or when all answers are the same.

    Examples
    --------
    >>> round(krippendorff_alpha([[2, 0], [0, 2], [1, 1], [1, 0]]), 4)
    0.4444
    """
    counts = _paired(_as_table(table))
    per_item = counts.sum(axis=1)
    total = float(per_item.sum())
    if not total:
        return math.nan
    observed = math.fsum(_disagreements(counts))
    per_label = counts.sum(axis=0)
    expected = (total**2 - float(np.sum(per_label * per_label))) / (total - 1)
    return 1 - proportion(observed, of=expected)


def alpha_interval(
    table: ArrayLike,
    groups: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval | NoInterval:
    """Return the interval of Krippendorff's alpha, by resampling items, or groups of them.

    `groups` has the group of every row of the table: windows of one recording are alike, and an
    interval that parts them is too narrow. Rows with fewer than two answers do not count. It is
    `resampled_interval` between -1 and 1; resamples in which all answers are the same have no
    alpha, and are counted as undefined.

    Examples
    --------
    >>> interval = alpha_interval([[3, 0], [0, 3], [3, 0], [1, 2], [0, 3], [2, 1]] * 10)
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.37, 0.7)
    """
    whole = _as_table(table)
    names = _group_names(groups, len(whole))
    rows = np.flatnonzero(whole.sum(axis=1) >= 2).tolist()
    counts = whole[rows]
    own, sums = _by_group([names[row] for row in rows], np.c_[counts, _disagreements(counts)])

    def alpha(weights: Ints) -> Floats:
        drawn = weights @ sums  # (resamples, labels + 1)
        per_label, observed = drawn[:, :-1], drawn[:, -1]
        total = per_label.sum(axis=1)
        expected = total**2 - np.sum(per_label * per_label, axis=1)
        return np.asarray(1 - proportion(observed * (total - 1), of=expected))

    value = krippendorff_alpha(counts)
    return _interval(value, alpha, own, resamples=resamples, seed=seed)


def cohen_kappa(first: Sequence[object], second: Sequence[object]) -> float:
    """Return the agreement beyond chance of two people, who answered the same items.

    Unlike Fleiss' kappa, what two people agree on by chance follows from each one's own shares.

    Definition
    ----------
    Cohen 1960: kappa = (p_o - p_e) / (1 - p_e), p_o the share of items with equal labels, p_e =
    sum_k p_1k p_2k with the share of label k of either person.

    Undefined
    ---------
    nan without items, or when both always say the same one label.

    Examples
    --------
    >>> cohen_kappa(["yes", "yes", "no", "no"], ["yes", "no", "no", "no"])
    0.5
    """
    pairs = _pair_table(first, second)  # (items, labels, labels)
    return float(_cohen(pairs.sum(axis=0)[None])[0])


def cohen_interval(
    first: Sequence[object],
    second: Sequence[object],
    groups: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval | NoInterval:
    """Return the interval of Cohen's kappa, by resampling items, or groups of them."""
    pairs = _pair_table(first, second)
    items, labels = pairs.shape[:2]
    own, sums = _by_group(_group_names(groups, items), pairs.reshape(items, -1))

    def kappa(weights: Ints) -> Floats:
        return _cohen((weights @ sums).reshape(-1, labels, labels))

    return _interval(cohen_kappa(first, second), kappa, own, resamples=resamples, seed=seed)


def _cohen(tables: Floats) -> Floats:
    """Return kappa of each table of one person's labels by the other's; (tables,)."""
    size = tables.sum(axis=(1, 2))
    agreed = np.trace(tables, axis1=1, axis2=2) * size
    by_chance = np.sum(tables.sum(axis=2) * tables.sum(axis=1), axis=1)
    return np.asarray(proportion(agreed - by_chance, of=size**2 - by_chance))


def _pair_table(first: Sequence[object], second: Sequence[object]) -> Floats:
    """Return which labels the two gave each item: 1 at (item, first's, second's), else 0."""
    if len(first) != len(second):
        raise InputError(
            "Cohen's kappa needs both people's answers to the same items",
            got=f"{len(first)} and {len(second)} answers",
            fix="leave out what one of them did not answer",
        )
    names = sorted({_name(label) for label in (*first, *second)})
    place = {name: column for column, name in enumerate(names)}
    pairs = np.zeros((len(first), len(names), len(names)))
    rows, columns = ([place[_name(label)] for label in own] for own in (first, second))
    pairs[np.arange(len(first)), rows, columns] = 1
    return pairs


def _paired(counts: Floats) -> Floats:
    return np.asarray(counts[counts.sum(axis=1) >= 2])


def _disagreements(counts: Floats) -> Floats:
    """Return each item's part of D_o; (items,)."""
    per_item = counts.sum(axis=1)
    return np.asarray((per_item**2 - np.sum(counts * counts, axis=1)) / (per_item - 1))


def _group_names(groups: Sequence[str] | None, items: int) -> Sequence[str]:
    if groups is None:
        return [f"{item:09}" for item in range(items)]
    if len(groups) != items:
        raise InputError("every item needs a group", got=f"{len(groups)} groups for {items} items")
    return groups


def _by_group(names: Sequence[str], rows: Floats) -> tuple[list[str], Floats]:
    """Return the groups, sorted, and the sum of each one's rows: whole groups are drawn."""
    groups = sorted(set(names))
    place = {name: index for index, name in enumerate(groups)}
    sums = np.zeros((len(groups), rows.shape[1]))
    np.add.at(sums, [place[name] for name in names], rows)
    return groups, sums


def _interval(
    value: float, agreement: Agreement, groups: Sequence[str], *, resamples: int, seed: int
) -> Interval | NoInterval:
    """Return the interval of an agreement over these groups, each of them once."""
    if math.isnan(value):
        return NoInterval("the agreement is undefined")
    drawn = resample_weights(groups, resamples=resamples, seed=seed)
    values = np.concatenate([agreement(weights) for weights in drawn])
    return resampled_interval(value, values, groups=len(groups), within=AGREEMENT_RANGE)


def _as_table(table: ArrayLike) -> Floats:
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or not np.all(np.isfinite(counts)) or np.any(counts < 0):
        raise InputError(
            "agreement must be counted from a table of items by labels",
            got=counts.shape if counts.ndim != 2 else f"{counts.min()} to {counts.max()}",
            want="how often each item got each label: 0 or more, no gaps",
        )
    return counts
