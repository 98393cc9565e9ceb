"""Agreement of people: Fleiss' kappa and Krippendorff's alpha, from counts, in linear time."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from earmark.arrays import Floats, Ints
from earmark.stats.rates import proportion
from earmark.values.errors import InputError


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
    counts = _as_table(table)
    counts = counts[counts.sum(axis=1) >= 2]
    per_item = counts.sum(axis=1)
    total = float(per_item.sum())
    if not total:
        return math.nan
    disagreements = per_item**2 - np.sum(counts * counts, axis=1)
    observed = math.fsum(disagreements / (per_item - 1))
    per_label = counts.sum(axis=0)
    expected = (total**2 - float(np.sum(per_label * per_label))) / (total - 1)
    return 1 - proportion(observed, of=expected)


def _as_table(table: ArrayLike) -> Floats:
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or not np.all(np.isfinite(counts)) or np.any(counts < 0):
        raise InputError(
            "agreement must be counted from a table of items by labels",
            got=counts.shape if counts.ndim != 2 else f"{counts.min()} to {counts.max()}",
            want="how often each item got each label: 0 or more, no gaps",
        )
    return counts
