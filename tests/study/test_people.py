"""People beside the systems of a study."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.task.progress import notes_to
from earmark.values.errors import InputError

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


def asked(folder: Path, **names: str) -> Study:
    """Return a study of nine coins that three people looked at; some under other names."""
    study = Study.create(folder / "coins", task="coins", seed=7)
    study.make(tosses=9)
    study.ask(simulate=True)
    path = study.folder / "2-answers" / "answers.jsonl"
    text = path.read_text()
    for old, new in names.items():
        text = text.replace(json.dumps(old), json.dumps(new))
    path.write_text(text)
    study = Study.open(study.folder)
    study.reconcile("majority", tie=False)
    study.run("always")
    return study


def test_nobody_is_in_the_reference_that_they_are_scored_against(tmp_path: Path) -> None:
    """Of two others who disagree neither wins without `tie`: heads where both of them say so."""
    study = asked(tmp_path)
    ballots = study.ballots()
    assert ballots is not None
    said = {(a.person, a.item): a.value.heads for a in ballots.answers}
    result = study.score("majority", resamples=0)
    rows = result["people"]["metrics"]["heads_f1"]
    for person, others in (("p0", ("p1", "p2")), ("p1", ("p0", "p2")), ("p2", ("p0", "p1"))):
        items = [item.id for item in study.items()]
        heads = {item for item in items if all(said[other, item] for other in others)}
        own = {item for item in items if said[person, item]}
        expected = 2 * len(heads & own) / (len(heads) + len(own))
        assert rows["people"]["persons"][person]["value"] == pytest.approx(expected)
        beside = 2 * len(heads) / (len(heads) + len(items))
        assert rows["systems"]["always"]["persons"][person] == pytest.approx(beside)


def test_people_have_a_file_of_their_own_whatever_they_are_called(tmp_path: Path) -> None:
    study = asked(tmp_path, p0="a/b--c", p1="always")
    result = study.score("majority", resamples=20)
    assert sorted(path.name for path in (study.folder / "5-scores").iterdir()) == [
        "SHA256SUMS",
        "always--majority.json",
        "board-majority.json",
        "items-majority.json",
        "people-majority.json",
    ]
    persons = result["people"]["metrics"]["heads_f1"]["people"]["persons"]
    assert set(persons) == {"a/b--c", "always", "p2"}
    assert persons["always"]["value"] != result["systems"]["always"]["scores"]["heads_f1"]["value"]
    stored = study.people()["majority"]["metrics"]
    assert stored == result["people"]["metrics"]
    assert "a/b--c" in study.report().read_text()


def test_at_most_so_many_people_are_scored_and_none_leaves_no_file(
    tmp_path: Path, earmark: Call
) -> None:
    place = asked(tmp_path).folder
    code, out, _ = earmark("score", place, "--against", "majority", "--people", 2, "--json")
    people = json.loads(out)["people"]
    assert code == 0 and (people["people"], people["scored"]) == (3, 2)
    code, out, _ = earmark("score", place, "--against", "majority", "--people", 0, "--json")
    assert code == 0 and "people" not in json.loads(out)
    assert not (place / "5-scores" / "people-majority.json").exists()


def test_the_command_says_in_one_line_how_people_do_beside_the_systems(
    tmp_path: Path, earmark: Call
) -> None:
    place = asked(tmp_path).folder
    _, out, _ = earmark("score", place, "--against", "majority", "--resamples", 0)
    (line,) = [line for line in out.splitlines() if "people" in line]
    assert line.startswith("people: 3 of 3 people who answered, heads_f1 0.")
    assert "; systems on the same references: always 0." in line


def test_people_are_not_scored_when_answers_changed_since_the_reference(tmp_path: Path) -> None:
    study = asked(tmp_path)
    path = study.folder / "2-answers" / "answers.jsonl"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    notes: list[str] = []
    with notes_to(notes.append):
        result = Study.open(study.folder).score("majority", resamples=0)
    assert "people" not in result
    (note,) = notes
    assert note.startswith("people are not scored: answers or material changed since majority")
    assert "people" in Study.open(study.folder).score("truth", resamples=0)


def test_a_damaged_file_of_people_is_refused_with_its_name(tmp_path: Path) -> None:
    study = asked(tmp_path)
    study.score("majority", resamples=0)
    path = study.folder / "5-scores" / "people-majority.json"
    path.write_text('{"metrics": {"heads_f1": {}}}')
    with pytest.raises(InputError, match="a file of people must have people and systems"):
        Study.open(study.folder).people()


def test_what_is_stored_of_people_does_not_disturb_verifying(tmp_path: Path) -> None:
    study = asked(tmp_path)
    study.score("majority", resamples=20)
    from earmark.study.verify import verify

    assert verify(study.folder)["ok"]
