"""Student's t against scipy, and against a table."""

import pytest
from scipy.stats import t

from earmark.stats.student import student_quantile


@pytest.mark.parametrize("degrees", [*range(1, 12), 30, 199, 200, 201, 1000, 1_000_000])
def test_quantiles_are_scipys(degrees: int) -> None:
    for probability in (0.75, 0.95, 0.975, 0.995):
        expected = t.ppf(probability, degrees)
        assert student_quantile(probability, degrees=degrees) == pytest.approx(expected, rel=1e-10)
