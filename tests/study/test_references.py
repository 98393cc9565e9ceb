"""The command `references`: Table 3 of a small study."""

import json
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.values.errors import InputError, StudyError


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    study = Study.create(tmp_path_factory.mktemp("studies") / "street", task="events", seed=3)
    study.make("soundscapes", recordings=4, seconds=20.0, rate=8000, gap_high=4.0)
    study.ask(simulate=True)
    study.reconcile("mace")
    study.run("labels", train_on="mace", name="mace")
    study.run("silent")
    return study


def test_rows_and_orders_are_printed_and_nothing_is_written(study: Study, earmark) -> None:
    before = sorted(path.name for path in study.folder.rglob("*"))
    code, out, _ = earmark("references", study.folder, "--resamples", "50", "--metric",
                           "segment_f1")  # fmt: skip
    assert code == 0 and "mace    against mace   1.000" in out
    assert "segment_f1, the order of 2 systems" in out
    assert sorted(path.name for path in study.folder.rglob("*")) == before
    code, out, _ = earmark("references", study.folder, "--row", "mace@truth", "--row",
                           "mace@mace", "--resamples", "0", "--seconds", "2", "--json")  # fmt: skip
    rows = json.loads(out)["metrics"]["segment_f1"]["rows"]
    assert len(rows) == 1 and [row["reference"] for row in rows[0]] == ["truth", "mace"]
    assert rows[0][1]["difference"]["value"] == pytest.approx(1 - rows[0][0]["value"])
    assert rows[0][1]["difference"]["low"] is None


def test_names_that_are_not_there_and_a_single_reference_are_refused(
    study: Study, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="there is no reference 'crowd'"):
        study.compare_references(against=("crowd", "truth"))
    with pytest.raises(InputError, match="a row is a system and a reference"):
        study.compare_references(rows=("silent@crowd",))
    with pytest.raises(StudyError, match="compared with one another"):
        study.compare_references(against=("truth",))
