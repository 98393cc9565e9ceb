"""The llama that is written out, on weights drawn at random, and the file that it is read from."""

import numpy as np
import pytest
from tests.text import tiny_llama

from earmark.text.causal_model import load_causal_model
from earmark.text.gguf_file import ENCODINGS, read_gguf
from earmark.text.llama_cache import REMEMBERED, LlamaCache, Request
from earmark.text.llama_folder import IN_LAYER
from earmark.text.surprisal import read_pieces
from earmark.values.errors import InputError

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")

TEXT = "the cat sat. The dog, too."


@pytest.fixture
def file(tmp_path):
    return tiny_llama.write(tmp_path / "tiny.gguf", tiny_llama.weights())


@pytest.fixture
def model(file):
    return load_causal_model(file)


def logs_of(model, pieces):
    with torch.inference_mode():
        return model.network.log_probabilities(model.network.states(torch.tensor([pieces]))[0])


def transformers_llama(shape):
    """Return a llama of transformers with the tiny one's weights."""
    transformers = pytest.importorskip("transformers")
    tensors = tiny_llama.weights()
    other = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=len(tiny_llama.VOCABULARY),
            hidden_size=shape.width,
            intermediate_size=tiny_llama.INNER,
            num_hidden_layers=shape.layers,
            num_attention_heads=shape.heads,
            num_key_value_heads=shape.key_heads,
            rms_norm_eps=1e-5,
            rope_parameters={"rope_type": "default", "rope_theta": 1000.0},
            tie_word_embeddings=True,
            bos_token_id=0,
        )
    ).eval()

    def halves(weight):
        """Pairs beside each other, as GGUF has them, to halves of a head, as transformers has."""
        heads = weight.reshape(-1, shape.head_size // 2, 2, shape.width)
        return heads.swapaxes(1, 2).reshape(weight.shape)

    state = {
        "model.embed_tokens.weight": tensors["token_embd.weight"],
        "lm_head.weight": tensors["token_embd.weight"],
        "model.norm.weight": tensors["output_norm.weight"],
    }
    for layer in range(shape.layers):
        for ours, theirs in IN_LAYER.items():
            weight = tensors[f"blk.{layer}.{ours}.weight"]
            turned = halves(weight) if ours in ("attn_q", "attn_k") else weight
            state[f"model.layers.{layer}.{theirs}.weight"] = turned
    other.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in state.items()})
    return other


def test_it_computes_what_transformers_computes(model):
    pieces = [model.first, *model.pieces(TEXT)]
    with torch.inference_mode():
        logits = transformers_llama(model.network.shape)(torch.tensor([pieces])).logits[0]
    expected = torch.log_softmax(logits, dim=-1)
    assert torch.allclose(logs_of(model, pieces), expected, atol=1e-4)


def test_a_folder_of_transformers_is_read_as_the_file_is(model, tmp_path):
    folder = tmp_path / "folder"
    transformers_llama(model.network.shape).save_pretrained(folder)
    model.tokeniser.save(str(folder / "tokenizer.json"))
    other = load_causal_model(folder)
    pieces = [other.first, *other.pieces(TEXT)]
    assert pieces == [model.first, *model.pieces(TEXT)]
    assert torch.allclose(logs_of(other, pieces), logs_of(model, pieces), atol=1e-4)


def test_a_folder_without_a_llama_is_refused(tmp_path):
    with pytest.raises(InputError, match="no language model"):
        load_causal_model(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}', encoding="utf-8")
    with pytest.raises(InputError, match="gpt2"):
        load_causal_model(tmp_path)
    with pytest.raises(InputError, match="no model here"):
        load_causal_model(tmp_path / "nowhere")


def test_reading_on_along_branches_gives_what_reading_afresh_gives(model):
    pieces = model.pieces(TEXT)
    branches = [pieces[6:10], pieces[2:5], pieces[8:9]]
    cache = LlamaCache(model.network, 2, first=model.first, watched=[model.pieces(".?")])
    cache.step({1: Request(pieces[:3])})
    readings = cache.step({1: Request(pieces[3:6], branches), 0: Request(pieces[:2], branches[:1])})
    for branch, reading in zip(branches, readings[1].branches, strict=True):
        text = [model.first, *pieces[:6], *branch]
        afresh = logs_of(model, text)[6 + torch.arange(len(branch)), branch]
        assert reading.pieces == pytest.approx(afresh.tolist(), abs=1e-4)
    ends = logs_of(model, [model.first, *pieces[:6]])[-1, model.pieces(".?")]
    assert readings[1].watched[0] == pytest.approx(float(ends.logsumexp(0)), abs=1e-4)


def test_a_full_memory_goes_on_from_its_end(model):
    pieces = model.pieces(TEXT)
    cache = LlamaCache(model.network, 1, first=model.first, watched=[[2]])
    for _ in range(REMEMBERED // len(pieces) + 2):
        reading = cache.step({0: Request(pieces, [pieces[:2]])})[0]
    assert len(cache.texts[0]) < REMEMBERED
    afresh = logs_of(model, [*cache.texts[0], pieces[0]])
    length = len(cache.texts[0])
    expected = afresh[[length - 1, length], pieces[:2]].tolist()
    assert reading.branches[0].pieces == pytest.approx(expected, abs=1e-4)


def test_a_text_of_several_windows_is_read_with_the_text_before(model, monkeypatch):
    monkeypatch.setattr("earmark.text.surprisal.WINDOW", 8)
    pieces = model.pieces(TEXT)
    reading = read_pieces(model, pieces, {10: [3, 4]})
    # the window of piece 10 begins with piece 4, half a window before the first it judges
    table = logs_of(model, [model.first, *pieces[4:12]])
    assert reading.logs[10] == pytest.approx(float(table[6, pieces[10]]), abs=1e-4)
    assert reading.others[10] == pytest.approx(table[6, [3, 4]].tolist(), abs=1e-4)
    first = logs_of(model, [model.first, *pieces[:3]])
    assert reading.logs[:3] == pytest.approx(
        [float(first[k, pieces[k]]) for k in range(3)], abs=1e-4
    )
    assert reading.entropies[0] == pytest.approx(
        float(-(first[0].exp() * first[0]).sum()), abs=1e-4
    )


def halves(*numbers):
    return np.array(numbers, np.float16).tobytes()


@pytest.mark.parametrize(
    ("kind", "block", "first", "last"),
    [
        (2, halves(0.5) + bytes([0x9F] * 16), (15 - 8) * 0.5, (9 - 8) * 0.5),
        (3, halves(0.5, 2) + bytes([0x9F] * 16), 15 * 0.5 + 2, 9 * 0.5 + 2),
        (6, halves(0.5) + b"\1\0\0\0" + bytes([0x9F] * 16), 7.5, -3.5),
        (7, halves(0.5, 2) + b"\1\0\0\0" + bytes([0x9F] * 16), 17.5, 6.5),
        (8, halves(0.5) + bytes([2] * 31 + [255]), 1.0, -0.5),
    ],
)
def test_blocks_are_decoded_as_worked_out_by_hand(kind, block, first, last):
    values = ENCODINGS[kind].decode(np.frombuffer(block, np.uint8)[None])
    assert values.shape == (1, 32)
    assert (values[0, 0], values[0, -1]) == (first, last)


def test_a_damaged_file_is_refused_wherever_it_is_cut(file):
    content = file.read_bytes()
    for size in (0, 3, 20, 200, 1500, len(content) - 10):
        file.write_bytes(content[:size])
        with pytest.raises(InputError):
            opened = read_gguf(file)
            for name in opened.tensors:
                opened.tensor(name)


def test_another_network_is_refused_by_name(tmp_path):
    path = tiny_llama.write(tmp_path / "x.gguf", tiny_llama.weights(), architecture="gpt2")
    with pytest.raises(InputError, match="gpt2"):
        load_causal_model(path)
