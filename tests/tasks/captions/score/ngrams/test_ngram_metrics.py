import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.score.evaluate import evaluate
from earmark.tasks.captions.score.ngrams.bleu import bleu_1, bleu_2, bleu_3, bleu_4
from earmark.tasks.captions.score.ngrams.cider import cider, cider_d
from earmark.tasks.captions.score.ngrams.rouge import common_length, positions, rouge_l
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError

VECTORS = json.loads((Path(__file__).parents[2] / "vectors/pycocoevalcap.json").read_text())
METRICS = {
    "bleu_1": bleu_1, "bleu_2": bleu_2, "bleu_3": bleu_3, "bleu_4": bleu_4,
    "cider": cider, "cider_d": cider_d, "rouge_l": rouge_l,
}  # fmt: skip


@pytest.mark.parametrize("name", METRICS)
def test_numbers_are_those_of_pycocoevalcap(name):
    rows = VECTORS["given"]
    references = {row["item"]: Captions(tuple(row["references"])) for row in rows}
    outputs = {row["item"]: Captions((row["caption"],)) for row in rows}
    metric = METRICS[name]()
    score = evaluate(metric, references, outputs, resamples=0)
    expected = VECTORS["expect"]["cider" if name == "cider_d" else name]
    assert score.value == pytest.approx(expected["all"], abs=1e-9)
    for row, wanted in zip(rows, expected["each"], strict=True):
        assert metric.rate(score.by_item[row["item"]]) == pytest.approx(wanted, abs=1e-9)


def test_bleu_by_hand():
    # "a dog barks" against "a dog runs away": 2 of 3 words, 1 of 2 pairs; 3 words, 4 wanted.
    metric = bleu_2()
    value = metric(Captions.of("a dog runs away"), Captions.of("a dog barks")).value
    assert value == pytest.approx(math.sqrt(2 / 3 * 1 / 2) * math.exp(1 - 4 / 3), abs=1e-6)


def test_rouge_by_hand():
    # LCS 2 of 3 and of 4 words: P = 2/3, R = 1/2, beta 1.2.
    value = rouge_l()(Captions.of("a dog runs away"), Captions.of("a dog barks")).value
    assert value == pytest.approx(2.44 * (2 / 3) * 0.5 / (0.5 + 1.44 * 2 / 3))
    assert rouge_l(rouge_beta=3.0)(Captions.of("a b"), Captions.of("a")).value < 0.6


def test_cider_by_hand():
    # Two items, no word shared: every n-gram weighs log 2, and a caption equal to its one reference
    # of four words reaches 10.
    references = {"x": Captions.of("one two three four"), "y": Captions.of("five six seven eight")}
    score = evaluate(cider(), references, references, resamples=0)
    assert score.value == pytest.approx(10)


def test_cider_of_one_item_is_undefined_and_says_why():
    score = cider()(Captions.of("a dog"), Captions.of("a dog"))
    assert math.isnan(score.value)
    assert "two items" in score.why


def test_sigma_punishes_lengths():
    references = {"x": Captions.of("one two three four"), "y": Captions.of("five six seven eight")}
    outputs = {"x": Captions.of("one two"), "y": Captions.of("five")}
    mild = evaluate(cider(sigma=60.0), references, outputs, resamples=0).value
    assert mild > evaluate(cider(sigma=1.0), references, outputs, resamples=0).value


def test_a_caption_without_words_scores_nothing():
    references = {"x": Captions.of("a dog barks"), "y": Captions.of("rain falls")}
    outputs = {"x": Captions.of(""), "y": Captions.of("...")}
    for build in METRICS.values():
        assert evaluate(build(), references, outputs, resamples=0).value == pytest.approx(0)


def test_several_captions_are_refused_by_metrics_of_one():
    with pytest.raises(InputError, match="compares one caption"):
        bleu_1()(Captions.of("a"), Captions.of("a", "b"))


@given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), max_size=9))
def test_the_bits_find_the_same_length_as_the_table(one, two):
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
            )
    assert common_length(positions(tuple(one)), len(one), tuple(two)) == table[-1][-1]
