"""Static vectors of words: MiniLM's input embeddings, without any sentence around them."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from earmark.arrays import Floats32
from earmark.files.models import use_model
from earmark.stats.vectors import unit_rows
from earmark.text.weights import minilm_folder

# How many common directions are removed; Mu and Viswanath suggest a hundredth of the width (384).
COMMON = 2
WEIGHTS = "model.safetensors"


def static_vectors(words: Sequence[str]) -> Floats32:
    """Return one unit vector per word (words, width): the mean of its pieces' vectors.

    What all pieces have in common is taken out first. A word without pieces gets nan.
    """
    use_model(minilm_folder() / WEIGHTS)
    pieces, table = _pieces(), _table()
    rows = np.full((len(words), table.shape[1]), np.nan, np.float32)
    for index, word in enumerate(words):
        ids = pieces.encode(word.lower(), add_special_tokens=False).ids
        if ids:
            rows[index] = table[ids].mean(axis=0)
    return unit_rows(rows)


@cache
def _table() -> Floats32:
    """Return the pieces' vectors (pieces, width), as Mu and Viswanath 2018 post-process them.

    They are centred, and their first principal components are removed, which hold frequency rather
    than meaning.
    """
    from safetensors import safe_open

    with safe_open(str(minilm_folder() / WEIGHTS), framework="numpy") as tensors:
        name = next(k for k in tensors.keys() if k.endswith("word_embeddings.weight"))
        table = np.asarray(tensors.get_tensor(name), np.float32)
    table = table - table.mean(axis=0)
    _, directions = np.linalg.eigh(table.T @ table)
    common = directions[:, -COMMON:]
    return np.asarray(table - (table @ common) @ common.T, dtype=np.float32)


@cache
def _pieces() -> Any:
    from tokenizers import Tokenizer

    pieces = Tokenizer.from_file(str(minilm_folder() / "tokenizer.json"))
    pieces.no_padding()
    pieces.no_truncation()
    return pieces
