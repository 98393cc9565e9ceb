"""`earmark plan`: how much is enough, from a pilot or a stated spread."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.study.plan import PlanOptions
from earmark.study.record import measured_text
from earmark.study.verify import verify
from earmark.values.errors import InputError, StudyError

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


def pilot(folder: Path, tosses: int = 24) -> Study:
    """Return coins in three hands, with two systems: one is wrong about every fifth coin."""
    study = Study.create(folder / "coins", task="coins", seed=7)
    study.make(tosses=tosses)
    truth = study.truth()
    assert truth is not None
    for name, every in (("good", 5), ("poor", 2)):
        rows = ["item,side"]
        for place, (item, side) in enumerate(sorted(truth.values.items())):
            wrong = place % every == 0
            rows.append(f"{item},{'heads' if side.heads != wrong else 'tails'}")
        path = folder / f"{name}.csv"
        path.write_text("\n".join(rows) + "\n")
        study.run(path)
    return study


def test_a_stated_spread_needs_no_pilot_and_the_price_is_worked_by_hand(tmp_path: Path) -> None:
    """34 groups of 8 coins: 272 questions, 3 answers each at 15 s and .10 plus 20 %."""
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=24)
    result = study.plan(difference=0.05, spread=0.1, answers=3)
    assert result["groups"] == {"value": 34, "low": None, "high": None}
    assert result["items"]["value"] == 272
    assert result["questions"]["value"] == 272
    assert result["answers"]["value"] == 816
    assert result["hours"]["value"] == 3.4
    assert result["money"]["value"] == pytest.approx(816 * 0.10 * 1.2)
    assert result["currency"] == "USD"
    assert result["detectable"] is None  # three hands can show nothing
    stored = json.loads((study.folder / "plan.json").read_text())
    assert {key: stored[key] for key in result} == result


def test_pay_fee_and_currency_change_the_price(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=6)
    plain = study.plan(spread=0.1)["money"]["value"]
    assert study.plan(spread=0.1, pay=0.2)["money"]["value"] == pytest.approx(2 * plain)
    assert study.plan(spread=0.1, fee=0.0)["money"]["value"] == pytest.approx(plain / 1.2)
    assert study.plan(spread=0.1, currency="EUR")["currency"] == "EUR"


def test_a_pilot_gives_the_spread_and_bounds(tmp_path: Path) -> None:
    result = pilot(tmp_path).plan(difference=0.05)
    assert result["metric"] == "heads_f1" and result["reference"] == "truth"
    assert result["spread"]["from"] == "good and poor over 3 parents"
    assert result["groups"]["low"] < result["groups"]["value"] < result["groups"]["high"]
    assert result["systems"] == 2 and result["pairs"] == 1
    assert result["present"] == {"groups": 3, "items": 24}


def test_systems_and_between_change_the_plan(tmp_path: Path) -> None:
    study = pilot(tmp_path)
    study.run("always")
    three = study.plan(difference=0.05)
    assert three["systems"] == 3 and three["pairs"] == 3
    ten = study.plan(difference=0.05, systems=10)
    assert ten["groups"]["value"] > three["groups"]["value"]
    other = study.plan(difference=0.05, between=("good", "always"))
    assert other["spread"]["from"].startswith("good and always")
    with pytest.raises(InputError, match="a difference is between two systems"):
        study.plan(between=("good",))
    with pytest.raises(InputError, match="there is no system with a value 'nobody'"):
        study.plan(between=("good", "nobody"))


def test_a_study_without_systems_or_a_spread_is_refused(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=6)
    with pytest.raises(StudyError, match="nothing says how much a difference varies") as error:
        study.plan()
    assert "--spread" in str(error.value)
    assert not (study.folder / "plan.json").exists()


def test_the_metric_is_built_as_on_the_board(tmp_path: Path) -> None:
    study = pilot(tmp_path)
    plain = study.plan(difference=0.05)["spread"]["value"]
    study.score(resamples=0, people=0, beta=3.0)
    assert study.plan(difference=0.05)["spread"]["value"] != pytest.approx(plain)


def test_answers_per_question_are_the_studys_or_those_of_an_agreement(tmp_path: Path) -> None:
    study = pilot(tmp_path)
    assert study.plan()["answers_per_question"] == {"value": 5, "from": "by default"}
    study.ask(simulate=True)
    assert study.plan()["answers_per_question"] == {"value": 3, "from": "as in the study"}
    per = study.plan(agreement=0.1)["answers_per_question"]
    assert per["value"] == 1
    assert per["compared_with"] == "all 3 answers by majority"
    assert [row["answers"] for row in per["agreement"]] == [1, 2, 3]
    assert per["agreement"][-1]["value"] == 1
    assert study.plan(agreement=1.0)["answers_per_question"]["value"] > 1


def test_a_simulated_crowd_is_compared_with_the_truth(tmp_path: Path) -> None:
    per = pilot(tmp_path).plan(simulate=True)["answers_per_question"]
    assert per["compared_with"] == "truth"
    assert len(per["agreement"]) == 10
    assert per["agreement"][8]["value"] > per["agreement"][0]["value"]


def test_an_agreement_needs_answers(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="how many answers are enough"):
        pilot(tmp_path).plan(agreement=0.9)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("difference", 0.0),
        ("spread", -1.0),
        ("power", 1.0),
        ("level", 0.9),
        ("systems", 1),
        ("answers", 0),
        ("agreement", 1.5),
        ("pay", -0.1),
    ],
)
def test_what_cannot_be_planned_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"--{name}"):
        PlanOptions(**{name: value})  # type: ignore[arg-type]


def test_the_command_says_it_in_words_and_draws_it(tmp_path: Path, earmark: Call) -> None:
    study, path = pilot(tmp_path), tmp_path / "plan.svg"
    code, out, _ = earmark("plan", study.folder, "--difference", 0.05, "--picture", path)
    assert code == 0
    assert "to see a difference of 0.05 in heads_f1 with probability 0.8" in out
    assert "3 parents, as there are now, can show no difference at all" in out
    drawing = ET.fromstring(path.read_text())
    assert drawing.tag.endswith("svg") and "var(--accent)" in path.read_text()
    code, out, _ = earmark("plan", study.folder, "--json", "--spread", 0.2, "--power", 0.9)
    assert code == 0 and json.loads(out)["power"] == 0.9


def test_the_page_shows_the_plan_and_what_was_spent(tmp_path: Path) -> None:
    study = pilot(tmp_path)
    study.plan(difference=0.05)
    study.ask(simulate=True)
    page = study.report().read_text()
    assert "How much is enough" in page
    assert '<td class="number">72</td>' in page  # answers so far: 24 coins, 3 answers each


def test_a_plan_does_not_disturb_verifying_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    study = pilot(tmp_path)
    study.plan(difference=0.05)
    assert verify(study.folder)["ok"]
    path = study.folder / "plan.json"
    whole = path.read_text()
    path.write_text(whole.replace('"power": 0.8', '"power": 0.9', 1))
    (problem,) = verify(study.folder)["problems"]
    assert problem["file"] == "plan.json" and "has the digest" in problem["problem"]
    path.write_text("{}")
    (problem,) = verify(study.folder)["problems"]
    assert problem["file"] == "plan.json"
    with pytest.raises(InputError, match="a plan must have groups"):
        study.planned()


def test_a_plan_is_counted_again_until_the_study_changes(tmp_path: Path) -> None:
    study = pilot(tmp_path)
    study.plan(difference=0.05)
    path = study.folder / "plan.json"
    stored = json.loads(path.read_text())
    del stored["digest"]
    stored["groups"]["value"] = 7
    path.write_text(measured_text(stored))  # forged with its digest
    (problem,) = verify(study.folder)["problems"]
    assert (problem["file"], problem["stored"]) == ("plan.json", 7)
    study.ask(simulate=True)
    result = verify(study.folder)
    assert result["ok"] and any("plan.json" in note for note in result["notes"])
