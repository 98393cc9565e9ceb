import math

import pytest
from tests.tasks.context.making import TINY, train


@pytest.mark.shared
def test_the_survey_of_the_paper_comes_out_at_28_53_percent(shared):
    from earmark.tasks.context import survey
    from earmark.tasks.context.papers import papers

    found = survey(shared / "data" / "context" / "human_baseline.json")
    assert math.floor(found["macro"] * 10000) / 100 == 28.53
    assert found["micro"] == pytest.approx(0.2914, abs=5e-5)
    assert any("macro mean 28.536 %" in line for line in papers(shared / "data" / "context"))


@pytest.mark.shared
def test_the_models_are_scored_on_the_ten_sentences_of_the_survey(shared):
    from earmark.tasks.context.papers import survey_sentences

    labelled = survey_sentences(shared / "data" / "context" / "human_baseline.json")
    assert len(labelled.passages) == 10
    assert sum(map(sum, labelled.labels)) == 11


def test_trained_networks_are_scored_on_the_sentences_where_they_lie_beside_them(
    training, tmp_path
):
    from earmark.tasks.context.papers import network_scores
    from earmark.tasks.context.train.examples import split_training
    from earmark.tasks.context.train.lstm import train_classifier, train_language_model

    labelled = split_training(training, None).held_out
    assert list(network_scores(labelled, tmp_path)) == []
    train(train_classifier, training, tmp_path / "classifier.npz", seed=1, epochs=1, **TINY)
    assert [name for name, _ in network_scores(labelled, tmp_path)] == ["classifier"]
    out = tmp_path / "language-model.npz"
    train(train_language_model, training, out, seed=1, epochs=1, **TINY)
    scores = dict(network_scores(labelled, tmp_path))
    everything = sum(map(sum, labelled.labels)) / sum(map(len, labelled.labels))
    floor = 2 * everything / (1 + everything)  # marking all words
    assert all(floor <= best <= 1 for best in scores.values()) and len(scores) == 2
