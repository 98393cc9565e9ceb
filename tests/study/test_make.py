"""Making: which maker is meant."""

from pathlib import Path

import pytest

from earmark.study import Study
from earmark.study.show import show


def test_an_option_of_another_maker_is_refused_and_names_both(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s", task="events")
    with pytest.raises(ValueError, match="--audio of recordings; --seconds of soundscapes"):
        study.make(audio=tmp_path, seconds=3.0)
    with pytest.raises(ValueError, match="the maker soundscapes has no option --nope"):
        study.make(nope=1)
    assert not (tmp_path / "s").exists()


def test_a_study_without_sound_or_text_is_shown_to_need_a_file_of_outputs(tmp_path: Path) -> None:
    reference = tmp_path / "r.tsv"
    reference.write_text("filename\tonset\toffset\tevent_label\na\t0\t1\tdog\n", encoding="utf-8")
    study = Study.create(tmp_path / "my study", task="events")
    study.make(reference=reference)
    assert show(study.snapshot())["next"] == "earmark run 'my study' FILE"
    with pytest.raises(ValueError, match="a file of outputs learns nothing"):
        study.run(reference, train_on="truth")
    with pytest.raises(ValueError, match="a file of outputs has no option --folds"):
        study.run(reference, folds=3)
