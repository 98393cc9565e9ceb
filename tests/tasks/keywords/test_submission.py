"""Our systems as submissions to the challenge."""

import subprocess
import sys

import pytest

from earmark.tasks.keywords.files import read_predictions
from earmark.tasks.keywords.submission import main, write_submission


@pytest.mark.slow
def test_the_challenges_scripts_enrol_and_predict(networks: None, recordings, tmp_path) -> None:
    write_submission("auto", tmp_path / "code")
    test = recordings / "ana" / "river"
    env = {"PYTHON": sys.executable, "PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"}
    steps = (
        ("initialize.sh",),
        ("enrollment.sh", recordings / "ana" / "lamp", tmp_path / "work with blanks"),
        ("predict.sh", test, tmp_path / "work with blanks", tmp_path / "out" / "ana.txt"),
    )
    for script, *words in steps:
        done = subprocess.run(
            ["/bin/bash", tmp_path / "code" / script, *words],
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    clips = {path.name: None for path in test.iterdir()}
    verdicts = read_predictions(tmp_path / "out" / "ana.txt", clips)
    assert len(verdicts) == 7 and all(v.status == "ok" for v in verdicts.values())


@pytest.mark.parametrize("words", [[], ["enrol", "auto"], ["enrol", "none", "a", "b"]])
def test_a_wrong_call_says_why_and_ends_with_two(words, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err
