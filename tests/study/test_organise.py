"""Setting a challenge up, by the commands that do it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="needs earmark[web]")

from tests.run.tiny_runner import tiny_zip

from earmark.study import Study
from earmark.study.settings import organisers_tables

pytestmark = pytest.mark.usefixtures("sixth")
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def coins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, seed in (("coins", 1), ("private", 2)):
        Study.create(tmp_path / name, task="coins", seed=seed).make(tosses=6)
    return tmp_path / "coins"


def test_the_first_call_writes_the_rules_and_later_ones_change_what_is_given(
    coins: Path, earmark: Call
) -> None:
    code, out, _ = earmark("challenge", coins, "--private", "private", "--title", "Coins")
    assert code == 0 and out.startswith("Coins: coins, ranked by heads_f1\n")
    tables = organisers_tables(coins)
    assert list(tables["phases"]) == ["feedback", "check", "final"]
    assert tables["phases"]["final"]["data"] == "../private"
    assert earmark("challenge", coins)[0] == 0
    assert organisers_tables(coins) == tables
    earmark("challenge", coins, "--title", "Other")
    assert organisers_tables(coins) == {**tables, "challenge": {"title": "Other"}}


def test_what_cannot_be_is_refused_and_leaves_the_rules_as_they_were(
    coins: Path, earmark: Call
) -> None:
    code, _, err = earmark("challenge", coins, "--private", coins)
    assert code == 2 and "the private data are another study" in err
    earmark("challenge", coins)
    before = (coins / "study.toml").read_text()
    code, _, err = earmark("challenge", coins, "--metric", "wer")
    assert code == 2 and "there is no metric 'wer'" in err
    assert (coins / "study.toml").read_text() == before


def test_teams_come_get_new_tokens_leave_and_come_back(coins: Path, earmark: Call) -> None:
    code, out, _ = earmark("team", coins, "add", "larks", "--json")
    first = json.loads(out)["token"]
    assert code == 0 and first.startswith("team-")
    assert json.loads(earmark("team", coins, "renew", "larks", "--json")[1])["token"] != first
    assert earmark("team", coins, "withdraw", "larks")[1] == (
        "larks has withdrawn and is on no board\n"
    )
    assert ", withdrew " in earmark("team", coins)[1]
    assert earmark("team", coins, "restore", "larks")[1] == "larks takes part again\n"
    code, _, err = earmark("team", coins, "add")
    assert code == 2 and "earmark team STUDY add NAME" in err
    assert earmark("team", coins, "withdraw", "lark")[0] == 2


def test_submit_says_why_it_does_not_take_something(coins: Path, earmark: Call) -> None:
    earmark("challenge", coins)
    earmark("team", coins, "add", "larks")
    path = tiny_zip(coins.parent / "try.zip", "echo heads\n")
    code, _, err = earmark("submit", coins, path, "--team", "larks")
    assert code == 2 and "several phases are open; name one" in err
    code, _, err = earmark("submit", coins, "none.zip", "--team", "larks", "--phase", "check")
    assert code == 2 and "there is no such file or folder" in err
    code, _, err = earmark("submit", coins, path, "--team", "owls", "--phase", "check")
    assert code == 2 and "there is no such team" in err
    code, out, _ = earmark("submit", coins, path, "--team", "larks", "--phase", "check", "--json")
    assert code == 0 and json.loads(out)["state"] == "submitted"
    code, _, err = earmark("submit", coins, path, "--team", "larks", "--phase", "check")
    assert code == 2 and "allows one try in all" in err


@pytest.mark.sandbox
def test_a_worker_runs_what_waits_and_ends(coins: Path, earmark: Call) -> None:
    earmark("challenge", coins)
    earmark("team", coins, "add", "larks")
    folder = coins.parent / "code"
    folder.mkdir()
    script = 'while read coin; do echo "$coin heads"; done < "$1/coins.txt" > "$2"\n'
    (folder / "predict.sh").write_text(script)
    earmark("submit", coins, folder, "--team", "larks", "--phase", "feedback")
    code, out, err = earmark("worker", coins, "--until-empty")
    assert code == 0 and out == "1 worked on; now 1 scored\n"
    assert "larks, 1 of 3 steps, predict hand-0: ok" in err
    code, out, _ = earmark("challenge", coins)
    assert code == 0 and "1 scored" in out
