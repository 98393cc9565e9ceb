"""Layers over a background."""

import numpy as np
import pytest

from earmark.audio.mix import Layer, mix


def test_a_mix_that_would_clip_is_scaled_down_as_a_whole() -> None:
    sound = np.full(4, 0.5, np.float32)
    mixed = mix(np.zeros(6, np.float32), [Layer(sound, 4), Layer(sound, -2, 2.0)])
    assert mixed.tolist() == pytest.approx([0.99, 0.99, 0, 0, 0.495, 0.495])


def test_a_layer_beyond_the_end_is_left_out() -> None:
    assert mix(np.zeros(2, np.float32), [Layer(np.ones(3, np.float32), 5)]).tolist() == [0.0, 0.0]
