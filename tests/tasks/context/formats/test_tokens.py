"""The tokens of passages and the corrupted corpus, out and in again."""

import json

import pytest

from earmark.study import Study
from earmark.tasks.context.formats.tokens import placed_tokens, write_tokens, write_truth
from earmark.tasks.context.values import Flags, Passage, Swaps
from earmark.values.errors import InputError


def test_a_corpus_written_as_tokens_labels_and_changes_makes_the_same_study_again(talks, tmp_path):
    first = Study.create(tmp_path / "first", task="context", seed=2)
    first.make(text=talks, swaps=3)
    truth = first.truth()
    assert truth is not None
    write_truth(first.items(), truth.values, tmp_path / "truth.jsonl")
    line = json.loads((tmp_path / "truth.jsonl").read_text().split("\n")[0])
    assert list(line) == ["id", "tokens", "offsets", "labels", "changes"]
    second = Study.create(tmp_path / "second", task="context")
    assert second.make(reference=tmp_path / "truth.jsonl")["truth"] == len(truth.values)
    again = second.truth()
    assert again is not None
    for item in second.items():
        assert again.values[item.id].labels == truth.values[item.id].labels
        assert isinstance(again.values[item.id], Swaps)
    pairs = zip(first.items(), second.items(), strict=True)
    assert all(Passage.of(a).tokens == Passage.of(b).tokens for a, b in pairs)


def test_tokens_are_written_with_their_text_and_offsets(talks, tmp_path):
    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=3)
    write_tokens(study.items(), tmp_path / "tokens.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "tokens.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == [item.id for item in study.items()]
    for row in rows:
        assert [row["text"][start:end] for start, end in row["offsets"]] == row["tokens"]


def test_labels_alone_walk_the_road_of_a_study_without_changes(tmp_path):
    rows = [
        {"id": "a", "tokens": ["we", "eat", "debt"], "labels": [0, 0, 1]},
        {"id": "b", "tokens": ["it", "rains"], "labels": [0, 0], "text": "It: it  rains"},
    ]
    path = tmp_path / "truth.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    study = Study.create(tmp_path / "s", task="context")
    study.make(reference=path)
    a, b = study.items()
    assert a.text == "we eat debt" and Passage.of(b).offsets == ((4, 6), (8, 13))
    assert study.reference().values["a"] == Flags(3, frozenset({2}))
    scores = [{"id": "a", "scores": [0, 0, 1]}, {"id": "b", "scores": [0.5, 0]}]
    mine = tmp_path / "mylm.jsonl"
    mine.write_text("".join(json.dumps(row) + "\n" for row in scores))
    study.run(mine)
    study.score(resamples=0)
    (row,) = study.scores()
    assert row["scores"]["average_precision"]["value"] == 1.0
    page = study.report().read_text()
    assert "as read by mylm, which brings no threshold: at the cut of its best F here" in page


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"tokens": ["a", ""]}, "texts that are not empty"),
        ({"tokens": ["a"], "text": "b"}, "no 'a', token 0, after character 0"),
        ({"tokens": ["a"], "text": "b", "offsets": [[0, 1]]}, "'b' from 0 to 1, where the token"),
        ({"tokens": ["a"], "offsets": []}, "1 tokens, 0 offsets"),
        ({"tokens": ["a"], "offsets": [[10**12, 10**12 + 1]]}, "must follow one another"),
        ({"tokens": ["a"], "offsets": [[0, 10**12]]}, "'a' from 0 to 1000000000000, where"),
        ({"tokens": ["a", "b"], "offsets": [[3, 4], [0, 1]]}, "after one that ends at 4"),
    ],
)
def test_tokens_that_contradict_their_text_are_refused(row, words):
    with pytest.raises(InputError, match=words):
        placed_tokens(row, at="t.jsonl:1")


def test_a_studys_truth_has_no_text_and_says_what_has(talks, tmp_path):
    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=3)
    again = Study.create(tmp_path / "again", task="context")
    with pytest.raises(InputError, match=r"a study's truth\.jsonl has no text"):
        again.make(reference=tmp_path / "s" / "1-material" / "truth.jsonl")
