"""A sixth task is one folder: it walks all six verbs without a line changed elsewhere."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.study import Study

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


def walked(folder: Path) -> Study:
    study = Study.create(folder / "coins", task="coins", seed=7)
    study.make(tosses=9)
    study.ask(simulate=True)
    study.reconcile("majority")
    study.run("always")
    study.score("majority", resamples=100)
    study.report()
    return Study.open(folder / "coins")


def test_it_is_found_by_looking_in_its_folder(earmark: Call) -> None:
    code, out, _ = earmark("tasks", "--json")
    assert code == 0
    assert json.loads(out)["tasks"]["coins"]["score"] == ["heads_f1"]


def test_it_walks_all_six_verbs_from_the_command_line(tmp_path: Path, earmark: Call) -> None:
    place = tmp_path / "coins"
    for words in (
        ("make", "coins", place, "--tosses", 9, "--seed", 7),
        ("ask", place, "--simulate", "--people", 5),
        ("reconcile", place, "--by", "majority", "--no-tie"),
        ("run", place, "always", "--heads"),
        ("score", place, "--against", "majority", "--resamples", 50, "--beta", 2),
        ("report", place),
    ):
        code, out, err = earmark(*words, "--json")
        assert code == 0, err
        json.loads(out)
    assert sorted(p.name for p in place.iterdir()) == [
        "1-material",
        "2-answers",
        "3-references",
        "4-outputs",
        "5-scores",
        "6-report",
        "study.toml",
    ]
    page = (place / "6-report" / "index.html").read_text()
    assert "The coins" in page and "Against majority" in page
    assert "https://" not in page.replace("http://www.w3.org", "")


def test_the_score_is_the_one_worked_by_hand(tmp_path: Path) -> None:
    """Seed 7 tosses heads for some of nine coins; calling heads always finds them all."""
    study = walked(tmp_path)
    truth = study.reference("truth").values
    heads = sum(side.heads for side in truth.values())
    told = study.score("truth", resamples=0)
    expected = 2 * heads / (2 * heads + (9 - heads))
    assert told["scores"]["heads_f1"]["value"] == pytest.approx(expected)
    assert told["scores"]["heads_f1"]["signature"].startswith(
        "coins.heads_f1|beta:1.0|average:micro|empty:skip|items:9|groups:parent@"
    )


def test_people_stand_on_the_same_scale(tmp_path: Path) -> None:
    result = walked(tmp_path).score("truth", resamples=0)
    rows = result["people"]["metrics"]["heads_f1"]
    assert set(rows["people"]["persons"]) == {"p0", "p1", "p2"}
    assert rows["systems"]["always"]["value"] == pytest.approx(
        result["scores"]["heads_f1"]["value"]
    )
    assert [row["system"] for row in result["board"]["heads_f1"]] == ["always"]
    assert list(result["systems"]) == ["always"]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = walked(tmp_path / "a").folder, walked(tmp_path / "b").folder
    for path in sorted(first.rglob("*")):
        if path.is_file() and path.name != "cost.json":
            assert path.read_bytes() == (second / path.relative_to(first)).read_bytes(), path


def test_another_seed_gives_other_bytes(tmp_path: Path) -> None:
    coins = [Study.create(tmp_path / str(seed), task="coins", seed=seed) for seed in (1, 2)]
    for study in coins:
        study.make(tosses=40)
    assert coins[0].truth() != coins[1].truth()


def test_a_deleted_place_is_made_again_to_the_byte(tmp_path: Path) -> None:
    study = walked(tmp_path)
    path = study.folder / "3-references" / "majority.jsonl"
    before = path.read_bytes()
    study.forget("3-references")
    study.reconcile("majority")
    assert path.read_bytes() == before


def test_a_verb_that_a_task_lacks_does_not_appear_in_its_help(earmark: Call) -> None:
    code, out, _ = earmark("make", "--help")
    assert code == 0 and "coins" in out
    for verb in ("audit", "train"):
        _, out, _ = earmark(verb, "--help")
        assert "coins" not in out


def test_options_come_from_the_functions_that_use_them(tmp_path: Path, earmark: Call) -> None:
    _, out, _ = earmark("make", "coins", "--help")
    assert "--tosses N" in out and "How many coins.  [6]" in out
    study = walked(tmp_path)
    _, out, _ = earmark("score", study.folder, "--help")
    assert "--beta X" in out and "How much recall weighs." in out


def test_it_is_measured_from_two_files(tmp_path: Path, earmark: Call) -> None:
    """Heads expected twice and called twice, once rightly: precision = recall = F = 1/2."""
    (tmp_path / "ref.csv").write_text("item,side\na,heads\nb,heads\nc,tails\n")
    (tmp_path / "out.csv").write_text("item,side\na,heads\nb,tails\nc,heads\n")
    code, out, _ = earmark(
        "measure",
        "coins",
        "--reference",
        tmp_path / "ref.csv",
        "--output",
        tmp_path / "out.csv",
        "--json",
    )
    assert code == 0
    assert json.loads(out)["scores"]["heads_f1"]["value"] == 0.5


def test_its_tour_joins_the_tour(tmp_path: Path, earmark: Call) -> None:
    code, out, err = earmark("tour", tmp_path / "tour", "--task", "coins", "--json")
    assert code == 0, err
    told = json.loads(out)
    assert told["tasks"]["coins"]["problem"] is None
    assert "Nine coins." in Path(told["page"]).read_text()
    assert (tmp_path / "tour" / "coins" / "6-report" / "index.html").exists()


def test_a_file_of_outputs_is_a_system(tmp_path: Path, earmark: Call) -> None:
    study = walked(tmp_path)
    rows = "".join(f"coin-{n},{'heads' if n % 2 else 'tails'}\n" for n in range(9))
    (tmp_path / "mine.csv").write_text("item,side\n" + rows)
    code, out, _ = earmark("run", study.folder, tmp_path / "mine.csv", "--name", "other", "--json")
    assert code == 0 and json.loads(out)["outputs"] == 9
    assert set(study.outputs()) == {"always", "other"}


def test_more_answers_are_asked_where_the_doubt_is(tmp_path: Path, earmark: Call) -> None:
    study = walked(tmp_path)
    ballots = study.ballots()
    assert ballots is not None
    doubt = study.references()["majority"].doubt
    code, out, err = earmark("ask", study.folder, "--more", 2, "--simulate", "--json")
    assert code == 0, err
    told = json.loads(out)
    assert told["opinions"] == 2 and told["answers"] == len(ballots.answers) + 2
    assert all(doubt[item] == max(doubt.values()) for item in told["next"][:1])
