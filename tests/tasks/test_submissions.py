"""Every task takes submissions: its sample passes in the sandbox, and is scored."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.run.strangers import needs_box
from tests.studies import small_study

from earmark import tasks
from earmark.files.sound import write_sound
from earmark.study import Study
from earmark.task.contract import Part

Call = Callable[..., tuple[int, str, str]]


def study_of(task: str, folder: Path) -> Study:
    """A small study with what submissions are given: sounds, or texts."""
    if task != "captions":
        return small_study(task, folder / task, verbs=1)
    sounds = folder / "sounds"
    sounds.mkdir()
    for name in ("a", "b", "c"):
        noise = np.random.default_rng(1).standard_normal(8000).astype(np.float32)
        write_sound(sounds / f"{name}.wav", 0.1 * noise, 16000)
    table = folder / "references.csv"
    table.write_text(
        "file_name,caption_1\na.wav,a dog barks\nb.wav,a cat meows\nc.wav,rain falls on a roof\n"
    )
    study = Study.create(folder / task, task="captions")
    study.make(captions=table, sounds=sounds)
    return Study.open(folder / task)


@pytest.mark.sandbox
@pytest.mark.parametrize("task", ["boundaries", "captions", "context", "events"])
def test_the_sample_passes_dry_and_stored(task: str, tmp_path: Path, earmark: Call) -> None:
    needs_box()
    study = study_of(task, tmp_path)
    with (study.folder / "study.toml").open("a") as file:
        file.write("\n[budget]\nprocesses = 50\n")
        if task == "captions":  # its first metric parses sentences, which takes a while to load
            file.write('[challenge]\nmetric = "bleu_1"\n')
    code, out, err = earmark("kit", study.folder, tmp_path / "kit")
    assert code == 0 and "holds the labels" in err
    assert "| processes and threads | 50 |" in (tmp_path / "kit" / "README.md").read_text()
    practice, sample = tmp_path / "kit" / "practice", tmp_path / "kit" / "sample"
    code, out, _ = earmark("run", practice, sample, "--dry", "--json")
    told = json.loads(out)
    assert told["run"]["budget"]["processes"] == 50
    assert code == 0 and told["run"]["status"] == "done" and told["scores"]
    assert not (practice / "4-outputs").exists()
    assert earmark("run", practice, sample)[0] == 0
    outputs = Study.open(practice).snapshot().outputs()["sample"]
    assert set(outputs) == {item.id for item in Study.open(practice).snapshot().items()}
    assert earmark("verify", practice)[0] == 0


@pytest.mark.parametrize("task", ["boundaries", "captions", "context", "events"])
def test_what_the_code_sees_has_neither_names_nor_labels(task: str, tmp_path: Path) -> None:
    study = study_of(task, tmp_path).snapshot()
    loaded = tasks.load(task)
    assert loaded.submission is not None
    contract = loaded.submission()
    (part,) = contract.parts(study.items(), "key")
    assert set(part.names) == {item.id for item in study.items()}
    shown = _shown(part)
    for item in study.items():
        assert item.id not in shown
    assert "truth" not in shown and "swaps" not in shown and "panel" not in shown
    order = list(contract.parts(study.items(), "key")[0].names.items())
    assert list(part.names.items()) == order


def _shown(part: Part) -> str:
    """The names and texts of all that a part's code sees; sounds by their names alone."""
    return "\n".join(
        f"{name}\n{'' if isinstance(content, Path) else content.decode()}"
        for files in part.folders.values()
        for name, content in files.items()
    )


def test_another_key_is_another_order(tmp_path: Path) -> None:
    study = study_of("captions", tmp_path).snapshot()
    loaded = tasks.load("captions")
    assert loaded.submission is not None
    orders = {
        tuple(loaded.submission().parts(study.items(), str(key))[0].names) for key in range(20)
    }
    assert len(orders) > 3


@pytest.mark.sandbox
def test_an_output_that_lacks_an_item_costs_the_whole(tmp_path: Path, earmark: Call) -> None:
    needs_box()
    study = study_of("captions", tmp_path)
    code = tmp_path / "code"
    code.mkdir()
    (code / "predict.sh").write_text("printf 'item,caption\\nitem00001,a dog\\n' > $2\n")
    status, out, _ = earmark("run", study.folder, code)
    assert status == 1
    assert "code: failed, 0 outputs" in out and "predict all: output" in out
    assert "nothing could be scored" in out


def test_a_study_without_sound_is_no_place_for_captioning_code(
    tmp_path: Path, earmark: Call
) -> None:
    study = small_study("captions", tmp_path / "silent", verbs=1)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "predict.sh").write_text("true\n")
    status, _, err = earmark("run", study.folder, tmp_path / "code")
    assert status == 2 and err.startswith("a submission needs the sound of every item")


def test_phases_and_dry_runs_are_for_submissions(tmp_path: Path, earmark: Call) -> None:
    study = study_of("captions", tmp_path)
    status, _, err = earmark("run", study.folder, tmp_path / "references.csv", "--dry")
    assert status == 2 and err.startswith("phases and dry runs are for submissions")
