import numpy as np
import pytest
from tests.tasks.context.making import complete, run

from earmark.task.task import Training
from earmark.tasks.context.run.contrast import revealed_places
from earmark.tasks.context.run.pretrained import pretrained
from earmark.values.errors import InputError


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
    assert len(value.choices) == len(revealed_places(few.items[0])) > 0
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
