"""Paired tests by swapping, and Holm's correction, against values worked by hand."""

import itertools
import math
from collections.abc import Collection, Mapping

import numpy as np
import pytest

from earmark.arrays import Bools, Floats
from earmark.stats import paired
from earmark.stats.paired import SwapPatterns, holm, least_groups, least_p, swap_p_values


def p_of(differences: list[float], swaps: SwapPatterns, size: float = 1.0) -> float:
    """Return p of a mean difference, whose groups add up."""
    own = np.array(differences)

    def swapped(block: Bools, pairs: Collection[str]) -> Mapping[str, Floats]:
        return {pair: np.where(block, -1.0, 1.0) @ own for pair in pairs}

    return swap_p_values({"pair": (float(own.sum()), size)}, swapped, swaps)["pair"]


def test_few_groups_are_swapped_in_every_way_and_p_is_exact() -> None:
    """Three groups with differences 3, 2, 1: only none and all swapped give 6, so 2 of 8."""
    assert p_of([3, 2, 1], SwapPatterns.of(3)) == 2 / 8
    assert p_of([3, 2, -1], SwapPatterns.of(3)) == 4 / 8  # 4 or more: +4, -4, +6, -6


def test_all_patterns_agree_with_a_list_of_them() -> None:
    own = np.random.default_rng(3).normal(0.4, 1, size=9)
    signs = np.array(list(itertools.product([1, -1], repeat=9)))
    expected = np.mean(np.abs(signs @ own) >= abs(own.sum()) - 1e-12)
    assert p_of(own.tolist(), SwapPatterns.of(9)) == expected


def test_random_swaps_are_as_many_as_the_pairs_need() -> None:
    """With 105 pairs the smallest p must reach .05 / 105; a tenth of it can be reached."""
    swaps = SwapPatterns.of(200, pairs=105)
    assert not swaps.is_exact and 105 / (swaps.patterns + 1) < 0.005
    assert SwapPatterns.of(200, pairs=1, least=1000).patterns == 1000
    assert SwapPatterns.of(13).is_exact and not SwapPatterns.of(14).is_exact
    assert SwapPatterns.of(
        15, pairs=105
    ).is_exact  # 16,384 patterns are fewer than 21,000 random ones


def test_random_swaps_count_the_observed_arrangement_and_never_give_0() -> None:
    assert p_of([1.0] * 40, SwapPatterns.of(40, least=999)) == pytest.approx(1 / 1000)


def test_random_swaps_end_early_where_nothing_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    own = np.random.default_rng(1).normal(0.1, 1, size=40)
    short = p_of(own.tolist(), SwapPatterns.of(40, least=50_000))
    monkeypatch.setattr(paired, "ENOUGH", 10**9)
    assert short == pytest.approx(p_of(own.tolist(), SwapPatterns.of(40, least=50_000)), rel=0.3)


def test_blocks_hold_every_pattern_once_however_small_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = np.vstack(list(SwapPatterns.of(6).blocks()))
    assert len({tuple(row) for row in whole.tolist()}) == len(whole) == 32
    assert not whole[:, 5].any() and not whole[0].any()
    random = np.vstack(list(SwapPatterns(20, 70, is_exact=False, seed=4).blocks()))
    assert (np.vstack(list(SwapPatterns(20, 70, is_exact=False, seed=5).blocks())) != random).any()
    monkeypatch.setattr(paired, "CELLS", 65)
    assert (np.vstack(list(SwapPatterns.of(6).blocks(columns=13))) == whole).all()
    assert (np.vstack(list(SwapPatterns(20, 70, is_exact=False, seed=4).blocks())) == random).all()


def test_ties_are_equal_within_rounding_of_the_values_they_come_from() -> None:
    """Sums near 8100 are right to about 1e-12: equal differences must count as equal."""
    noisy = [1.0, 1.0 + 2e-12, 1.0 - 3e-12, 1.0, 1.0 - 1e-12]

    def swapped(block: Bools, pairs: Collection[str]) -> Mapping[str, Floats]:
        rounding = np.random.default_rng(0).normal(0, 1e-12, len(block))
        return {"pair": np.where(block, -1.0, 1.0) @ np.array(noisy) - rounding}

    assert swap_p_values({"pair": (5.0, 8100.0)}, swapped, SwapPatterns.of(5))["pair"] == 2 / 32


def test_an_undefined_swap_counts_as_large_and_an_undefined_difference_has_no_p() -> None:
    def swapped(block: Bools, pairs: Collection[str]) -> Mapping[str, Floats]:
        values = np.full(len(block), 0.1)
        values[-1] = math.nan
        return dict.fromkeys(pairs, values)

    p_values = swap_p_values({"a": (0.5, 1.0), "b": (math.nan, 1.0)}, swapped, SwapPatterns.of(3))
    assert p_values["a"] == 1 / 4 and math.isnan(p_values["b"])


def test_from_six_groups_on_two_systems_can_be_separated() -> None:
    assert least_p(5) > 0.05 >= least_p(6) and least_groups(1) == 6
    for pairs in (1, 3, 45, 105, 1225):
        groups = least_groups(pairs)
        assert least_p(groups) * pairs <= 0.05 < least_p(groups - 1) * pairs


def test_holm_worked_by_hand_and_nan_stays() -> None:
    """Three tests: .01 x 3, .03 x 2, then .04 x 1 raised to the one before it."""
    corrected = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": math.nan})
    assert [corrected[k] for k in "abc"] == pytest.approx([0.03, 0.06, 0.06])
    assert math.isnan(corrected["d"])
