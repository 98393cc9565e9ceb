"""The shipped table of development trials, and tables written and read again."""

from pathlib import Path

import numpy as np
import pytest

from earmark.tasks.keywords.run.model_file import load_model, save_model
from earmark.values.errors import InputError


def test_the_shipped_table_holds_two_real_corpora_and_synthetic_voices() -> None:
    table = load_model()
    real = [name for name in table.speakers if name.startswith("D")]
    owners = np.array([owner in real for owner in table.owners])
    assert len(real) == 11 and owners.sum() == 440 and table.labels[owners].sum() == 110
    assert {"DA", "DM", "ESde", "EScmn"} < set(table.corpora())
    assert np.isfinite(table.measurements.trials).all()


def test_a_table_that_is_written_reads_the_same(tmp_path: Path) -> None:
    table = load_model()
    save_model(table, tmp_path / "new" / "model")
    again = load_model(tmp_path / "new" / "model")
    assert again.owners == table.owners and again.speakers == table.speakers
    for name in ("trials", "expected", "spread"):
        one, other = getattr(table.measurements, name), getattr(again.measurements, name)
        assert np.array_equal(one, other, equal_nan=True), name


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.npz").write_text("no")
    with pytest.raises(InputError, match="a keyword model is a table that Earmark wrote"):
        load_model(tmp_path / "m.npz")
    with pytest.raises(InputError, match="there is no such model"):
        load_model(tmp_path / "none.npz")
    np.savez(tmp_path / "old.npz", measures=np.array(["tail"]))
    with pytest.raises(InputError, match="the measures of another version"):
        load_model(tmp_path / "old.npz")
