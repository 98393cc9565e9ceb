"""The task from make to report on a tiny study: systems, training, pictures."""

from dataclasses import replace
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.tasks.events.run.crnn import CrnnOptions
from earmark.tasks.events.values import Event
from earmark.values.errors import InputError


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("studies")
    crowd = folder / "crowd.toml"
    crowd.write_text("people = 30\ncap = 100000\naudibility = 6.0\n", encoding="utf-8")
    made = Study.create(folder / "street", task="events", seed=3)
    made.make("soundscapes", recordings=3, seconds=30.0, snr_low=15.0, gap_high=4.0)
    made.ask(simulate=True, crowd=crowd)
    for way in ("mace", "share"):
        made.reconcile(way)
    return made


def test_energy_learns_from_other_recordings_and_the_truth_is_on_top(study: Study) -> None:
    study.run("energy", train_on="truth")
    for way in ("mace", "share", "truth"):
        study.run("labels", train_on=way, name=way)
    result = study.score(against="truth", resamples=0)
    scores = {row["system"]: row["scores"] for row in study.scores()}
    assert scores["truth"]["segment_f1"]["value"] == 1.0
    assert scores["energy"]["segment_f1"]["value"] > 0.2
    assert scores["energy"]["psds"]["value"] is not None
    assert scores["mace"]["psds"]["value"] is not None  # its soft labels are scores
    assert scores["truth"]["psds"]["value"] is None
    assert result


def test_the_report_has_every_picture(study: Study) -> None:
    study.run("energy", train_on="truth")
    study.score(against="truth", resamples=0)
    figures = {name: draw(study) for name, draw in study.task.report.items()}
    assert all(figures.values()), [name for name, figure in figures.items() if not figure]
    body = figures["timeline"].body
    assert "<audio controls" in body and 'line class="now"' in body and "data:image/png" in body
    assert body.count("<rect") > 10
    assert "80 %" in figures["activity"].body


def test_an_empty_study_has_no_pictures(tmp_path: Path) -> None:
    made = Study.create(tmp_path / "x", task="events", seed=1)
    made.make("soundscapes", recordings=1, seconds=12.0)
    figures = {name: draw(made) for name, draw in made.task.report.items()}
    assert [name for name, figure in figures.items() if figure] == ["timeline"]


def test_a_system_that_learns_says_what_it_needs(study: Study) -> None:
    with pytest.raises(InputError, match="crnn learns from a reference"):
        list(study.task.run["crnn"](study.items(), train_on=None, seed=1))


def test_the_crnn_learns_by_folds_and_from_a_model(study: Study, tmp_path: Path) -> None:
    study.run("crnn", train_on="truth", folds=3, epochs=1, checkpoints=tmp_path / "unfinished")
    outputs = study.outputs()["crnn"]
    assert set(outputs) == {item.id for item in study.items()}
    assert all(output.value.scores for output in outputs.values())
    card = study.train("crnn", out=tmp_path / "m.safetensors", train_on="truth", epochs=1)
    assert card["parameters"] > 10_000 and card["held_out_loss"] is not None
    assert len(card["validated_on"]) == 1
    study.run("crnn", name="kept", model=tmp_path / "m.safetensors")
    assert set(study.outputs()["kept"]) == set(outputs)
    items = tuple(replace(item, details={"labels": ["siren"]}) for item in study.items())
    with pytest.raises(InputError, match="there is no label in the study 'car_horn'"):
        options = CrnnOptions(model=tmp_path / "m.safetensors")
        list(study.task.run["crnn"](items, options, train_on=None, seed=1))
    (tmp_path / "bad").write_text("no model", encoding="utf-8")
    with pytest.raises(InputError, match="a CRNN model is a file that train wrote"):
        study.run("crnn", name="bad", model=tmp_path / "bad")


def test_outputs_come_from_a_file_by_name(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    head = "filename\tonset\toffset\tevent_label\n"
    path.write_text(head + "soundscape-00.flac\t1\t2\tsiren\n", encoding="utf-8")
    study.run(path, name="mine")
    lines = {item: output.value for item, output in study.outputs()["mine"].items()}
    assert lines["soundscape-00"].events == (Event("siren", 1, 2),)
    assert lines["soundscape-01"].events == ()
    path.write_text(head + "other.flac\t1\t2\tsiren\n", encoding="utf-8")
    with pytest.raises(InputError, match="a recording that is not there"):
        study.run(path, name="mine")
