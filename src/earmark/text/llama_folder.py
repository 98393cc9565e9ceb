"""A llama in a folder of transformers: config.json, tokenizer.json and weights as safetensors.

Names and the order of rows are turned into those of GGUF, so that one network reads both.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.arrays import Floats32
from earmark.files.json_text import read_json
from earmark.text.llama import LlamaShape, LlamaWeights
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

CONFIG, TOKENISER = "config.json", "tokenizer.json"
WHOLE = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
}
IN_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def folder_weights(folder: Path) -> LlamaWeights:
    """Return the network of a folder.

    Raises
    ------
    InputError
        If a file is missing, or the network is not a plain llama.
    """
    config = _config(folder)
    shape = _shape(folder, config)
    stored = _stored(folder)
    names = {ours: theirs for ours, theirs in _names(shape.layers).items() if theirs in stored}
    if config.get("tie_word_embeddings"):
        names.pop("output.weight", None)

    def tensor(name: str) -> Floats32:
        if name not in names:
            raise InputError("the model lacks weights", at=folder, got=f"no {name}")
        weights = stored[names[name]].float()
        if ".attn_q." in name or ".attn_k." in name:
            weights = _in_pairs(weights, shape.head_size)
        values: Floats32 = weights.numpy()
        return values

    return LlamaWeights(shape, names, tensor)


def folder_tokeniser(folder: Path) -> Any:
    """Return the tokeniser of a folder."""
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(folder / TOKENISER))
    except Exception as error:  # the package raises Exception itself
        raise InputError(
            "the tokeniser cannot be read", at=folder / TOKENISER, got=error
        ) from error


def first_piece(folder: Path) -> int:
    """Return the piece that a text starts after: the model's start, its end, or the first."""
    config = _config(folder)
    starts = (config.get("bos_token_id"), config.get("eos_token_id"), 0)
    chosen = next(start for start in starts if start is not None)
    return int(chosen[0] if isinstance(chosen, list) else chosen)


def _config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    if not path.is_file():
        raise InputError(
            "the folder holds no language model",
            at=folder,
            want=f"a GGUF file, or {CONFIG}, {TOKENISER} and safetensors",
        )
    config = read_json(path)
    if not isinstance(config, dict):
        raise InputError("the settings of the model cannot be read", at=path)
    return config


def _shape(folder: Path, config: dict[str, Any]) -> LlamaShape:
    kind = config.get("model_type")
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    plain = rope.get("rope_type", "default") == "default" and not config.get("attention_bias")
    if kind != "llama" or not plain:
        raise InputError(
            "only plain llamas are read",
            at=folder / CONFIG,
            got=f"{kind}, positions {rope.get('rope_type', 'default')}",
            want="model_type llama without scaled positions or biases (SmolLM2, TinyLlama)",
            fix="`earmark run STUDY pretrained` runs any transformer on context",
        )
    try:
        heads = int(config["num_attention_heads"])
        return LlamaShape(
            layers=int(config["num_hidden_layers"]),
            width=int(config["hidden_size"]),
            heads=heads,
            key_heads=int(config.get("num_key_value_heads") or heads),
            longest=int(config.get("max_position_embeddings", 2048)),
            epsilon=float(config.get("rms_norm_eps", 1e-6)),
            base=float(rope.get("rope_theta") or config.get("rope_theta") or 10000.0),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("the model's sizes are missing", at=folder / CONFIG, got=error) from error


def _names(layers: int) -> dict[str, str]:
    """Return the names of GGUF and those of transformers."""
    whole = {f"{ours}.weight": f"{theirs}.weight" for ours, theirs in WHOLE.items()}
    return whole | {
        f"blk.{layer}.{ours}.weight": f"model.layers.{layer}.{theirs}.weight"
        for layer in range(layers)
        for ours, theirs in IN_LAYER.items()
    }


def _stored(folder: Path) -> "dict[str, Tensor]":
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise InputError(
            "the model has no weights that may be read",
            at=folder,
            want="safetensors: the older form is a pickle, which could run anything",
        )
    try:
        return {name: weights for file in files for name, weights in load_file(file).items()}
    except (SafetensorError, OSError) as error:
        raise InputError("the weights cannot be read", at=folder, got=error) from error


def _in_pairs(weights: "Tensor", size: int) -> "Tensor":
    """Return rows whose halves of a head are turned together, as pairs beside each other."""
    heads = weights.view(-1, 2, size // 2, weights.shape[-1])
    return heads.transpose(1, 2).reshape(weights.shape).contiguous()
