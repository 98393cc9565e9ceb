"""Features by name."""

import numpy as np
import pytest

from earmark.tasks.keywords.run.features import extractor
from earmark.values.errors import InputError


@pytest.fixture(scope="module")
def wav2vec(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny wav2vec 2.0 with random weights, in a folder."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    config = transformers.Wav2Vec2Config(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        conv_dim=(8, 8, 8, 8, 8, 8, 8),
        num_conv_pos_embeddings=8,
        num_conv_pos_embedding_groups=2,
        num_codevectors_per_group=8,
        codevector_dim=16,
        proj_codevector_dim=12,
    )
    folder = tmp_path_factory.mktemp("wav2vec")
    transformers.Wav2Vec2ForPreTraining(config).save_pretrained(folder)
    return str(folder)


def test_wav2vec_by_path_gives_a_unit_row_every_twenty_milliseconds(wav2vec: str) -> None:
    features = extractor(wav2vec)
    rows = features.extract(np.random.default_rng(0).standard_normal(16000).astype("f4"))
    assert features.hop == 0.02
    assert rows.shape == (49, 12)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert len(features.extract(np.zeros(100, dtype=np.float32))) >= 1


def test_features_that_nobody_knows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="there are no features '/no/such/model'"):
        extractor("/no/such/model")
