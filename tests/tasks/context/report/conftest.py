"""A scored study of context, small enough to draw."""

from pathlib import Path

import pytest

from earmark.study import Study


@pytest.fixture(scope="session")
def study(talks: Path, tmp_path_factory: pytest.TempPathFactory) -> Study:
    study = Study.create(tmp_path_factory.mktemp("report") / "study", task="context", seed=2)
    study.make(text=talks, swaps=4, grades=("phonetic", "embedding"))
    study.run("discourse")
    study.run("local")
    study.score(resamples=20)
    return study
