from earmark.tasks.context.run.vocabulary_ranks import vocabulary_ranks
from earmark.tasks.context.values import Choice, Scores, Swap, Swaps
from earmark.values.output import Output


def test_ranks_come_from_a_system_that_compared_both_words():
    swaps = tuple(
        Swap(at, 0, was, now, "NN", 0, 1, 20, 1, 2, 3, 4)
        for at, was, now in ((0, "ant", "bee"), (1, "bee", "ant"))
    )
    choices = (Choice(0, -1, -2, 0.9, 0.4), Choice(1, -1, -2, 0.8, 0.3), Choice(2, -1, -2, 0.1, 0))
    outputs = {"mine": {"a": Output("mine", "a", Scores((0.0,) * 3, choices=choices))}}
    ranks = vocabulary_ranks((), {"a": Swaps(3, swaps)}, outputs)
    # words are offered in alphabetical order: at token 1 the original is the second
    assert ranks.model == "system mine"
    assert (ranks.originals, ranks.substitutes) == ([0.9, 0.3], [0.4, 0.8])


def test_without_such_a_system_trigrams_of_the_other_half_rank_the_words(training):
    ranks = vocabulary_ranks(training.items, training.reference.values, {})
    assert ranks.model == "trigram model of the other passages"
    assert len(ranks.originals) == len(ranks.substitutes) > 0
    assert all(0 <= rank <= 1 for rank in (*ranks.originals, *ranks.substitutes))
