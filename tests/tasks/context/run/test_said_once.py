"""The rule that learns nothing."""

from earmark.tasks.context.run.said_once import said_once_scores
from earmark.tasks.context.values import Passage


def passage(name, *words):
    text = " ".join(words)
    offsets: list[tuple[int, int]] = []
    for word in words:
        start = offsets[-1][1] + 1 if offsets else 0
        offsets.append((start, start + len(word)))
    return Passage(name, text, words, tuple(offsets), ("NN",) * len(words))


def test_a_noun_said_once_counts_as_often_as_others_repeat_it():
    first = passage("a", "dog", "dog", "dog", "cat")
    second = passage("b", "dog", "cat", "cat", "owl")
    scores = [part.tolist() for part in said_once_scores([first, second])]
    # cat is said once in the first and twice in the one other passage that has it
    assert scores == [[0, 0, 0, 2], [3, 0, 0, 0]]
