"""Pages, answers and simulated people."""

import json
import shutil

import pytest

from earmark.tasks.boundaries.ask import CROWD, pages, read_answers, read_form, simulate
from earmark.tasks.boundaries.values import Boundaries
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

ITEM = Item("talk", "transcript", text="a b c d e f g h")


TRUTH = Reference("truth", {"talk": Boundaries(8, {3, 7})})


def test_a_form_names_words_by_number():
    (unit,) = pages([ITEM])
    assert read_form(unit, {"after": [3, 7]}) == Boundaries(8, {3, 7})
    for bad in (None, "3", [8], [-1], [1.5], [True]):
        with pytest.raises(InputError, match="names the words after which"):
            read_form(unit, {"after": bad})


def test_answers_are_read_from_tables_lines_and_folders(tmp_path):
    units = tuple(pages([ITEM]))
    table = tmp_path / "a.csv"
    table.write_text("item,person,after\ntalk,ann,3 7\n")
    lines = tmp_path / "a.jsonl"
    lines.write_text(json.dumps({"item": "talk", "person": "ann", "after": [3, 7]}) + "\n")
    folder = tmp_path / "people"
    (folder / "ann").mkdir(parents=True)
    (folder / "ann" / "talk.txt").write_text("A b c d.\nE f g h\n")
    for path in (table, lines, folder):
        (answer,) = read_answers(path, units)
        assert (answer.person, answer.value) == ("ann", Boundaries(8, {3, 7}))


def test_answers_in_running_text_need_to_be_told_what_ends_a_unit(tmp_path, earmark):
    (tmp_path / "talk.txt").write_text("a b c d.\ne f g h.\n")
    study = tmp_path / "study"
    assert earmark("make", "boundaries", study, "--text", tmp_path / "talk.txt")[0] == 0
    (tmp_path / "people" / "ann").mkdir(parents=True)
    (tmp_path / "people" / "ann" / "talk.txt").write_text("A b c d. E f g h.\n")
    code, _, err = earmark("ask", study, "--import", tmp_path / "people")
    assert code == 2 and "1 unit, 2 sentence marks" in err and "--units marks" in err
    assert not (study / "2-answers").exists()
    for units, after in (("lines", [7]), ("marks", [3, 7])):
        folder = tmp_path / units
        shutil.copytree(study, folder)
        code, _, err = earmark("ask", folder, "--import", tmp_path / "people", "--units", units)
        assert code == 0, err
        assert f'"after": {after}' in (folder / "2-answers" / "answers.jsonl").read_text()


def test_answers_that_cannot_be_read_are_named(tmp_path):
    units = tuple(pages([ITEM]))
    table = tmp_path / "a.csv"
    table.write_text("item,person,after\ntalk,ann,3 x\n")
    with pytest.raises(InputError, match=r"a\.csv:2"):
        list(read_answers(table, units))
    table.write_text("item,person,after\ntalks,ann,3\n")
    with pytest.raises(InputError, match="did you mean talk"):
        list(read_answers(table, units))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="a folder for each person"):
        list(read_answers(tmp_path / "empty", units))


def crowd(**changes):
    return {**CROWD, **changes}


def test_simulated_people_are_seeded_and_never_miss_the_end():
    units = tuple(pages([ITEM]))
    first, second = (list(simulate(units, TRUTH, crowd=crowd(), seed=3)) for _ in range(2))
    assert first == second
    assert len(first) == 3
    assert all(7 in answer.value.after for answer in first)


@pytest.mark.parametrize("habit", ["missed", "made_up", "moved"])
def test_each_habit_of_the_crowd_matters(habit):
    length = 200
    long = Item("long", "transcript", text=" ".join(f"w{n}" for n in range(length)))
    truth = Reference("truth", {"long": Boundaries(length, range(9, length, 10))})
    quiet = {"missed": 0.0, "moved": 0.0, "made_up": 0.0, "opinions": 1, "spread": 0.0}
    units = tuple(pages([long]))
    (exact,) = simulate(units, truth, crowd=crowd(**quiet), seed=1)
    assert exact.value == truth.values["long"]
    (changed,) = simulate(units, truth, crowd=crowd(**{**quiet, habit: 0.3}), seed=1)
    assert changed.value != exact.value
    (other,) = simulate(units, truth, crowd=crowd(**{**quiet, habit: 0.3, "spread": 2}), seed=1)
    assert other.value != changed.value


def test_a_folder_of_answers_to_one_text_may_hold_a_file_per_person(tmp_path):
    units = (Item("talk", "transcript", text="so we went home it was late"),)
    for person, text in (
        ("anna", "so we went home\nit was late"),
        ("ben", "so we\nwent home it was late"),
    ):
        (tmp_path / f"{person}.txt").write_text(text)
    answers = {one.person: one.value.after for one in read_answers(tmp_path, units)}
    assert answers == {"anna": {3, 6}, "ben": {1, 6}}
    two = (*units, Item("other", "transcript", text="x"))
    with pytest.raises(InputError, match="a folder for each person"):
        list(read_answers(tmp_path, two))
