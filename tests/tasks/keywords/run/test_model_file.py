"""The shipped table of development trials, and tables written and read again."""

from pathlib import Path

import numpy as np
import pytest

from earmark.tasks.keywords.run.model_file import load_model, save_model
from earmark.values.errors import InputError


def test_the_shipped_table_holds_eleven_speakers_and_their_cohort() -> None:
    table = load_model()
    assert len(table.speakers) == len(table.cohort.spectra) == len(table.cohort.sounds) == 11
    assert len(table.labels) == 440 and table.labels.sum() == 110
    costs = table.measurements.mfcc_cohort_costs
    for row, owner in enumerate(table.owners):
        own = table.speakers.index(owner)
        assert np.isnan(costs[row, own])
        assert np.isfinite(np.delete(costs[row], own)).all()


def test_a_table_that_is_written_reads_the_same(tmp_path: Path) -> None:
    table = load_model()
    save_model(table, tmp_path / "new" / "model")
    again = load_model(tmp_path / "new" / "model")
    assert again.owners == table.owners
    for name in table.measurements.__dataclass_fields__:
        one, other = getattr(table.measurements, name), getattr(again.measurements, name)
        assert np.array_equal(one, other, equal_nan=True), name
    assert np.allclose(again.cohort.sounds[3][1], table.cohort.sounds[3][1], atol=1e-3)


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.npz").write_text("no")
    with pytest.raises(InputError, match="a keyword model is a table that Earmark wrote"):
        load_model(tmp_path / "m.npz")
    with pytest.raises(InputError, match="there is no such model"):
        load_model(tmp_path / "none.npz")
