"""Systems, training and pictures on a tiny study."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from earmark.study import Study
from earmark.tasks.events.run.folds import folds
from earmark.tasks.events.run.frames import Bands, log_mel, median, targets
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError
from earmark.values.item import Item


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


def test_folds_never_part_a_recording() -> None:
    items = [Item(f"{r}-{k}", "part", parent=r) for r in "abc" for k in range(2)]
    dealt = folds(items, 2)
    assert sorted(k for fold in dealt for k in fold) == list(range(6))
    for fold in dealt:
        inside = {items[k].parent for k in fold}
        assert all(items[k].parent not in inside for k in range(6) if k not in fold)
    with pytest.raises(InputError, match="two recordings or more"):
        folds(items[:2], 2)
    with pytest.raises(InputError, match="two folds or more"):
        folds(items, 1)


def test_frames_hear_what_sounds_in_their_middle() -> None:
    wanted = targets(Timeline(4, (Event("a", 1.0, 2.0),)), ["a", "b"], 8, 0.5)
    assert wanted[:, 0].tolist() == [0, 0, 1, 1, 0, 0, 0, 0]
    assert not wanted[:, 1].any()


def test_a_tone_lights_its_own_band() -> None:
    bands = Bands()
    time = np.arange(bands.rate * 2) / bands.rate
    tone = np.where(time < 1, np.sin(2 * np.pi * 1000 * time), 0).astype(np.float32)
    energies = log_mel(tone, bands)
    gained = energies[:15].mean(axis=0) - energies[-15:].mean(axis=0)
    assert gained.argmax() == pytest.approx(13, abs=3)


def test_a_running_median_drops_single_frames() -> None:
    scores = np.array([[0.0], [1.0], [0.0], [0.0], [1.0], [1.0], [1.0]])
    assert median(scores, 3)[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_energy_learns_from_other_recordings_and_the_truth_is_on_top(study: Study) -> None:
    study.run("energy", train_on="truth")
    for way in ("mace", "share", "truth"):
        study.run("labels", train_on=way, name=way)
    told = study.score(against="truth", resamples=0)
    scores = {row["system"]: row["scores"] for row in study.scores()}
    assert scores["truth"]["segment_f1"]["value"] == 1.0
    assert scores["energy"]["segment_f1"]["value"] > 0.2
    assert scores["energy"]["psds"]["value"] is not None
    assert scores["mace"]["psds"]["value"] is None
    assert told


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
    study.run("crnn", train_on="truth", folds=3, epochs=2)
    outputs = study.outputs()["crnn"]
    assert set(outputs) == {item.id for item in study.items()}
    assert all(output.value.scores for output in outputs.values())
    card = study.train("crnn", out=tmp_path / "m.safetensors", train_on="truth", epochs=2)
    assert card["parameters"] > 10_000 and card["held_out_f1"] is not None
    study.run("crnn", name="kept", model=tmp_path / "m.safetensors")
    assert set(study.outputs()["kept"]) == set(outputs)
    items = tuple(replace(item, details={"labels": ["siren"]}) for item in study.items())
    with pytest.raises(InputError, match="there is no label in the study 'car_horn'"):
        list(study.task.run["crnn"](items, train_on=None, seed=1, model=tmp_path / "m.safetensors"))
    (tmp_path / "bad").write_text("no model", encoding="utf-8")
    with pytest.raises(InputError, match="a CRNN model is a file that train wrote"):
        study.run("crnn", name="bad", model=tmp_path / "bad")


def test_the_published_net_has_the_published_size() -> None:
    from earmark.tasks.events.run.nets import Crnn, Shape

    net = Crnn(Shape.of("paper", list("abcdef")))
    assert abs(sum(part.numel() for part in net.parameters()) - 366_822) < 4_000


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
