import pytest
from tests.tasks.context.making import run, train

from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.classifier import classifier
from earmark.tasks.context.run.discourse.system import discourse
from earmark.tasks.context.run.ngrams import ngrams
from earmark.tasks.context.train.ngrams import train_ngrams
from earmark.values.errors import InputError


def test_a_model_of_another_system_or_none_is_refused(training, tmp_path):
    train(train_ngrams, training, tmp_path / "m", seed=1)
    with pytest.raises(InputError, match="the model belongs to another system"):
        run(discourse, training, model=tmp_path / "m")
    with pytest.raises(InputError, match="there is no model here"):
        run(ngrams, training, model=tmp_path / "nothing")
    with pytest.raises(InputError, match="classifier needs a trained model"):
        run(classifier, training)
    (tmp_path / "junk").write_bytes(b"junk")
    with pytest.raises(InputError, match="the file is no model of this task"):
        model_file.load(tmp_path / "junk", system="ngrams")
