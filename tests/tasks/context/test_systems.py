import json
import math

import numpy as np
import pytest

from earmark.task.task import Training
from earmark.tasks.context.make.corrupted import make_corrupted
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.choosing import offered
from earmark.tasks.context.run.classifier import classifier, train_classifier
from earmark.tasks.context.run.discourse.corpus import flatten, mix, word_key
from earmark.tasks.context.run.discourse.system import discourse, local, train_discourse
from earmark.tasks.context.run.language_model import language_model, train_language_model
from earmark.tasks.context.run.ngrams import count, ngrams, surprises, train_ngrams
from earmark.tasks.context.run.pretrained import pretrained
from earmark.tasks.context.train.examples import lesson, told
from earmark.tasks.context.values import Flags, Passage
from earmark.values.errors import InputError
from earmark.values.reference import Reference

TINY = {"vocabulary": 500, "embedding": 8, "units": 12, "longest": 20}


@pytest.fixture(scope="module")
def training(talks):
    made = list(make_corrupted(text=talks, seed=3, swaps=5, reveal=True))
    truth = Reference("truth", {m.item.id: m.truth for m in made})
    return Training(tuple(m.item for m in made), truth)


def run(system, training, **options):
    return {o.item: o.value for o in system(training.items, train_on=None, seed=1, **options)}


def complete(found, training):
    return all(found[i.id].length == len(Passage.of(i).tokens) for i in training.items)


def test_the_classifier_is_trained_kept_and_run(training, tmp_path):
    card = train_classifier(training, out=tmp_path / "m", seed=1, epochs=1, **TINY)
    found = run(classifier, training, model=tmp_path / "m")
    assert complete(found, training)
    assert all(0 <= s <= 1 for value in found.values() for s in value.scores)
    assert {value.threshold for value in found.values()} == {card["threshold"]}


def test_the_same_seed_trains_the_same_model(training, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train_classifier(training, out=tmp_path / name, seed=seed, epochs=0.3, **TINY)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


@pytest.mark.parametrize("softmax", ["adaptive", "sampled", "full"])
def test_the_language_model_learns_with_each_softmax(training, tmp_path, softmax):
    card = train_language_model(
        training, out=tmp_path / "m", seed=1, epochs=40, softmax=softmax, **TINY
    )
    assert card["losses"][-1] < card["losses"][0] - 0.3
    found = run(language_model, training, model=tmp_path / "m")
    assert complete(found, training)
    surprise = [s for value in found.values() for s in value.surprise]
    assert 2 < math.exp(np.mean(surprise)) < card["shape"]["vocabulary"]
    places = sum(len(value.choices) for value in found.values())
    assert places == sum(len(t.swaps) for t in training.reference.values.values())
    assert all(0 <= c.rank_first <= 1 for value in found.values() for c in value.choices)


def test_probabilities_of_the_language_model_sum_to_one():
    import torch

    from earmark.tasks.context.run import lstm, predicting

    for softmax in ("adaptive", "sampled", "full"):
        net = predicting.build(lstm.Shape(50, 4, 6, 10), softmax)
        logs = net.head.log_prob(torch.randn(3, 6))
        assert torch.exp(logs).sum(-1).detach().numpy() == pytest.approx(1.0, abs=1e-5)


def test_trigram_probabilities_sum_to_one_over_the_known_words():
    grams = count([tuple("the dog saw the cat . the cat saw the dog .".split())])
    keys = np.array([word_key(w) for w in grams.words], np.uint64)
    the, saw = np.uint64(word_key("the")), np.uint64(word_key("saw"))
    total = grams.probability(saw, the, keys, grams.counts).sum()
    unseen = grams.probability(saw, the, np.uint64(word_key("x")), 0.0)
    assert total + unseen == pytest.approx(1.0)


def test_a_word_that_follows_often_surprises_less():
    grams = count([tuple("the dog saw the cat . the dog saw the bird .".split())])
    row = surprises(grams, ("the", "dog", "saw", "the", "zebra"))
    assert row[1] < row[4]


def test_the_ngram_floor_has_a_threshold_surprise_and_choices(training, tmp_path):
    card = train_ngrams(training, out=tmp_path / "m", seed=1)
    found = run(ngrams, training, model=tmp_path / "m")
    assert complete(found, training)
    assert all(value.surprise is not None and value.choices for value in found.values())
    nouns = run(ngrams, training, model=tmp_path / "m", nouns=True)
    assert {value.threshold for value in nouns.values()} == {card["threshold_nouns"]}
    assert nouns != found


def test_the_detector_is_trained_kept_and_run(training, tmp_path):
    card = train_discourse(training, out=tmp_path / "m", seed=1, trees=20)
    near, far = (run(s, training, model=tmp_path / "m") for s in (local, discourse))
    assert complete(near, training)
    assert complete(far, training)
    assert near != far
    assert next(iter(far.values())).threshold == card["thresholds"]["all"]
    assert next(iter(near.values())).threshold == card["thresholds"]["local"]


def test_the_detector_is_the_same_for_the_same_seed(training, tmp_path):
    for name, trees in (("a", 10), ("b", 10), ("c", 11)):
        train_discourse(training, out=tmp_path / name, seed=1, trees=trees)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


def test_the_shipped_detector_needs_no_training(training):
    assert complete(run(discourse, training), training)


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


def test_trees_kept_as_arrays_say_what_scikit_learn_says():
    from sklearn.ensemble import HistGradientBoostingClassifier

    from earmark.tasks.context.run.discourse.trees import _plain

    rng = np.random.default_rng(2)
    rows = rng.normal(size=(400, 5)).astype(np.float32)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    labels = (np.nan_to_num(rows[:, 0]) + rng.normal(size=400) > 0.5).astype(int)
    learner = HistGradientBoostingClassifier(max_iter=20, random_state=1).fit(rows, labels)
    assert _plain(learner).score(rows) == pytest.approx(learner.predict_proba(rows)[:, 1], abs=1e-5)


def test_neighbours_stop_at_the_edge_of_a_document():
    flat = flatten([("a", "dog"), ("cat", "b")], [("DT", "NN"), ("NN", "DT")])
    assert flat.nouns.tolist() == [1, 2]
    beside = flat.beside(flat.nouns, 1)
    assert beside[0] != flat.keys[2]
    assert beside[1] == flat.keys[3]


def test_a_hash_of_several_words_keeps_their_order():
    one, two = np.uint64(word_key("a")), np.uint64(word_key("b"))
    assert mix(one, two) != mix(two, one)


def test_labels_of_another_length_are_refused(training):
    item = training.items[0]
    with pytest.raises(InputError, match="there must be one label for every token"):
        lesson((item,), {item.id: Flags(3, frozenset())})


def test_training_needs_a_study_and_a_study_needs_swaps(training, tmp_path):
    with pytest.raises(InputError, match="training needs a study"):
        told(None, None)
    with pytest.raises(InputError, match="a study with known swaps is needed"):
        told(training, tmp_path)
    nothing = {i.id: Flags(len(Passage.of(i).tokens), frozenset()) for i in training.items}
    with pytest.raises(InputError, match="a detector learns from swapped nouns"):
        train_discourse(
            Training(training.items, Reference("none", nothing)), out=tmp_path / "m", seed=1
        )


def test_the_threshold_is_chosen_on_the_development_study(talks, training, tmp_path):
    from earmark.study import Study

    study = Study.create(tmp_path / "dev", task="context", seed=8)
    study.make(text=talks, swaps=2)
    one = train_ngrams(training, out=tmp_path / "a", seed=1)
    two = train_ngrams(training, out=tmp_path / "b", seed=1, develop=tmp_path / "dev")
    assert two["documents"] == 12 > one["documents"]
    assert one["threshold"] != two["threshold"]


def test_a_model_of_another_system_or_none_is_refused(training, tmp_path):
    train_ngrams(training, out=tmp_path / "m", seed=1)
    with pytest.raises(InputError, match="the model belongs to another system"):
        run(discourse, training, model=tmp_path / "m")
    with pytest.raises(InputError, match="there is no model here"):
        run(ngrams, training, model=tmp_path / "nothing")
    with pytest.raises(InputError, match="classifier needs a trained model"):
        run(classifier, training)
    (tmp_path / "junk").write_bytes(b"junk")
    with pytest.raises(InputError, match="the file is no model of this task"):
        model_file.load(tmp_path / "junk", system="ngrams")


@pytest.fixture(scope="module")
def tiny_models(training, tmp_path_factory):
    """A random causal and a random masked transformer with word pieces of the talks."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    folder = tmp_path_factory.mktemp("models")
    pieces = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = ["[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"]
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=marks, show_progress=False)
    pieces.train_from_iterator([i.text for i in training.items], trainer)
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=pieces,
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        pad_token="[PAD]",
    )
    size = wrapped.vocab_size
    causal = transformers.GPT2Config(
        vocab_size=size,
        n_positions=32,
        n_embd=16,
        n_layer=1,
        n_head=2,
        bos_token_id=1,
        eos_token_id=2,
    )
    masked = transformers.BertConfig(
        vocab_size=size,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
    )
    transformers.set_seed(1)
    transformers.GPT2LMHeadModel(causal).save_pretrained(folder / "causal")
    transformers.BertForMaskedLM(masked).save_pretrained(folder / "masked")
    for kind in ("causal", "masked"):
        wrapped.save_pretrained(folder / kind)
    return folder


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_any_language_model_runs_through_one_interface(training, tiny_models, kind):
    few = Training(training.items[:1], training.reference)
    found = run(pretrained, few, model=str(tiny_models / kind), kind=kind, threshold=3.0)
    value = found[few.items[0].id]
    assert complete(found, few)
    # an untrained model is about as surprised as chance, piece by piece
    assert 3 < np.median(value.surprise) < 15
    assert value.threshold == 3.0
    assert len(value.choices) == len(offered(few.items[0])) > 0
    assert all(c.first < 0 and c.second < 0 for c in value.choices)


def test_pieces_and_nouns_change_what_a_language_model_says(training, tiny_models):
    few = Training(training.items[:1], training.reference)
    plain = {"model": str(tiny_models / "causal")}
    first = run(pretrained, few, **plain)
    assert run(pretrained, few, **plain, pieces=8) != first
    assert run(pretrained, few, **plain, nouns=True) != first


def test_a_language_model_that_is_not_there_is_a_clear_error(training, tmp_path):
    with pytest.raises(InputError, match="a model is needed"):
        run(pretrained, training)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the language model cannot be loaded"):
        run(pretrained, training, model=str(tmp_path / "empty"))


def test_train_run_and_score_on_the_command_line(talks, tmp_path, earmark):
    study, model = tmp_path / "study", tmp_path / "model.npz"
    assert earmark("make", "context", study, "--text", talks, "--swaps", "4", "--seed", "7")[0] == 0
    assert earmark("train", "context", "ngrams", "--study", study, "--out", model)[0] == 0
    assert earmark("run", study, "ngrams", "--model", model)[0] == 0
    code, out, _ = earmark("score", study, "--json", "--resamples", "50")
    scores = json.loads(out)["scores"]
    assert code == 0
    assert 0 < scores["best_f"]["low"] <= scores["best_f"]["value"] <= scores["best_f"]["high"]
    assert scores["perplexity"]["value"] > 1
