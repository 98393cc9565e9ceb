import math

import pytest


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
