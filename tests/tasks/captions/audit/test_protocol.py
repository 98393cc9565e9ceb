import json

import numpy as np
import pytest

from earmark.score.metric import Metric, mean
from earmark.tasks.captions import METRICS
from earmark.tasks.captions.audit.agreement import mcnemar
from earmark.tasks.captions.audit.benchmark import leave_one_out, read_benchmark, without
from earmark.tasks.captions.audit.protocol import (
    AuditOptions,
    audit_metrics,
    build_for_audit,
    judge,
    one_against_the_rest,
)
from earmark.values.counts import Mean
from earmark.values.errors import InputError

REFERENCES = ["a dog barks", "dog barking", "a dog", "barking of a dog", "loud barks"]


@pytest.fixture
def benchmark(tmp_path):
    sounds = [
        {
            "audio_id": "x",
            "references": REFERENCES,
            "HC": [REFERENCES[0], REFERENCES[1], "a", "b", [1, 1, 0, 0]],
            "HI": [REFERENCES[0], "a train passes", "a", "b", "extra", [1, 1, 1, 1]],
            "MM_1": ["a dog", "a cat", "m", "n", [-1, -1, 0, 1]],
            "MM_2": [],
        },
        {"references": REFERENCES[:3], "HM": [REFERENCES[0], "rain", "a", "m", [1, -1, 0, 0]]},
    ]
    path = tmp_path / "benchmark.json"
    path.write_text(json.dumps(sounds))
    return path


def length_metric(sign):
    def count(reference, output):
        return Mean.of(sign * len(output.texts[0]))

    return Metric("captions", "length", count, mean)


def test_the_pairs_are_read_in_the_order_of_the_protocol(benchmark):
    contests = read_benchmark(benchmark)
    assert [c.kind for c in contests] == ["HC", "HI", "HM", "MM"]
    assert contests[0].references[0] == tuple(REFERENCES[1:])
    assert contests[1].references[0] == contests[1].references[1] == tuple(REFERENCES[1:])
    assert contests[1].votes == (1, 1, 1, 1)
    assert contests[2].references[0] == ("dog barking", "a dog", "dog barking", "a dog")
    assert len(contests[3].references[0]) == 5


def test_a_side_left_with_few_references_is_padded_from_its_start():
    assert without(("a", "b", "c"), "a") == ("b", "c", "b", "c")
    assert without(("a", "a"), "a") == ("a", "a")
    assert len(leave_one_out(("a", "b", "c", "d", "e"))) == 5


def test_people_who_are_even_do_not_count_and_a_tie_of_the_metric_is_wrong(benchmark):
    contests = read_benchmark(benchmark)
    longer, shorter = judge(contests, length_metric(1)), judge(contests, length_metric(-1))
    assert longer.right.tolist() == [False, False, False, False]
    assert shorter.right.tolist() == [False, True, False, False]  # "a dog" and "a cat" tie


def test_an_audit_counts_decided_pairs_only(benchmark):
    report = audit_metrics(benchmark, ("bleu_1", "rouge_l"), AuditOptions(resamples=50), seed=0)
    cells = report["metrics"]["bleu_1"]
    assert {kind: cell["pairs"] for kind, cell in cells.items()} == {
        "HC": 1, "HI": 1, "HM": 0, "MM": 1, "total": 3,
    }  # fmt: skip
    assert cells["HM"]["value"] is None
    assert report["details"]["differences"][0]["metrics"] == ["bleu_1", "rouge_l"]
    assert report["details"]["slot_flips"]["verdicts_changed"] == {"bleu_1": 0, "rouge_l": 0}


def test_given_probabilities_take_nine_tenths(benchmark, tmp_path):
    for name, row in (("p0", [0, 0.95, 0, 0]), ("p1", [0, 0, 0, 0])):
        np.save(tmp_path / f"{name}.npy", np.array([[0.0, p] for p in row]))
    files = (tmp_path / "p0.npy", tmp_path / "p1.npy")
    plain = audit_metrics(benchmark, ("rouge_l",), AuditOptions(resamples=0))
    with_them = audit_metrics(
        benchmark, ("rouge_l",), AuditOptions(fluency_from=files, resamples=0)
    )
    assert plain["metrics"]["rouge_l"]["HI"]["value"] == 1
    assert with_them["metrics"]["rouge_l"]["HI"]["value"] == 0
    assert with_them["details"]["fluency"] == "given"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json", "a benchmark is a JSON file"),
        ("{}", "a benchmark is a list of sounds"),
        ("[]", "a benchmark needs at least one pair"),
        ('[{"HC": ["a", "b", [1]]}]', "a sound has a list of references"),
        ('[{"references": ["a"], "HC": ["a"]}]', "a pair is two captions"),
        ('[{"references": ["a"], "HC": ["a", "b", [7]]}]', "votes are 1, -1 or 0"),
    ],
)
def test_a_malformed_benchmark_says_what_is_wrong(tmp_path, text, message):
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_benchmark(path)


def test_probabilities_must_fit_the_pairs(benchmark, tmp_path):
    np.save(tmp_path / "p.npy", np.zeros((2, 6)))
    with pytest.raises(InputError, match="a row of probabilities for each pair"):
        audit_metrics(benchmark, ("bleu_1",), AuditOptions(fluency_from=(tmp_path / "p.npy",) * 2))
    with pytest.raises(InputError, match="probabilities come as two files"):
        audit_metrics(benchmark, ("bleu_1",), AuditOptions(fluency_from=(tmp_path / "p.npy",)))


def test_a_metric_that_is_not_there_is_named(benchmark):
    with pytest.raises(InputError, match="there is no metric 'blue_1'"):
        audit_metrics(benchmark, ("blue_1",))


def test_mcnemar_by_hand():
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(0, 10) == pytest.approx(2 / 1024)


@pytest.mark.shared
def test_the_published_table_comes_out_to_the_last_digit(shared):
    data = shared / "data/captions"
    files = tuple(data / f"probs{side}_alltrain_audiocaps.npy" for side in (0, 1))
    for files_from, wanted in (
        ((), [56.2, 96.0, 90.4, 61.2, 71.0]),
        (files, [56.2, 95.5, 90.4, 75.4, 78.6]),
    ):
        options = AuditOptions(fluency_from=files_from, resamples=0)
        report = audit_metrics(data / "audiocaps_eval.json", ("cider",), options)
        cells = report["metrics"]["cider"]
        values = [100 * cells[kind]["value"] for kind in ("HC", "HI", "HM", "MM", "total")]
        assert values == pytest.approx(wanted, abs=0.05000001)


@pytest.mark.shared
@pytest.mark.parametrize(("name", "theirs"), [("bleu_1", "bleu1"), ("rouge_l", "rouge")])
def test_other_metrics_agree_with_the_shared_vectors(shared, name, theirs):
    data = shared / "data/captions"
    vectors = json.loads((data / "test_vectors_audiocaps.json").read_text())
    options = AuditOptions(resamples=0)
    report = audit_metrics(data / "audiocaps_eval.json", (name,), options)["metrics"][name]
    for kind, value in vectors["expected_accuracy"][theirs].items():
        got = report["total" if kind == "T" else kind]["value"]
        assert 100 * got == pytest.approx(value, abs=0.005)


@pytest.mark.shared
def test_one_judge_agrees_with_the_others_as_the_facts_say(shared):
    contests = read_benchmark(shared / "data/captions/audiocaps_eval.json")
    values = one_against_the_rest(contests)
    assert 0.777 < min(values) and max(values) < 0.804


def test_options_reach_the_metrics_that_have_them_and_no_others():
    options = AuditOptions(beta=2.0, encoder="x")
    assert build_for_audit(METRICS["rouge_l"], "rouge_l", options).options.get("beta") is None
    assert build_for_audit(METRICS["spice_plus"], "spice_plus", options).options["beta"] == 2.0


def test_an_option_that_changes_no_metric_is_refused(benchmark):
    with pytest.raises(InputError, match="--beta changes none of these metrics") as refused:
        audit_metrics(benchmark, ("rouge_l",), AuditOptions(beta=2.0))
    assert "want: spice_plus" in str(refused.value)
