"""Tokens with scores and labels, worked by hand and drawn at random."""

from collections.abc import Sequence

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from earmark.tasks.context.values import Flags

LABELS, SCORES = (0, 1, 0, 1, 0), (0.1, 0.9, 0.8, 0.7, 0.2)
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TOKENS = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40)


def flags(labels: Sequence[int]) -> Flags:
    """Return the tokens with label 1 as marked."""
    return Flags(len(labels), frozenset(k for k, label in enumerate(labels) if label))
