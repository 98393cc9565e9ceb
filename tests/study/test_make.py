"""Making: which maker is meant."""

from pathlib import Path

import pytest

from earmark.study import Study


def test_an_option_of_another_maker_is_refused_and_names_both(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s", task="events")
    with pytest.raises(ValueError, match="--audio of recordings; --seconds of soundscapes"):
        study.make(audio=tmp_path, seconds=3.0)
    with pytest.raises(ValueError, match="the maker soundscapes has no option --nope"):
        study.make(nope=1)
    assert not (tmp_path / "s").exists()
