from earmark.tasks.captions.score.fluency.features import stem, words_and_commas
from earmark.tasks.captions.score.fluency.trigrams import TrigramModel, shape


def test_ngrams_that_were_seen_are_likelier():
    model = TrigramModel.count([["a", "dog", "barks"], ["a", "dog", "runs"]])
    assert model.log_probabilities(["a", "dog"])[1] > model.log_probabilities(["dog", "a"])[1]
    assert len(model.pruned(2).times) < len(model.times)


def test_words_have_shapes_and_stems():
    assert shape("barking") == "-ing"
    assert stem("revving") == stem("revs")
    assert words_and_commas("Rain, rain.") == ("rain", ",", "rain")
