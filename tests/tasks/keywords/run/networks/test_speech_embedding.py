"""Google's speech embedding."""

import numpy as np
import pytest

RATE = 16000


def test_embeddings_of_a_smaller_hop_contain_those_of_a_larger(networks: None) -> None:
    from earmark.tasks.keywords.run.networks.speech_embedding import speech_embeddings

    sound = 0.1 * np.random.default_rng(0).standard_normal(RATE, dtype=np.float32)
    fine, coarse = speech_embeddings(sound, hop=2), speech_embeddings(sound, hop=8)
    assert fine[::4] == pytest.approx(coarse, abs=1e-3)


def test_a_sound_shorter_than_a_frame_has_one_embedding_at_least(networks: None) -> None:
    from earmark.tasks.keywords.run.networks.speech_embedding import speech_embeddings

    assert len(speech_embeddings(np.zeros(10, dtype=np.float32))) >= 1
