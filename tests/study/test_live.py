"""Answers from the browser in the study's files: none lost, none twice, the withdrawn gone."""

import json
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from tests.web.apps import application, joined
from tests.web.serving import events_study

from earmark.study import Study
from earmark.study.live import LEFT_OUT, LIVE
from earmark.values.errors import InputError

LABELS = (["dog_bark"], ["none"], ["siren", "car_horn"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return events_study(tmp_path_factory.mktemp("live") / "street", seconds=12.0).folder


@pytest.fixture
def street(made: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(made, tmp_path / "street"))


def answer_all(client, headers: dict[str, str], number: int = 0) -> int:
    """Answer whatever one person gets; return how much that was."""
    count = 0
    while (reply := client.get("/api/next", headers=headers)).status_code == 200:
        unit = reply.json()["unit"]
        value = {"labels": LABELS[(number + count) % len(LABELS)]}
        form = {"unit": unit, "value": value, "seconds": 2.5, "key": f"{number}-{unit}-key"}
        assert client.post("/api/answers", headers=headers, json=form).status_code == 201
        count += 1
    return count


def stored(study: Path) -> list[tuple[str, str, frozenset[str], float | None, str | None]]:
    ballots = Study.open(study).snapshot().answers()
    return sorted(
        (a.item, a.person, a.value.labels, a.seconds_taken, a.given_at) for a in ballots.answers
    )


def test_live_answers_come_into_the_study_and_coming_again_changes_nothing(street: Path) -> None:
    with application(street, people=2) as client:
        given = sum(answer_all(client, joined(client), number) for number in range(4))
    first = Study.open(street).ask(import_from=LIVE)
    assert first["answers"] == given > 0
    before = (street / "2-answers" / "answers.jsonl").read_bytes()
    assert Study.open(street).ask(import_from=LIVE)["answers"] == given
    assert (street / "2-answers" / "answers.jsonl").read_bytes() == before


def test_whoever_withdraws_is_gone_from_the_files_too(street: Path) -> None:
    with application(street, people=2) as client:
        ann, bob = joined(client), joined(client)
        answer_all(client, ann)
        assert answer_all(client, bob) > 0
        Study.open(street).ask(import_from=LIVE)
        client.delete("/api/people/me", headers=ann)
        Study.open(street).ask(import_from=LIVE)
        assert len({person for _, person, *_ in stored(street)}) == 1
        client.delete("/api/people/me", headers=bob)
        assert Study.open(street).ask(import_from=LIVE)["answers"] == 0
    assert not (street / "2-answers" / "answers.jsonl").exists()


def test_answers_that_do_not_count_are_kept_with_the_reason(street: Path) -> None:
    with application(street, people=2) as client:
        headers = joined(client)
        unit = client.get("/api/next", headers=headers).json()["unit"]
        form = {"unit": unit, "value": {"labels": ["none"]}, "seconds": 1.0}
        for key, status in (("first-key", 201), ("second-key", 409)):
            sent = {**form, "key": key}
            assert client.post("/api/answers", headers=headers, json=sent).status_code == status
    result = Study.open(street).ask(import_from=LIVE)
    assert result["answers"] == 1
    lines = (street / "2-answers" / LEFT_OUT).read_text().splitlines()
    assert json.loads(lines[1])["why"] == "answered already"


def test_answers_of_others_stay_beside_the_live_ones(street: Path, tmp_path: Path) -> None:
    unit = Study.open(street).snapshot().units()[0].id
    (tmp_path / "a.csv").write_text(f"item,person,labels\n{unit},ann,siren\n")
    Study.open(street).ask(import_from=tmp_path / "a.csv")
    with application(street) as client:
        given = answer_all(client, joined(client))
    assert Study.open(street).ask(import_from=LIVE)["answers"] == given + 1


@pytest.mark.parametrize("to", ["csv", "tsv", "jsonl", "parquet"])
def test_live_answers_exported_and_imported_are_the_same(
    street: Path, tmp_path: Path, made: Path, to: str
) -> None:
    import shutil

    with application(street, people=3) as client:
        for number in range(3):
            answer_all(client, joined(client), number)
    Study.open(street).ask(import_from=LIVE)
    Study.open(street).export(tmp_path / "out", to, what="answers")
    other = Path(shutil.copytree(made, tmp_path / "other"))
    Study.open(other).ask(import_from=tmp_path / "out" / f"answers.{to}")
    assert stored(other) == stored(street)
    assert all(given_at for *_, given_at in stored(other))


def test_before_anybody_answered_there_is_nothing_to_take(street: Path) -> None:
    with pytest.raises(InputError, match="nobody has answered in the browser yet"):
        Study.open(street).ask(import_from=LIVE)
