"""The second speaker network: its file read as data, and what it computes."""

import struct

import numpy as np
import pytest

from earmark.task.extras import MissingExtra
from earmark.tasks.keywords.run.networks import second_embedding
from earmark.tasks.keywords.run.networks.onnx_file import read_layers
from earmark.tasks.keywords.run.networks.second_embedding import (
    embed_frames_again,
    second_weights_file,
)
from earmark.values.errors import InputError


def field(number: int, content: bytes) -> bytes:
    """A field of a protocol buffer that has a length below 128."""
    return bytes([number << 3 | 2, len(content)]) + content


def test_layers_of_an_onnx_file_have_their_weights_in_order() -> None:
    """By hand: a convolution with a weight (2, 1) and a bias, and a relu without weights."""
    weight = (
        field(1, b"\x02\x01") + b"\x10\x01" + field(8, b"w") + field(9, struct.pack("<2f", 3, 4))
    )
    bias = b"\x08\x02\x10\x01" + field(8, b"b") + field(9, struct.pack("<2f", 5, 6))
    shape = b"\x08\x01\x10\x07" + field(8, b"s") + field(9, struct.pack("<q", 9))
    conv = field(1, b"x") + field(1, b"w") + field(1, b"b") + field(2, b"y") + field(4, b"Conv")
    relu = field(1, b"y") + field(1, b"s") + field(4, b"Relu")
    graph = b"".join(
        [*(field(1, node) for node in (conv, relu)), *(field(5, t) for t in (weight, bias, shape))]
    )
    (layer,) = read_layers(b"\x08\x08" + field(7, graph))
    assert layer.kind == "Conv"
    assert [array.tolist() for array in layer.weights] == [[[3.0], [4.0]], [5.0, 6.0]]


@pytest.fixture
def weights() -> None:
    pytest.importorskip("torch")
    if second_weights_file() is None:
        pytest.skip(second_embedding.INSTALL)


def test_the_network_computes_what_onnxruntime_computes(weights: None) -> None:
    """The first numbers of the embedding of a fixed input, by onnxruntime 1.31.1."""
    frames = 3 * np.sin(np.outer(np.arange(70), np.arange(1, 81)) / 50).astype(np.float32)
    expected = [0.057070, 0.033181, -0.087341, -0.016108, 0.028982, -0.075682]
    vector = embed_frames_again(frames)
    assert vector.shape == (256,)
    assert vector[:6] == pytest.approx(expected, abs=2e-6)
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0)


def test_other_weights_are_refused(weights: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_embedding, "SHA256", "0" * 64)
    second_embedding._network.cache_clear()
    with pytest.raises(InputError, match="the weights that `auto` was trained with"):
        embed_frames_again(np.ones((50, 80), dtype=np.float32))
    second_embedding._network.cache_clear()


def test_without_the_package_there_is_no_second_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_embedding, "PACKAGE", "no-such-package")
    assert second_weights_file() is None
    second_embedding._network.cache_clear()
    with pytest.raises(MissingExtra, match="second speaker embeddings need no-such-package"):
        embed_frames_again(np.ones((50, 80), dtype=np.float32))
    second_embedding._network.cache_clear()
