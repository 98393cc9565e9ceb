"""A token-classification model of a folder: a tiny BERT whose weights say what is right."""

import pytest

from earmark.tasks.boundaries.run.tagger import FolderTaggerOptions, tagger
from earmark.tasks.boundaries.values import Transcript, item_of
from earmark.values.errors import InputError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "we", "sat", "down", "##town", "stop"]


@pytest.fixture
def folder(tmp_path):
    """A model that says PERIOD after `stop` and `##town`, and nothing elsewhere."""
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    path = tmp_path / "model"
    transformers.BertTokenizerFast(vocab={word: k for k, word in enumerate(WORDS)}).save_pretrained(
        path
    )
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=8,
        num_hidden_layers=0,
        num_attention_heads=1,
        intermediate_size=8,
        id2label={0: "O", 1: "COMMA", 2: "PERIOD"},
        label2id={"O": 0, "COMMA": 1, "PERIOD": 2},
    )
    network = transformers.BertForTokenClassification(config).eval()
    with torch.no_grad():
        for part in network.parameters():
            part.zero_()
        network.bert.embeddings.LayerNorm.weight.fill_(1)
        network.bert.embeddings.word_embeddings.weight[:, 0] = 1
        for word in ("stop", "##town"):
            network.bert.embeddings.word_embeddings.weight[WORDS.index(word), :2] = torch.tensor(
                [0.0, 1.0]
            )
        network.classifier.weight[2, 1] = 9
        network.classifier.weight[0, 0] = 9
    network.save_pretrained(path)
    return path


def ends(folder, text, **options):
    items = [item_of(Transcript(tuple(text)), "a")]
    (output,) = tagger(items, FolderTaggerOptions(model=folder, **options), train_on=None, seed=0)
    return output.value.after


def test_the_last_piece_of_a_word_decides_in_every_window(folder):
    words = ["we", "sat", "downtown", "we", "stop", "we"] * 5
    expected = {k for k, word in enumerate(words) if word in ("downtown", "stop")}
    assert ends(folder, words, words=8) == expected | {len(words) - 1}
    assert ends(folder, words) == expected | {len(words) - 1}


def test_labels_are_named_or_known_by_their_names(folder):
    assert ends(folder, ["we", "stop", "we"], ends=("O",)) == {0, 2}
    with pytest.raises(InputError, match="COMMA, PERIOD"):
        ends(folder, ["we"], ends=("STOP",))


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be loaded"):
        ends(tmp_path, ["we"])
    with pytest.raises(InputError, match="a model is needed"):
        ends(None, ["we"])
