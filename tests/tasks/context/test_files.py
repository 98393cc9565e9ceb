import json
import math

import pytest
from tests.tasks.context.making import corrupted

from earmark.tasks.context.files import measure, read_changes, read_outputs, read_truth
from earmark.tasks.context.formats.scores import ScoreFileOptions, read_score_rows
from earmark.tasks.context.values import Flags, Passage, Swaps
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
        read_score_rows(path)
    assert str(error.value).split("\n")[:2] == [
        "a score must be a finite number",
        f"  at:   {path}:1, token 1",
    ]


def test_scores_of_another_length_name_the_item(tmp_path):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "a", "scores": [0.1]})
    with pytest.raises(InputError, match="there must be one score for every token") as error:
        measure((truth,), scores)
    assert "1 scores, 2 tokens" in str(error.value)


def test_an_item_twice_and_an_empty_file_are_refused(tmp_path):
    with pytest.raises(InputError, match="an item must appear once"):
        read_truth(write(tmp_path / "t.jsonl", TRUTH, TRUTH))
    (tmp_path / "e.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="must not be empty"):
        read_score_rows(tmp_path / "e.jsonl")


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


# "unshopped" in three pieces, as a subword tokeniser gives them between its two special tokens
PIECES = {"offsets": [[0, 0], [0, 2], [3, 5], [5, 9], [9, 12], [0, 0]]}
UNSHOPPED = {"id": "a", "tokens": ["we", "unshopped"], "labels": [0, 1]}


@pytest.mark.parametrize(("how", "score"), [("max", 0.9), ("mean", 0.5), ("sum", 1.5)])
def test_scores_of_pieces_come_to_tokens_by_the_characters_that_overlap(tmp_path, how, score):
    truth = write(tmp_path / "t.jsonl", UNSHOPPED)
    row = {"item": "a", "scores": [9, 0.2, 0.1, 0.9, 0.5, 9], **PIECES}
    options = ScoreFileOptions(aggregate=how)
    output = measure((truth,), write(tmp_path / "s.jsonl", row), options).output["a"]
    assert output.scores == (0.2, pytest.approx(score))
    item = Item("a", "passage", text="we unshopped", details={"offsets": [0, 2, 3, 12]})
    (own,) = read_outputs(tmp_path / "s.jsonl", (item,), options)
    assert own.value == output
    renamed = {"offset_mapping" if name == "offsets" else name: row[name] for name in row}
    (own,) = read_outputs(write(tmp_path / "m.jsonl", renamed), (item,), options)
    assert own.value == output


def test_log_probabilities_are_summed_over_pieces_and_give_perplexity_and_scores(tmp_path):
    from earmark.score.evaluate import evaluate
    from earmark.tasks.context import perplexity

    truth = write(tmp_path / "t.jsonl", UNSHOPPED)
    row = {"id": "a", "logprobs": [0, -1, -1, -2, -3, 0], **PIECES}
    pairing = measure((truth,), write(tmp_path / "s.jsonl", row), ScoreFileOptions(aggregate="sum"))
    assert pairing.output["a"].surprise == pairing.output["a"].scores == (1.0, 6.0)
    score = evaluate(perplexity(), pairing.reference, pairing.output, resamples=0)
    assert score.value == pytest.approx(math.exp(7 / 2))


def test_a_piece_of_two_tokens_scores_both_and_shares_its_surprisal(tmp_path):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    row = {"id": "a", "scores": [0.7], "logprobs": [-4], "offsets": [[0, 7]]}
    output = measure((truth,), write(tmp_path / "s.jsonl", row)).output["a"]
    assert (output.scores, output.surprise) == ((0.7, 0.7), (2.0, 2.0))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"scores": [1], "offsets": [[0, 2]]}, "1 of 2 tokens without a score, the first from ch"),
        ({"scores": [1, 1], "offsets": [[0, 2]]}, "as many offsets as scores"),
        ({"scores": [1], "offsets": [[2, 0]]}, "offsets must be pairs of characters"),
        ({"scores": [1, 1], "logprobs": [-1]}, "as many log probabilities as scores"),
        ({"logprobs": [None, -1]}, "begin the text with a start token"),
        ({"logprobs": [1, -1]}, "log probabilities must not be positive"),
        ({"scores": [1, True]}, "scores must be a list of numbers"),
        ({"scores": [1, 1], "threshold": "x"}, "a threshold must be a finite number"),
        ({"scores": [1, 1], "choices": [{"at": 0}]}, "a choice must compare two words"),
        (
            {"scores": [1, 1, 1]},
            r"3 scores, 2 tokens\n  want: the tokens of .*t.jsonl\n  fix: .*offs",
        ),
    ],
)
def test_scores_that_do_not_fit_say_what_is_missing_and_where(tmp_path, row, words):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    path = write(tmp_path / "s.jsonl", {"id": "a", **row})
    with pytest.raises(InputError, match=words) as error:
        measure((truth,), path)
    assert f"{path}:1" in str(error.value)


def test_a_study_says_where_its_tokens_are_and_refuses_offsets_of_another_text(tmp_path):
    item = Item("a", "passage", text="we shop", details={"offsets": [0, 2, 3, 7]})
    with pytest.raises(InputError, match="earmark export STUDY DIR --to tokens"):
        list(read_outputs(write(tmp_path / "s.jsonl", {"id": "a", "scores": [1]}), (item,)))
    row = {"id": "a", "scores": [1, 1], "offsets": [[0, 2], [3, 8]]}
    with pytest.raises(InputError, match="a piece that ends at 8\n  want: at most 7"):
        list(read_outputs(write(tmp_path / "s.jsonl", row), (item,)))


def test_pieces_are_measured_against_a_studys_own_truth(talks, tmp_path):
    from earmark.study import Study

    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=3)
    rows = [
        {
            "id": item.id,
            "scores": [1] * len(text),
            "offsets": [[k, k + 1] for k in range(len(text))],
        }
        for item in study.items()
        if (text := item.text)
    ]
    path = tmp_path / "s" / "1-material" / "truth.jsonl"
    pairing = measure(
        (path,), write(tmp_path / "mine.jsonl", *rows), ScoreFileOptions(aggregate="sum")
    )
    first = study.items()[0]
    lengths = [end - start for start, end in Passage.of(first).offsets]
    assert pairing.output[first.id].scores == tuple(map(float, lengths))
