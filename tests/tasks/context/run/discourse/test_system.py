import pytest
from tests.tasks.context.making import complete, run, train

from earmark.task.task import Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.discourse.system import discourse, local
from earmark.tasks.context.train.discourse import train_discourse
from earmark.values.errors import InputError


def test_the_detector_is_trained_kept_and_run(training, tmp_path):
    card = train(train_discourse, training, tmp_path / "m", seed=1, trees=20)
    near, far = (run(s, training, model=tmp_path / "m") for s in (local, discourse))
    assert complete(near, training)
    assert complete(far, training)
    assert near != far
    assert next(iter(far.values())).threshold == card["thresholds"]["all"]
    assert next(iter(near.values())).threshold == card["thresholds"]["local"]


def test_the_detector_is_the_same_for_the_same_seed(training, tmp_path):
    for name, trees in (("a", 10), ("b", 10), ("c", 11)):
        train(train_discourse, training, tmp_path / name, seed=1, trees=trees)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


def test_the_shipped_detector_needs_no_training(training):
    assert complete(run(discourse, training), training)


def test_the_other_passages_of_a_study_are_learnt_from_unless_a_passage_is_judged_alone(training):
    together, alone = (run(discourse, training, alone=yes) for yes in (False, True))
    assert complete(alone, training)
    assert together != alone
    one = Training(training.items[:1], training.reference)
    (item,) = (item.id for item in one.items)
    assert run(discourse, one, alone=True)[item] == alone[item]


def test_a_model_of_other_features_is_refused(training, tmp_path):
    train(train_discourse, training, tmp_path / "m.npz", seed=1, trees=2)
    card, arrays = model_file.load(tmp_path / "m.npz", system="discourse")
    model_file.save(tmp_path / "old.npz", {**card, "features": 1}, arrays)
    with pytest.raises(InputError, match="other features"):
        run(discourse, training, model=tmp_path / "old.npz")


@pytest.mark.slow
def test_the_discourse_helps_when_the_detector_learns_within_a_study(training):
    from earmark.score.evaluate import evaluate
    from earmark.tasks.context import best_f

    value = {}
    for system in (local, discourse):
        found = {o.item: o.value for o in system(training.items, train_on=training, seed=1)}
        value[system] = evaluate(best_f(), training.reference.values, found, resamples=0).value
    assert value[discourse] > value[local] + 0.1
    assert value[discourse] > 0.3
