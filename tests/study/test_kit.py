"""The starting kit: what it holds, what it never gives away, and its one command."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.run.strangers import challenge, needs_box

from earmark.study import Study

Call = Callable[..., tuple[int, str, str]]
PHASE = '\n[phases.feedback]\nshows = "scores"\n'


@pytest.fixture
def wake(tmp_path: Path) -> Path:
    return challenge(tmp_path, 1, memory_megabytes=512.0).folder


def add(study: Path, text: str) -> None:
    with (study / "study.toml").open("a") as file:
        file.write(text)


def test_a_kit_holds_practice_data_rules_a_sample_and_baselines(
    wake: Path, tmp_path: Path, earmark: Call
) -> None:
    code, out, _ = earmark("kit", wake, tmp_path / "kit")
    assert (code, out) == (
        0,
        f"{tmp_path}/kit: 8 items, baselines: auto, template, window\n"
        f"try it: bash {tmp_path}/kit/try.sh\n",
    )
    kit = tmp_path / "kit"
    names = sorted(path.name for path in kit.iterdir())
    assert names == ["README.md", "baselines", "practice", "sample", "try.sh"]
    assert sorted(path.name for path in (kit / "baselines").iterdir()) == [
        *("auto", "template", "window"),
    ]
    rules = (kit / "README.md").read_text()
    for line in ("| enrollment.sh, each speaker | 20 s |", "| memory | 512 MB |"):
        assert line in rules
    assert "Speakers for which a step fails, takes too long" in rules
    practice = Study.open(kit / "practice").snapshot()
    assert practice.settings()["budget"]["memory_megabytes"] == 512.0
    assert practice.truth() is not None
    assert earmark("verify", kit / "practice")[0] == 0


def test_data_that_a_phase_is_scored_on_are_never_given_away(
    wake: Path, tmp_path: Path, earmark: Call
) -> None:
    add(wake, PHASE)
    code, _, err = earmark("kit", wake, tmp_path / "kit")
    assert code == 2 and err.startswith(
        "the phase feedback is scored on these data, and a kit gives their labels away\n"
    )
    assert not (tmp_path / "kit").exists()
    other = challenge(tmp_path / "other", 2).folder
    assert earmark("kit", wake, tmp_path / "kit", "--practice", other)[0] == 0
    practice = Study.open(tmp_path / "kit" / "practice").snapshot()
    assert len(practice.items()) == 16 and "phases" not in practice.settings()


def test_the_phase_of_practice_names_its_data(wake: Path, tmp_path: Path, earmark: Call) -> None:
    other = challenge(tmp_path / "other", 2).folder
    add(wake, PHASE + f'\n[phases.practice]\ndata = "{os.path.relpath(other, wake)}"\n')
    assert earmark("kit", wake, tmp_path / "kit")[0] == 0
    assert len(Study.open(tmp_path / "kit" / "practice").snapshot().items()) == 16


def test_a_kit_needs_a_folder_of_its_own(wake: Path, tmp_path: Path, earmark: Call) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    code, _, err = earmark("kit", wake, tmp_path / "full")
    assert code == 2 and err.startswith("a kit needs a folder of its own")


@pytest.mark.sandbox
def test_one_command_runs_and_scores(wake: Path, tmp_path: Path, earmark: Call) -> None:
    needs_box()
    assert earmark("kit", wake, tmp_path / "kit")[0] == 0
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "earmark").write_text(f'#!/bin/bash\nexec {sys.executable} -m earmark "$@"\n')
    (programs / "earmark").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    words = ["bash", str(tmp_path / "kit" / "try.sh"), "sample"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "sample: done, 3 outputs" in done.stdout and "wake_score" in done.stdout
