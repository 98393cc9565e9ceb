"""What torch keeps for the whole process, set for one block and restored after it."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limited_threads(threads: int) -> Iterator[None]:
    """Let torch use that many threads within the block, and as many as before after it.

    Several threads add up a sum in another order, so what must give the same bytes runs on one;
    small networks are also faster on one.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def seeded(seed: int, *, threads: int = 1) -> Iterator[None]:
    """Build and train networks within the block, with the same result for the same seed.

    Initial weights and dropout are drawn from torch's own generator, which is seeded for the block
    and gets its former state back afterwards; threads are limited as by `limited_threads`.
    """
    import torch

    with torch.random.fork_rng(devices=[]), limited_threads(threads):
        torch.manual_seed(seed)
        yield
