"""A llama of a few thousand weights, drawn at random and written as a GGUF file."""

import struct
from pathlib import Path

import numpy as np

LAYERS, WIDTH, HEADS, KEY_HEADS, INNER = 2, 64, 4, 2, 96
LETTERS = [chr(code) for code in range(97, 123)]
# every byte that the tests use, spelt as byte-level tokenisers spell it (the space as Ġ)
VOCABULARY = ["<|endoftext|>", "Ġ", ".", ",", "?", "'", *LETTERS, *(c.upper() for c in LETTERS)]
TEXT, ARRAY = 8, 9


def _text(value: str) -> bytes:
    content = value.encode()
    return struct.pack("<Q", len(content)) + content


def _setting(name: str, kind: int, content: bytes) -> bytes:
    return _text(name) + struct.pack("<I", kind) + content


def _texts(name: str, values: list[str]) -> bytes:
    content = struct.pack("<IQ", TEXT, len(values)) + b"".join(map(_text, values))
    return _setting(name, ARRAY, content)


def weights(seed: int = 5) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    size = WIDTH // HEADS

    def draw(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.25, shape).astype(np.float32)

    tensors = {
        "token_embd.weight": draw(len(VOCABULARY), WIDTH),
        "output_norm.weight": 1 + draw(WIDTH),
    }
    for layer in range(LAYERS):
        shapes = {
            "attn_norm": (WIDTH,),
            "ffn_norm": (WIDTH,),
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (KEY_HEADS * size, WIDTH),
            "attn_v": (KEY_HEADS * size, WIDTH),
            "attn_output": (WIDTH, WIDTH),
            "ffn_gate": (INNER, WIDTH),
            "ffn_up": (INNER, WIDTH),
            "ffn_down": (WIDTH, INNER),
        }
        tensors |= {f"blk.{layer}.{name}.weight": draw(*shape) for name, shape in shapes.items()}
    return tensors


def write(path: Path, tensors: dict[str, np.ndarray], architecture: str = "llama") -> Path:
    numbers = {
        "llama.block_count": LAYERS,
        "llama.embedding_length": WIDTH,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KEY_HEADS,
        "llama.context_length": 512,
    }
    settings = [
        _setting("general.architecture", TEXT, _text(architecture)),
        *(_setting(name, 4, struct.pack("<I", value)) for name, value in numbers.items()),
        _setting("llama.attention.layer_norm_rms_epsilon", 6, struct.pack("<f", 1e-5)),
        _setting("llama.rope.freq_base", 6, struct.pack("<f", 1000.0)),
        _setting("tokenizer.ggml.model", TEXT, _text("gpt2")),
        _texts("tokenizer.ggml.tokens", VOCABULARY),
        _texts("tokenizer.ggml.merges", []),
    ]
    table, data = b"", b""
    for name, tensor in tensors.items():
        shape = tensor.shape[::-1]
        table += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(data))
        data += tensor.tobytes() + b"\0" * (-tensor.nbytes % 32)
    head = (
        b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(settings)) + b"".join(settings) + table
    )
    path.write_bytes(head + b"\0" * (-len(head) % 32) + data)
    return path
