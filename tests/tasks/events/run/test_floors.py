"""Floors: silent, frequent, loud; and their models."""

from pathlib import Path

import numpy as np
import pytest

from earmark.files.sound import write_sound
from earmark.study import Study
from earmark.tasks.events.values import Event
from earmark.values.errors import InputError


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Three recordings of 10 s: noise, 20 dB louder from 4 to 7 s, where a dog barks."""
    folder = tmp_path_factory.mktemp("floors")
    (folder / "wavs").mkdir()
    rows = ["filename\tonset\toffset\tevent_label"]
    for k in range(3):
        sound = np.random.default_rng(k).normal(0, 0.01, 80000)
        sound[32000:56000] *= 10
        write_sound(folder / "wavs" / f"{k}.wav", sound.astype(np.float32), 8000)
        rows += [f"{k}.wav\t4\t7\tdog", f"{k}.wav\t9\t9.5\tcat"]
    (folder / "truth.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    study = Study.create(folder / "street", task="events")
    study.make(audio=folder / "wavs", reference=folder / "truth.tsv")
    return study


def events(study: Study, name: str) -> list[tuple[Event, ...]]:
    return [output.value.events for output in study.outputs()[name].values()]


def test_floors_predict_nothing_the_most_frequent_label_and_what_is_loud(study: Study) -> None:
    for system in ("silent", "frequent", "loud"):
        study.run(system, train_on=None if system == "silent" else "truth")
    assert events(study, "silent") == [()] * 3
    assert events(study, "frequent") == [(Event("dog", 0.0, 10.0),)] * 3
    for ((label, onset, offset),) in (
        [(e.label, e.onset, e.offset) for e in own] for own in events(study, "loud")
    ):
        assert label == "dog" and abs(onset - 4) < 0.2 and abs(offset - 7) < 0.2
    study.score(against="truth", resamples=0)
    values = {row["system"]: row["scores"]["segment_f1"]["value"] for row in study.scores()}
    assert values["silent"] == 0 and values["loud"] > values["frequent"] > 0


@pytest.mark.parametrize("system", ["frequent", "loud", "energy"])
def test_a_model_gives_its_outputs_without_a_reference(
    study: Study, system: str, tmp_path: Path
) -> None:
    card = study.train(system, out=tmp_path / "model", train_on="truth")
    assert card["system"] == system and card["recordings"] == 3
    study.run(system, name="by-model", model=tmp_path / "model")
    assert all(output.value.scores for output in study.outputs()["by-model"].values())
    (tmp_path / "bad").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="a file that train wrote"):
        study.run(system, name="by-model", model=tmp_path / "bad")
