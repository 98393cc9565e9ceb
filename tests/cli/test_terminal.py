"""What steers a terminal never reaches it, wherever it came from."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.cli.terminal import CONTROLS, Terminal, visible
from earmark.study import Study

Call = Callable[..., tuple[int, str, str]]
# Escape, the eight-bit escape, bell, backspace, return, reversed text, another line end.
STEERING = "\x1b[31m \x9b2J \x07 \x08 \r \u202e \u2028"


def test_lines_show_controls_and_leave_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(as_json=False, quiet=False).result({}, lambda: iter([f"a\tb\n{STEERING} é \u200c"]))
    out = capsys.readouterr().out
    assert not CONTROLS.search(out)
    assert out.startswith("a\tb\n\\x1b[31m \\x9b2J") and out.endswith("é \u200c\n")


def test_json_escapes_controls_and_is_read_back_as_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Terminal(as_json=True, quiet=False).result({"label": STEERING}, lambda: iter([]))
    out = capsys.readouterr().out
    assert not CONTROLS.search(out) and json.loads(out) == {"label": STEERING}


def test_notes_show_controls(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(as_json=False, quiet=False).note(STEERING)
    assert capsys.readouterr().err == visible(STEERING) + "\n"


@pytest.mark.usefixtures("sixth")
def test_a_file_with_escapes_in_its_name_does_not_steer_verify(
    tmp_path: Path, earmark: Call
) -> None:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=3)
    (study.folder / "1-material" / "\x1b]0;evil\x07").write_text("")
    code, out, err = earmark("verify", study.folder)
    assert code == 1 and "\\x1b]0;evil\\x07: is extra" in out
    assert not CONTROLS.search(out + err)
