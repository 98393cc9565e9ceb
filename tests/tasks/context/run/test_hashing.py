import numpy as np

from earmark.tasks.context.run.hashing import combine, word_hash


def test_a_hash_of_several_words_keeps_their_order():
    one, two = np.uint64(word_hash("a")), np.uint64(word_hash("b"))
    assert combine(one, two) != combine(two, one)
