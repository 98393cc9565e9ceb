"""Ten recordings that other implementations have scored."""

from pathlib import Path

import pytest

from earmark.tasks.events.measure import EventFileOptions, measure


@pytest.fixture(scope="module")
def vectors() -> Path:
    """Ten recordings, and what sed_eval 0.2.1, psds_eval 0.5.3 and sed_scores_eval 0.0.4 give."""
    return Path(__file__).parents[1] / "vectors" / "metrics"


@pytest.fixture(scope="module")
def sides(vectors: Path):
    return measure(
        (vectors / "ref_10.tsv",),
        vectors / "est_10.tsv",
        EventFileOptions(durations=vectors / "dur_10.tsv"),
    )


@pytest.fixture(scope="module")
def frames(vectors: Path):
    return measure(
        (vectors / "ref_10.tsv",),
        None,
        EventFileOptions(durations=vectors / "dur_10.tsv", scores=vectors / "scores_10"),
    )
