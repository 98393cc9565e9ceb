"""Outputs from files."""

import json

import pytest

from earmark.study import Study
from earmark.tasks.boundaries.run.outputs import SegmentedOutputOptions, read_outputs
from earmark.values.errors import InputError
from earmark.values.item import Item

TEXT = "Mr. Hill spoke. Who heard him? We did - and so did they; it was loud.\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text(TEXT)
    return path


ITEM = Item("talk", "transcript", text="a b c d e f g h")


def test_outputs_are_read_from_files_of_text(text, tmp_path):
    study = Study.create(tmp_path / "talk", task="boundaries", seed=7)
    study.make(text=(text,))
    guess = tmp_path / "guess.txt"
    guess.write_text("mr hill spoke\nwho heard him we did\nand so did they it was loud\n")
    study.run(guess, name="mine")
    printed = study.score(resamples=0)
    assert printed["systems"]["mine"]["scores"]["mean_f1"]["value"] == pytest.approx(0.4)
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"item": "talk", "after": [2, 5]}) + "\n")
    study.run(rows)
    assert study.outputs()["rows"]["talk"].value.after == {2, 5, 14}


def test_an_output_for_every_item_is_needed(tmp_path):
    items = (ITEM, Item("other", "transcript", text="x y"))
    path = tmp_path / "one.txt"
    path.write_text("a b c d\ne f g h\n")
    with pytest.raises(InputError, match="a text for every item") as error:
        list(read_outputs(path, items))
    assert "none for 2 items (other, talk); 1 text (text) of no item" in str(error.value)


def test_running_text_is_not_read_as_an_output_of_one_unit(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("A b c d. E f g h.\n")
    with pytest.raises(InputError, match="read as one unit") as error:
        list(read_outputs(path, (ITEM,)))
    assert "2 sentence marks\n  fix:  pass --units marks" in str(error.value)
    (output,) = read_outputs(path, (ITEM,), SegmentedOutputOptions(units="marks"))
    assert output.value.after == {3, 7}
    path.write_text("A b c d. E? f g h.\n")
    (output,) = read_outputs(path, (ITEM,), SegmentedOutputOptions(units="marks", marks="?"))
    assert output.value.after == {4, 7}


def test_lines_of_json_of_which_few_match_are_counted_and_refused(tmp_path):
    path = tmp_path / "o.jsonl"
    path.write_text('{"id": "talk", "after": [3]}\n{"id": "nope", "after": [3]}\n')
    items = (ITEM, Item("other", "transcript", text="x y"))
    counted = r"none for 1 item \(other\); 1 of 2 lines \(talk, nope\) match"
    with pytest.raises(InputError, match=counted):
        list(read_outputs(path, items))


def test_lines_of_json_name_items_with_or_without_extension(tmp_path):
    path = tmp_path / "o.jsonl"
    path.write_text('{"item": "audio/talk.wav", "after": [3]}\n')
    (output,) = read_outputs(path, (ITEM,))
    assert output.item == "talk"


def test_a_folder_of_texts_is_a_system(tmp_path):
    place, guess = tmp_path / "texts", tmp_path / "guess"
    for folder, ends in ((place, (3, 7)), (guess, (3, 8))):
        folder.mkdir()
        for number in range(2):
            words = [f"w{n}" for n in range(9)]
            lines = [words[: ends[0]], words[ends[0] : ends[1]], words[ends[1] :]]
            text = "\n".join(" ".join(line) + "." for line in lines if line)
            (folder / f"t{number}.txt").write_text(text)
    study = Study.create(tmp_path / "corpus", task="boundaries", seed=1)
    study.make(text=(place,))
    study.run(guess)
    assert study.score(resamples=0)["scores"]["mean_f1"]["value"] == pytest.approx(0.5)
