"""What is printed where: progress, notes, names that hold codes, help."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from earmark.cli import terminal
from earmark.cli.main import OTHERS, VERBS
from earmark.cli.terminal import CONTROLS, Terminal, progress, shown, visible
from earmark.study import Study
from earmark.task.progress import track

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


def test_long_work_says_where_it_is_where_there_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setattr(terminal, "PATIENCE", 0.05)
    with progress(quiet=False):
        for _ in track(range(2), label="pictures"):
            time.sleep(0.12)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("pictures 0/2 (") and lines[-1].startswith("pictures 1/2 (")


def test_short_or_quiet_work_says_nothing(monkeypatch, capsys):
    with progress(quiet=False):
        list(track(range(2), label="pictures"))
    monkeypatch.setattr(terminal, "PATIENCE", 0.01)
    with progress(quiet=True):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_work_of_unknown_length_is_counted_without_a_question_mark(monkeypatch, capsys):
    monkeypatch.setattr(terminal, "PATIENCE", 0.02)
    with progress(quiet=False):
        for _ in track(iter("ab"), label="letters"):
            time.sleep(0.05)
    err = capsys.readouterr().err
    assert "letters 0 (" in err and "?" not in err


@pytest.mark.parametrize(("things", "shown_count"), [([1, 2, 3], "3/3"), (iter("ab"), "2/2")])
def test_a_bar_shows_how_many_are_done(monkeypatch, capsys, things, shown_count):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(force_terminal=True, width=99))
    with progress(quiet=False):
        list(track(things, label="letters"))
    out = capsys.readouterr().out
    assert shown_count in out and "/?" not in out


def test_codes_in_names_do_not_reach_the_terminal(earmark, tmp_path):
    name = "a\x1b[2Jb"
    rows = ["item,caption", f'"{name}",a dog', "c,rain"]
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    sides = ("--reference", tmp_path / "r.csv", "--output", tmp_path / "r.csv")
    code, out, _ = earmark("measure", "captions", *sides, "--metric", "rouge_l", "--worst", 2)
    assert code == 0
    assert "\x1b" not in out and "a\\x1b[2Jb" in out


def test_what_an_old_terminal_cannot_show_is_replaced(monkeypatch):
    class Old:
        encoding = "ascii"

    monkeypatch.setattr(sys, "stdout", Old())
    assert shown("f1 ↑ errors ↓ – café") == "f1 ^ errors v - caf?"


@pytest.mark.parametrize("word", sorted(OTHERS))
def test_words_that_people_try_lead_to_a_command(earmark, word):
    assert word not in VERBS
    code, _, err = earmark(word)
    assert code == 2
    assert err.startswith(f"there is no command '{word}'\n  fix:  earmark ")


@pytest.mark.parametrize("words", [["show"], ["verify"], ["cite"], ["tasks"], ["report"]])
def test_the_seed_is_not_in_the_help_of_what_draws_nothing(earmark, words):
    assert "--seed" not in earmark(*words, "--help")[1]
    assert "--seed" in earmark("ask", "--help")[1]


def test_one_is_singular_and_money_has_a_currency(earmark, tmp_path):
    (tmp_path / "talk.txt").write_text("we went home\nit was late\n")
    study = tmp_path / "talk"
    _, out, _ = earmark("make", "boundaries", study, "--text", tmp_path / "talk.txt")
    assert out == "talk: 1 item made\n"
    _, out, _ = earmark("ask", study, "--people", 1)
    assert out.startswith("1 question, 1 opinion, ")
    assert "\n1 batch; 0.12 USD with the market's fee\n" in out
    assert " EUR with" in earmark("ask", study, "--currency", "EUR")[1]
    (tmp_path / "out.txt").write_text("we went\nhome it was late\n")
    _, out, _ = earmark("run", study, tmp_path / "out.txt")
    assert out.startswith("out: 1 output in ")
    assert ", 1 item\n" in earmark("show", study)[1]
