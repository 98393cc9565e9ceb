"""Features of nouns from a language model, on a tiny one drawn at random."""

import numpy as np
import pytest
from tests.tasks.context.making import complete, run, train
from tests.text import tiny_llama

from earmark.tasks.context.run.discourse.corpus import passage_arrays
from earmark.tasks.context.run.far.features import FEATURES, language_features
from earmark.tasks.context.run.far.system import discourse_lm
from earmark.tasks.context.train.far import train_discourse_lm
from earmark.tasks.context.values import Passage
from earmark.text.causal_model import load_causal_model
from earmark.values.errors import InputError

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")


@pytest.fixture
def file(tmp_path):
    return tiny_llama.write(tmp_path / "tiny.gguf", tiny_llama.weights())


def passage(text):
    words, offsets, start = text.split(), [], 0
    for word in words:
        offsets.append((start, start + len(word)))
        start += len(word) + 1
    tags = tuple("NN" if word[0] in "cdo" else "IN" for word in words)
    return Passage("a", text, tuple(words), tuple(offsets), tags)


def test_an_earlier_noun_is_tried_in_the_place_of_a_later_one(file):
    model = load_causal_model(file)
    one = passage("the cat saw the dog by the o")
    rows = language_features(model, one, passage_arrays([one]))
    assert rows.shape == (3, len(FEATURES))
    column = {name: rows[:, number] for number, name in enumerate(FEATURES)}
    pieces = [model.first, *model.pieces(one.text)]
    with torch.inference_mode():
        logs = model.network.log_probabilities(model.network.states(torch.tensor([pieces]))[0])
    place, dog = (
        len(model.pieces("the cat saw the dog by the ")),
        len(model.pieces("the cat saw the ")),
    )
    own = float(logs[place, pieces[place + 1]])
    assert column["log p"][2] == pytest.approx(own, abs=1e-4)
    # the pieces of a noun after its first are taken from where it was said
    rest = sum(float(logs[dog + k, pieces[dog + 1 + k]]) for k in (1, 2))
    tried = float(logs[place, model.pieces("d")[0]]) + rest - own
    back = {round(float(column[name][2]), 3) for name in ("back ahead", "back second")}
    assert round(max(tried, -12.0), 3) in back
    assert column["back ahead"][0] == -12
    assert column["nouns so far"].tolist() == pytest.approx(np.log([1, 2, 3]).tolist())


def test_it_learns_from_a_study_and_scores_every_token(file, training, tmp_path):
    out = tmp_path / "weights.npz"
    card = train(train_discourse_lm, training, out, seed=1, model=file)
    assert card["swapped"] > 0
    scores = run(discourse_lm, training, model=file, weights=out)
    assert complete(scores, training)
    assert {one.threshold for one in scores.values()} == {card["threshold"]}


def test_weights_of_another_system_are_refused(training, tmp_path, file):
    from earmark.tasks.context.run.discourse.detector import SHIPPED

    with pytest.raises(InputError, match="another system"):
        run(discourse_lm, training, model=file, weights=SHIPPED)
