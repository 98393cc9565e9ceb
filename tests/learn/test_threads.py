"""Threads and torch's generator are as before after a block."""

import pytest

from earmark.learn.threads import limited_threads, seeded

torch = pytest.importorskip("torch")


def test_threads_are_restored_even_after_an_error():
    before = torch.get_num_threads()
    with pytest.raises(ValueError), limited_threads(before + 1):
        assert torch.get_num_threads() == before + 1
        raise ValueError
    assert torch.get_num_threads() == before


def test_a_seeded_block_repeats_itself_and_leaves_the_generator_alone():
    state = torch.random.get_rng_state()
    draws = []
    for seed in (1, 1, 2):
        with seeded(seed):
            draws.append(float(torch.rand(())))
    assert draws[0] == draws[1] != draws[2]
    assert torch.equal(torch.random.get_rng_state(), state)
