from dataclasses import replace

from tests.tasks.context.making import complete, run, train

from earmark.task.task import Training
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


def test_a_word_that_the_model_does_not_know_has_no_rank(training, tmp_path):
    train(train_ngrams, training, tmp_path / "m", seed=1)
    item = training.items[0]
    revealed = replace(item, details={**item.details, "choices": [[3, "the", "zyzzyva"]]})
    found = run(ngrams, Training((revealed,), training.reference), model=tmp_path / "m")
    (choice,) = found[item.id].choices
    assert choice.first > choice.second
    assert choice.rank_first is not None and choice.rank_second is None
