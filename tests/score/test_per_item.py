"""Values of single items: in a table, the worst of them, and stored in a study."""

import csv
import json
import math

import pytest

from earmark import measure
from earmark.score.results import worst_items

TRUTH = [("a", 0.0, 2.0, "dog"), ("b", 0.0, 2.0, "dog"), ("c", 0.0, 2.0, "dog"), ("d", 0, 1, "dog")]
# By hand, in segments of a second: a is right, b has half, c nothing, d is right.
OUTPUT = [("a", 0.0, 2.0, "dog"), ("b", 0.0, 1.0, "dog"), ("c", "", "", ""), ("d", 0, 1, "dog")]
HEAD = "filename\tonset\toffset\tevent_label\n"


@pytest.fixture
def files(tmp_path):
    silent = [("e", "", "", "")]
    for name, rows in (("truth", TRUTH + silent), ("mine", OUTPUT + silent)):
        lines = ["\t".join(map(str, row)) + "\n" for row in rows]
        (tmp_path / f"{name}.tsv").write_text(HEAD + "".join(lines))
    return tmp_path


@pytest.fixture
def call(earmark, files):
    def call(*words):
        sides = ("--reference", files / "truth.tsv", "--output", files / "mine.tsv")
        code, out, err = earmark("measure", "events", *sides, "--resamples", 0, *words)
        assert code == 0, err
        return out

    return call


def test_the_worst_come_first_in_the_direction_of_the_metric():
    values = {"a": 0.5, "b": 0.1, "c": math.nan, "d": 0.5}
    assert list(worst_items(values, 2, higher_is_better=True)) == ["b", "a"]
    assert list(worst_items(values, 9, higher_is_better=False)) == ["a", "d", "b"]


def test_the_worst_items_are_printed_and_the_undefined_ones_counted(call):
    words = ("--metric", "segment_f1", "--metric", "segment_error_rate", "--worst", 2)
    lines = call(*words).splitlines()
    start = lines.index("worst by segment_f1 ↑")
    assert [line.split() for line in lines[start + 1 : start + 3]] == [
        ["c", "0.000"],
        ["b", "0.667"],
    ]
    assert lines[start + 3] == "undefined: 1 item"  # e is silent on both sides
    start = lines.index("worst by segment_error_rate ↓")
    assert [line.split() for line in lines[start + 1 : start + 3]] == [
        ["c", "1.000"],
        ["b", "0.500"],
    ]
    worst = json.loads(call(*words, "--json"))["details"]["worst"]
    assert (
        list(worst["segment_f1"]["items"]) == ["c", "b"] and worst["segment_f1"]["undefined"] == 1
    )


def test_without_a_metric_the_worst_are_those_by_the_first(call):
    assert call("--worst", 1).count("worst by") == 1
    assert list(json.loads(call("--worst", 1, "--json"))["details"]["worst"]) == ["segment_f1"]


def test_every_value_of_every_item_goes_to_a_table(call, files):
    call("--metric", "segment_f1", "--metric", "tag_f1", "--per-item", files / "items.csv")
    rows = list(csv.DictReader((files / "items.csv").read_text().splitlines()))
    assert list(rows[0]) == ["item", "output", "segment_f1", "tag_f1"]
    assert [(r["item"], r["output"], r["segment_f1"]) for r in rows] == [
        ("a", "mine", "1.0"),
        ("b", "mine", repr(2 / 3)),
        ("c", "mine", "0.0"),
        ("d", "mine", "1.0"),
        ("e", "mine", ""),
    ]


def test_labels_are_printed_on_request(call):
    assert "  dog" not in call("--metric", "segment_f1")
    lines = call("--metric", "segment_f1", "--by-label").splitlines()
    assert [line.split() for line in lines[2:3]] == [["dog", "0.727"]]
    table = list(
        csv.DictReader(call("--metric", "segment_f1", "--by-label", "--format", "csv").splitlines())
    )
    assert [row["label"] for row in table] == ["", "dog"]


def test_python_gets_the_worst_too():
    scores = measure("events", reference=TRUTH, output=OUTPUT, metrics=["segment_f1"], worst=1)
    assert scores.as_json()["details"]["worst"]["segment_f1"]["items"] == {"c": 0.0}
    assert scores.worst("segment_f1", 2) == {"c": 0.0, "b": pytest.approx(2 / 3)}


@pytest.fixture
def study(earmark, sixth, tmp_path):
    folder = tmp_path / "coins"
    for words in (("make", "coins", folder), ("run", folder, "always")):
        code, _, err = earmark(*words)
        assert code == 0, err
    return folder


def test_a_study_stores_each_items_value_in_one_file_per_reference(earmark, study):
    from earmark.study import Study

    assert earmark("score", study, "--metric", "heads_f1")[0] == 0
    document = json.loads((study / "5-scores" / "items-truth.json").read_text())
    values = Study.open(study).item_values()
    assert values["always"]["heads_f1"].keys() == set(document["items"])
    stored = document["values"]["always"]["heads_f1"]
    for item, own in zip(document["items"], stored, strict=True):
        value = values["always"]["heads_f1"][item]
        assert math.isnan(value) if own is None else value == own


def test_score_prints_the_worst_and_writes_the_table(earmark, study, tmp_path):
    words = ("--metric", "heads_f1", "--worst", 1, "--per-item", tmp_path / "items.csv")
    code, out, _ = earmark("score", study, *words)
    assert code == 0 and "worst of always by heads_f1 ↑" in out
    assert (tmp_path / "items.csv").read_text().startswith("item,output,heads_f1\n")


def test_a_damaged_file_of_items_is_named(earmark, study):
    from earmark.study import Study
    from earmark.values.errors import InputError

    assert earmark("score", study)[0] == 0
    path = study / "5-scores" / "items-truth.json"
    path.write_text('{"items": ["a"], "values": {"always": {"heads_f1": [1, 2]}}}')
    with pytest.raises(InputError, match="items' values must have a value for every item"):
        Study.open(study).item_values()
