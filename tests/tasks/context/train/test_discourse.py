import pytest

from earmark.task.task import Training
from earmark.tasks.context.run.discourse.detector import SHIPPED, load
from earmark.tasks.context.train.discourse import cross_trained, with_thresholds
from earmark.tasks.context.train.examples import labelled_passages
from earmark.values.errors import InputError


def test_choosing_thresholds_leaves_the_detector_as_it_was(training):
    detector = load(SHIPPED)
    before = dict(detector.thresholds)
    held_out = labelled_passages(training.items[:3], training.reference.values)
    chosen = with_thresholds(detector, held_out)
    assert dict(detector.thresholds) == before
    assert dict(chosen.thresholds) != before
    assert chosen.trees is detector.trees


@pytest.mark.slow
def test_every_passage_is_scored_by_one_detector(training):
    scored = [p.id for _, passages in cross_trained(training, seed=1) for p in passages]
    assert sorted(scored) == sorted(item.id for item in training.items)


def test_fewer_than_five_documents_are_too_few_to_learn_within_a_study(training):
    few = Training(training.items[:4], training.reference)
    with pytest.raises(InputError, match="at least five documents"):
        next(cross_trained(few, seed=1))
