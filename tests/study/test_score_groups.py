"""Groups of a study's items: what its material declares, items, or a table; verify counts again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


@pytest.fixture
def study(tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch) -> str:
    """Twelve coins, tossed by three hands, and a system that always says heads."""
    monkeypatch.chdir(tmp_path)
    assert earmark("make", "coins", "coins", "--tosses", 12, "--seed", 7)[0] == 0
    assert earmark("run", "coins", "always")[0] == 0
    return "coins"


def scored(earmark: Call, study: str, *words: object) -> dict[str, object]:
    code, out, err = earmark("score", study, "--json", *words)
    assert code == 0, err
    scores: dict[str, object] = json.loads(out)["scores"]["heads_f1"]
    return scores


def test_parents_are_the_default_and_items_can_be_asked_for(study: str, earmark: Call) -> None:
    by_hand, by_coin = scored(earmark, study), scored(earmark, study, "--groups", "item")
    assert by_hand["value"] == by_coin["value"] and by_hand["low"] != by_coin["low"]
    assert "|groups:parent@" in str(by_hand["signature"])
    assert "|groups:item|" in str(by_coin["signature"])


@pytest.mark.parametrize("words", [(), ("--groups", "item"), ("--groups", "t.csv")])
def test_verify_counts_again_with_the_groups_of_the_board(
    study: str, earmark: Call, words: tuple[str, ...]
) -> None:
    rows = "".join(f"coin-{k},{'left' if k % 4 else 'right'}\n" for k in range(12))
    Path("t.csv").write_text("item,group\n" + rows)
    scored(earmark, study, *words)
    Path("t.csv").unlink()
    code, out, err = earmark("verify", study)
    assert code == 0, out + err
