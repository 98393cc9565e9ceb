import json

import pytest
from tests.tasks.context.making import corrupted

from earmark.tasks.context.files import measure, read_changes, read_outputs, read_scores, read_truth
from earmark.tasks.context.values import Flags, Swaps
from earmark.values.errors import InputError
from earmark.values.item import Item


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


TRUTH = {"id": "a", "tokens": ["we", "shop"], "labels": [0, 1]}


def test_truth_and_scores_are_paired_by_id(tmp_path):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "a", "scores": [0.1, 0.9], "threshold": 0.5})
    pairing = measure((truth,), scores)
    assert pairing.reference["a"] == Flags(2, frozenset({1}))
    assert pairing.output["a"].threshold == 0.5


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"id": "a", "tokens": ["x"], "labels": [0, 1]}, "one label for every token"),
        ({"id": "a", "tokens": ["x"], "labels": [2]}, "labels must be a list of 0 and 1"),
        ({"tokens": ["x"], "labels": [1]}, "every line must name its item"),
        ({**TRUTH, "changes": []}, "labels and changes must be of the same tokens"),
    ],
)
def test_truth_that_contradicts_itself_is_refused_with_its_line(tmp_path, row, words):
    path = write(tmp_path / "t.jsonl", {"id": "z", "tokens": ["y"], "labels": [0]}, row)
    with pytest.raises(InputError, match=words) as error:
        read_truth(path)
    assert f"{path}:2" in str(error.value)


def test_scores_with_nan_are_refused_with_line_and_token(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": "a", "scores": [0.1, NaN]}\n', encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_scores(path)
    assert str(error.value).split("\n")[:2] == [
        "a score must be a finite number",
        f"  at:   {path}:1, token 1",
    ]


def test_scores_of_another_length_name_the_item(tmp_path):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "a", "scores": [0.1]})
    with pytest.raises(InputError, match="there must be one score for every token") as error:
        measure((truth,), scores)
    assert "1 scores, 2 labels" in str(error.value)


def test_an_item_twice_and_an_empty_file_are_refused(tmp_path):
    with pytest.raises(InputError, match="an item must appear once"):
        read_truth(write(tmp_path / "t.jsonl", TRUTH, TRUTH))
    (tmp_path / "e.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="must not be empty"):
        read_scores(tmp_path / "e.jsonl")


def test_ids_match_with_or_without_folder_and_extension(tmp_path):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "news/a.txt", "scores": [0.1, 0.9]})
    assert set(measure((truth,), scores).output) == {"a"}
    item = Item("a", "passage", text="we shop", details={"offsets": [0, 2, 3, 7]})
    assert [output.item for output in read_outputs(scores, (item,))] == ["a"]


def test_a_study_reads_a_file_of_scores_as_a_system(tmp_path):
    item = Item("a", "passage", text="we shop", details={"offsets": [0, 2, 3, 7]})
    path = write(tmp_path / "mine.jsonl", {"id": "a", "scores": [0, 1]})
    (output,) = read_outputs(path, (item,))
    assert (output.system, output.value.scores) == ("mine", (0.0, 1.0))
    with pytest.raises(InputError, match="there must be one score"):
        list(read_outputs(write(tmp_path / "m.jsonl", {"id": "a", "scores": [1]}), (item,)))


def test_the_truth_of_a_study_is_read_as_a_change_log(talks, tmp_path):
    from earmark.study import Study

    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=3)
    path = tmp_path / "s" / "1-material" / "truth.jsonl"
    found = read_changes(path)
    assert all(isinstance(value, Swaps) and len(value.swaps) <= 3 for value in found.values())
    assert read_truth(path) == found


def test_tokens_offsets_labels_and_changes_make_a_truth_line(talks):
    from earmark.tasks.context import truth_line

    made = next(corrupted(text=talks, seed=1))
    line = truth_line(made.item, made.truth)
    assert [made.item.text[a:b] for a, b in line["offsets"]] == line["tokens"]
    assert sum(line["labels"]) == len(line["changes"])
