from tests.tasks.context.making import TINY, complete, run, train

from earmark.tasks.context.run.classifier import classifier
from earmark.tasks.context.train.lstm import train_classifier


def test_the_classifier_is_trained_kept_and_run(training, tmp_path):
    card = train(train_classifier, training, tmp_path / "m", seed=1, epochs=1, **TINY)
    found = run(classifier, training, model=tmp_path / "m")
    assert complete(found, training)
    assert all(0 <= s <= 1 for value in found.values() for s in value.scores)
    assert {value.threshold for value in found.values()} == {card["threshold"]}


def test_the_same_seed_trains_the_same_model(training, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(train_classifier, training, tmp_path / name, seed=seed, epochs=0.3, **TINY)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


def test_torch_keeps_its_threads_and_its_generator(training, tmp_path):
    import torch

    torch.set_num_threads(2)
    state = torch.random.get_rng_state()
    train(train_classifier, training, tmp_path / "m", seed=1, epochs=0.1, **TINY)
    run(classifier, training, model=tmp_path / "m")
    assert torch.get_num_threads() == 2
    assert torch.equal(torch.random.get_rng_state(), state)
