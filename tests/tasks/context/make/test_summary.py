import math
from collections import Counter

import pytest

from earmark.tasks.context.make.summary import summarise
from earmark.tasks.context.values import Swap, Swaps


def swap(token, *, frame=20, was=10, now=5, phonetic=None):
    return Swap(token, 0, "ant", "bee", "NN", 0, 3, frame, 1, 2, was, now, phonetic)


def test_the_numbers_of_a_corpus_are_counted_over_all_swaps():
    passages = [
        Swaps(60, (swap(1), swap(4, frame=0, phonetic=0.2)), candidates=4),
        Swaps(40, (swap(2, now=20),), candidates=2, left_out={"no_substitute": 3}),
    ]
    corpus = summarise(passages)
    assert (corpus.passages, corpus.words) == (2, 100)
    assert (corpus.candidates_per_passage, corpus.swaps_per_passage) == (3.0, 1.5)
    assert corpus.share_swapped == pytest.approx(0.03)
    assert corpus.frames == {"20": 2, "sound": 1}
    assert corpus.frequency_ratios == [0.5, 0.5, 2.0]
    assert corpus.left_out == Counter(no_substitute=3)
    assert corpus.distances == {"phonetic": [0.2], "embedding": []}


def test_nothing_swapped_in_nothing_is_undefined():
    corpus = summarise([])
    assert math.isnan(corpus.share_swapped)
    assert math.isnan(corpus.swaps_per_passage)
