"""A llama, written out: the network of many small causal language models.

Each layer adds attention (several heads share keys and values, positions enter by rotation) and a
gated feed-forward net to what it is given. Two ways to run it: `states` reads a whole text, and
`LlamaCache` reads on from texts read before, along several continuations at once.
Shapes: S texts, T pieces, L pieces before, H heads, K heads of keys, D numbers a head.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from earmark.arrays import Floats32
from earmark.text.gguf_file import GgufFile
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

LAYER_PARTS = (
    *("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"),
    *("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"),
)


@dataclass(frozen=True, slots=True)
class LlamaShape:
    """Sizes of the network; `longest` is how many pieces it was made to see."""

    layers: int
    width: int
    heads: int
    key_heads: int
    longest: int
    epsilon: float
    base: float

    @property
    def head_size(self) -> int:
        """The numbers of one head."""
        return self.width // self.heads

    @classmethod
    def of(cls, settings: Mapping[str, Any], at: object) -> "LlamaShape":
        """Return the sizes that a GGUF file's settings name."""
        kind = settings.get("general.architecture")
        if kind != "llama":
            raise InputError(
                "only models of the llama kind are read from GGUF",
                at=at,
                got=kind,
                want="llama (SmolLM2, TinyLlama, Llama)",
                fix="give a folder of a transformers model instead",
            )
        try:
            return cls(
                layers=int(settings["llama.block_count"]),
                width=int(settings["llama.embedding_length"]),
                heads=int(settings["llama.attention.head_count"]),
                key_heads=int(settings["llama.attention.head_count_kv"]),
                longest=int(settings["llama.context_length"]),
                epsilon=float(settings["llama.attention.layer_norm_rms_epsilon"]),
                base=float(settings.get("llama.rope.freq_base", 10000.0)),
            )
        except KeyError as error:
            raise InputError(
                "the model file lacks a setting", at=at, got=f"no {error.args[0]}"
            ) from error


class LlamaWeights(NamedTuple):
    """Where a network comes from: its sizes, the names of its tensors in GGUF, and each of them."""

    shape: LlamaShape
    names: Container[str]
    tensor: Callable[[str], Floats32]

    @classmethod
    def of(cls, file: GgufFile) -> "LlamaWeights":
        """Return what a GGUF file holds."""
        return cls(LlamaShape.of(file.settings, file.path), file.tensors, file.tensor)


class Llama:
    """The network and its weights, for reading only.

    `fast` computes with numbers of 16 bits (bfloat16), which processors that have instructions for
    them do in little more than half the time; log probabilities then differ in the third digit.
    """

    def __init__(self, source: LlamaWeights, *, fast: bool = False) -> None:
        import torch

        self.shape = source.shape
        self.dtype = torch.bfloat16 if fast else torch.float32

        def weights(name: str) -> "Tensor":
            return torch.from_numpy(source.tensor(name)).to(self.dtype)

        self.embedding = weights("token_embd.weight")  # (vocabulary, width)
        self.out_norm = weights("output_norm.weight")
        tied = "output.weight" not in source.names
        self.output = self.embedding if tied else weights("output.weight")
        self.layers = [
            {part: weights(f"blk.{index}.{part}.weight") for part in LAYER_PARTS}
            for index in range(self.shape.layers)
        ]
        half = torch.arange(0, self.shape.head_size, 2, dtype=torch.float32)
        self.frequencies = self.shape.base ** (-half / self.shape.head_size)  # (D / 2,)

    def states(self, pieces: "Tensor", *, depth: int | None = None) -> "Tensor":
        """Return the last states of texts of equal length, (S, T) to (S, T, width).

        With a `depth`, those after so many layers; the layers above are not computed.
        """
        import torch

        positions = torch.arange(pieces.shape[1])[None].expand(pieces.shape)

        def attend(layer: int, q: "Tensor", k: "Tensor", v: "Tensor") -> "Tensor":
            return torch.nn.functional.scaled_dot_product_attention(
                q, self._repeat(k), self._repeat(v), is_causal=True
            )

        return self.run(pieces, positions, attend, depth=depth)

    def run(
        self, pieces: "Tensor", positions: "Tensor", attend: Any, *, depth: int | None = None
    ) -> "Tensor":
        """Return the last states, where `attend(layer, q, k, v)` does the attention.

        It is given (S, H or K, T, D) each and returns (S, H, T, D).
        """
        import torch

        silu = torch.nn.functional.silu
        x = self.embedding[pieces]  # (S, T, width)
        turn = self._rotation(positions)
        for index, layer in enumerate(self.layers[:depth]):
            y = self._norm(x, layer["attn_norm"])
            q = self._rotated(self._heads(y @ layer["attn_q"].T), turn)
            k = self._rotated(self._heads(y @ layer["attn_k"].T), turn)
            v = self._heads(y @ layer["attn_v"].T)
            mixed = attend(index, q, k, v).transpose(1, 2).reshape(x.shape)
            x = x + mixed @ layer["attn_output"].T
            y = self._norm(x, layer["ffn_norm"])
            gated = silu(y @ layer["ffn_gate"].T) * (y @ layer["ffn_up"].T)
            x = x + gated @ layer["ffn_down"].T
        return self._norm(x, self.out_norm)

    def log_probabilities(self, states: "Tensor") -> "Tensor":
        """Return log probabilities of the piece after each state; (..., vocabulary)."""
        import torch

        return torch.log_softmax((states @ self.output.T).float(), dim=-1)

    def _heads(self, x: "Tensor") -> "Tensor":
        """Return (S, T, heads * D) as (S, heads, T, D)."""
        return x.view(*x.shape[:2], -1, self.shape.head_size).transpose(1, 2)

    def _repeat(self, x: "Tensor") -> "Tensor":
        """Return (S, K, L, D) with each head repeated for the heads that share it."""
        return x.repeat_interleave(self.shape.heads // self.shape.key_heads, dim=1)

    def _norm(self, x: "Tensor", weight: "Tensor") -> "Tensor":
        import torch

        return torch.nn.functional.rms_norm(x, (x.shape[-1],), weight, self.shape.epsilon)

    def _rotation(self, positions: "Tensor") -> "tuple[Tensor, Tensor]":
        """Return cosines and sines of positions (S, T); (S, 1, T, D / 2) each."""
        angles = positions[:, None, :, None].float() * self.frequencies
        return angles.cos().to(self.dtype), angles.sin().to(self.dtype)

    @staticmethod
    def _rotated(x: "Tensor", turn: "tuple[Tensor, Tensor]") -> "Tensor":
        """Return heads with neighbouring numbers turned as pairs, the order of GGUF's weights."""
        import torch

        cosine, sine = turn
        even, odd = x[..., 0::2], x[..., 1::2]
        pairs = (even * cosine - odd * sine, even * sine + odd * cosine)
        return torch.stack(pairs, dim=-1).flatten(-2)
