from tests.tasks.context.making import complete, run, train

from earmark.tasks.context.run.ngrams import ngrams
from earmark.tasks.context.train.ngrams import train_ngrams


def test_the_ngram_floor_has_a_threshold_surprise_and_choices(training, tmp_path):
    card = train(train_ngrams, training, tmp_path / "m", seed=1)
    found = run(ngrams, training, model=tmp_path / "m")
    assert complete(found, training)
    assert all(value.surprise is not None and value.choices for value in found.values())
    nouns = run(ngrams, training, model=tmp_path / "m", nouns=True)
    assert {value.threshold for value in nouns.values()} == {card["threshold_nouns"]}
    assert nouns != found
