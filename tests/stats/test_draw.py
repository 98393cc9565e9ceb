"""Seeded draws."""

from hypothesis import given
from hypothesis import strategies as st

from earmark.stats.draw import stream


@given(st.integers(), st.text())
def test_a_stream_depends_on_all_its_names(seed: int, name: str) -> None:
    first = stream(seed, name).integers(2**62)
    assert first == stream(seed, name).integers(2**62)
    assert first != stream(seed + 1, name).integers(2**62)
    assert first != stream(seed, name, "more").integers(2**62)
