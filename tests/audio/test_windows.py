"""Windows of a recording."""

import pytest

from earmark.audio.windows import window_spans
from earmark.values.errors import InputError


def test_windows_begin_at_every_hop_and_end_within_the_recording() -> None:
    spans = window_spans(20.0, window=5.0, hop=2.5)
    assert len(spans) == 7
    assert (spans[0].start, spans[-1].end) == (0.0, 20.0)


@pytest.mark.parametrize(
    ("window", "hop", "problem"),
    [(30.0, 1.0, "at least one window long"), (5.0, 0.0, "must be > 0 seconds")],
)
def test_windows_that_cannot_be_are_refused(window: float, hop: float, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        window_spans(20.0, window=window, hop=hop)
