"""Where a text's probabilities are cut."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from earmark.tasks.boundaries.run.promise import promising_threshold

PROBABILITIES = st.lists(
    st.sampled_from([0.0, 0.1, 0.25, 0.4, 0.5, 0.7, 0.9]), min_size=1, max_size=7
)


def test_a_text_on_which_the_network_is_less_sure_is_cut_lower() -> None:
    sure = np.array([0.02, 0.95, 0.05, 0.4, 0.03, 0.97, 0.01] * 20)
    unsure = np.array([0.1, 0.55, 0.15, 0.4, 0.12, 0.5, 0.1] * 20)
    assert promising_threshold(unsure) < promising_threshold(sure)


def test_one_sentence_is_not_cut_because_nothing_in_it_is_sure() -> None:
    probabilities = np.array([0.01, 0.02, 0.08, 0.02, 0.6])
    assert promising_threshold(probabilities) > 0.08


def test_a_text_without_words_has_no_ends() -> None:
    assert promising_threshold(np.zeros(0)) == 1.0


@given(PROBABILITIES)
def test_no_other_number_of_ends_promises_more(probabilities: list[float]) -> None:
    values = np.array(probabilities)
    values[-1] = 1.0

    def promise(marked: tuple[int, ...]) -> float:
        hits = values[list(marked)].sum()
        return float(2 * hits / (len(marked) + values.sum()))

    chosen = tuple(np.flatnonzero(values >= promising_threshold(np.array(probabilities))))
    sets = (
        marked
        for size in range(1, len(values) + 1)
        for marked in itertools.combinations(range(len(values)), size)
    )
    assert promise(chosen) >= max(map(promise, sets)) - 1e-12
