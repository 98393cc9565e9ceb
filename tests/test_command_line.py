"""Each verb on a tiny study, its words compared with what stands here."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


@pytest.fixture
def coins(tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    assert earmark("make", "coins", "coins", "--tosses", 4, "--seed", 7)[0] == 0
    return "coins"


def test_make_says_how_much_it_made(tmp_path: Path, earmark: Call) -> None:
    assert earmark("make", "coins", tmp_path / "c", "--tosses", 4) == (0, "c: 4 items made\n", "")


def test_show_is_a_progress_bar_with_the_next_step(coins: str, earmark: Call) -> None:
    assert earmark("show", coins)[1] == (
        "coins: coins, seed 7, 4 items\n"
        "  [x] 1-material     items.jsonl\n"
        "  [ ] 2-answers      \n"
        "  [ ] 3-references   \n"
        "  [ ] 4-outputs      \n"
        "  [ ] 5-scores       \n"
        "  [ ] 6-report       \n"
        "next: earmark run coins always\n"
    )


def test_ask_reconcile_run_say_what_they_did(coins: str, earmark: Call) -> None:
    assert earmark("ask", coins)[1].startswith(
        "4 questions, 12 opinions, 0.05 hours\n1 batch; 1.44 USD with the market's fee\n"
    )
    assert "12 answers from 3 people" in earmark("ask", coins, "--simulate")[1]
    assert earmark("reconcile", coins)[1] == "majority: 4 items from 0 people\n"
    assert re.fullmatch(r"always: 4 outputs in \d+\.\d s\n", earmark("run", coins, "always")[1])


def test_score_prints_a_row_per_metric_and_signatures_on_request(coins: str, earmark: Call) -> None:
    earmark("run", coins, "always")
    code, out, err = earmark("score", coins, "--resamples", 10)
    lines = out.splitlines()
    assert (code, err, lines[:2]) == (0, "", ["against truth", "always"])
    assert lines[2].split()[:4] == ["metric", "value", "interval", "items"]
    assert lines[3].startswith("heads_f1 ↑  ")
    assert "coins.heads_f1|" not in out
    _, out, _ = earmark("score", coins, "--resamples", 10, "--signatures")
    assert "\ncoins.heads_f1|" in out


def test_json_is_one_document_of_the_promised_shape(coins: str, earmark: Call) -> None:
    earmark("run", coins, "always")
    _, out, _ = earmark("score", coins, "--json")
    told = json.loads(out)
    assert told["task"] == "coins"
    assert set(told["scores"]["heads_f1"]) == {"value", "low", "high", "items", "signature"}
    assert told["details"]["system"] == "always"


def test_a_seed_given_to_a_later_verb_stands_in_for_the_studys_own(
    coins: str, earmark: Call
) -> None:
    earmark("run", coins, "always")
    _, out, _ = earmark("score", coins, "--seed", 99, "--json")
    assert "|seed:99|" in json.loads(out)["scores"]["heads_f1"]["signature"]
    assert earmark("verify", coins)[0] == 0


def test_cite_prints_the_task_and_earmark(coins: str, earmark: Call) -> None:
    _, out, _ = earmark("cite", coins)
    assert "@inproceedings{coin1654," in out and "@software{earmark," in out


def test_every_command_has_help_with_an_example(coins: str, earmark: Call) -> None:
    for verb in ("ask", "reconcile", "run", "score", "report", "show", "verify", "cite", "tour"):
        code, out, _ = earmark(verb, "--help")
        assert code == 0
        assert "Example:" in out and "--json" in out and "--quiet" in out


def test_usage_errors_have_our_shape(earmark: Call) -> None:
    code, out, err = earmark("score")
    assert (code, out) == (2, "")
    assert err == "missing argument 'STUDY'\n  fix:  see `earmark score --help`\n"
    assert "no such option" in earmark("score", "x", "--metrik", "y")[2].lower()


def test_a_bug_of_ours_is_told_as_such(
    coins: str, earmark: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from earmark.study import show

    def broken(study: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(show, "show", broken)
    code, _, err = earmark("show", coins)
    assert code == 3 and "boom" in err and "please report it" in err


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "earmark", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "earmark, version 0.1.0\n"


def test_the_public_names_are_there() -> None:
    import earmark

    for name in earmark.__all__:
        assert getattr(earmark, name) is not None
    with pytest.raises(AttributeError):
        _ = earmark.nothing
