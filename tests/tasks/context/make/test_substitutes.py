from typing import Any

import numpy as np
import pytest

from earmark.tasks.context.make.recipe import recipe_of
from earmark.tasks.context.make.substitutes import Substitute, SubstituteFinder, Taken
from earmark.text.frequency import word_frequencies


def word(number):
    """A word of letters only, in alphabetical order of its number."""
    return "word" + chr(97 + number // 26) + chr(97 + number % 26)


def hundred(tag="NN"):
    """A vocabulary of ranks 0..99: word k is said k + 1 times."""
    tokens = [word(k) for k in range(100) for _ in range(k + 1)]
    return word_frequencies([(tokens, [(token, tag) for token in tokens])], letters=3)


class Last:
    """A generator that always draws the last."""

    def integers(self, size):
        return size - 1


def last_drawn(
    finder: SubstituteFinder, noun: str, tag: str, before: str, said: frozenset[str]
) -> Any:
    """Return the last of the substitutes that fit, or the reason why there is none."""
    last: Any = Last()
    return finder.draw(noun, tag, before, Taken(said), last)


def test_the_window_is_clamped_at_the_rarest_word():
    # rank 10, frame 20: ranks 0..29, the original among them
    assert hundred().window(10, 20, "NN") == list(range(30))
    assert hundred().window(50, 20, "NN") == list(range(30, 70))


def test_the_frame_doubles_until_a_substitute_fits():
    words = hundred()
    finder = SubstituteFinder(words, recipe_of("clean", frame=2, tries=3, choices=1))
    said = frozenset(word(k) for k in range(44, 54))
    found = last_drawn(finder, word(50), "NN", "the", said)
    assert (found.frame, found.rank) == (8, 57)
    narrow = SubstituteFinder(words, recipe_of("clean", frame=2, tries=1, choices=1))
    assert last_drawn(narrow, word(50), "NN", "the", said) == "no_substitute"


def test_a_word_of_another_tag_or_too_short_is_no_substitute():
    tokens = ["dog", "cat", "ox", "runs"]
    words = word_frequencies(
        [(tokens, [("dog", "NN"), ("cat", "NN"), ("ox", "NN"), ("runs", "NNS")])], letters=3
    )
    finder = SubstituteFinder(words, recipe_of("paper-2018"))
    assert last_drawn(finder, "dog", "NN", "", frozenset()).word == "cat"
    assert last_drawn(finder, "runs", "NNS", "", frozenset()) == "no_substitute"


def pair(one, two, tag="NN"):
    return word_frequencies([([one, two], [(one, tag), (two, tag)])], letters=3)


@pytest.mark.parametrize(
    ("one", "two", "before", "said", "option"),
    [
        ("dog", "cat", "", {"cat"}, "unseen"),
        ("dog", "owl", "a", set(), "articles"),
        ("dog", "dogs", "", set(), "lemmas"),
    ],
)
def test_each_filter_of_the_clean_preset_refuses_something(one, two, before, said, option):
    words = pair(one, two)
    strict = SubstituteFinder(words, recipe_of("clean"))
    loose = SubstituteFinder(words, recipe_of("clean", **{option: False}))
    assert last_drawn(strict, one, "NN", before, frozenset(said)) == "no_substitute"
    assert last_drawn(loose, one, "NN", before, frozenset(said)).word == two


def test_capital_letters_are_carried_over_when_asked():
    words = pair("dog", "cat")
    clean = SubstituteFinder(words, recipe_of("clean"))
    assert last_drawn(clean, "Dog", "NN", "", frozenset()).word == "Cat"
    paper = SubstituteFinder(pair("Dog", "cat"), recipe_of("paper-2018"))
    assert last_drawn(paper, "Dog", "NN", "", frozenset()).word == "cat"


def test_a_sound_alike_is_found_within_the_distance():
    words = pair("far-east", "forest")
    finder = SubstituteFinder(words, recipe_of("clean", sound_alike=True, choices=1))
    found = last_drawn(finder, "far-east", "NN", "the", frozenset())
    assert (found.word, round(found.phonetic, 3)) == ("forest", 0.167)
    near = SubstituteFinder(words, recipe_of("clean", sound_alike=True, farthest=0.1, choices=1))
    assert last_drawn(near, "far-east", "NN", "the", frozenset()) == "no_sound_alike"


def test_the_frame_of_clean_grows_until_there_is_a_choice():
    words = hundred()
    finder = SubstituteFinder(words, recipe_of("clean", frame=2, choices=20))
    rng = np.random.default_rng(1)
    drawn = [finder.draw(word(50), "NN", "the", Taken(), rng) for _ in range(200)]
    frames, forms = zip(
        *[(one.frame, one.word) for one in drawn if not isinstance(one, str)], strict=True
    )
    assert len(forms) == 200 and set(frames) == {16}
    assert len(set(forms)) >= 20


def test_another_noun_of_the_talk_is_drawn_from_what_was_said():
    finder = SubstituteFinder(hundred(), recipe_of("clean", same_talk=True))
    said = frozenset({word(3), word(50), word(97)})
    rng = np.random.default_rng(1)
    drawn = [finder.draw(word(50), "NN", "the", Taken(said), rng) for _ in range(50)]
    assert {getattr(one, "word", one) for one in drawn} == {word(3), word(97)}


def test_a_noun_with_one_sound_alike_is_mostly_passed_over():
    finder = SubstituteFinder(pair("far-east", "forest"), recipe_of("clean", recogniser=True))
    rng = np.random.default_rng(1)
    drawn = [finder.draw("far-east", "NN", "the", Taken(), rng) for _ in range(200)]
    assert 20 < sum(not isinstance(one, str) for one in drawn) < 60
    assert {one for one in drawn if isinstance(one, str)} == {"few_sound_alikes"}


def test_a_word_is_placed_once_per_document_and_a_pair_once_in_all():
    finder = SubstituteFinder(hundred(), recipe_of("clean", frame=2, choices=1))
    first, second = Taken(), Taken()
    second.pairs = first.pairs
    rng = np.random.default_rng(1)

    def draw(noun, taken):
        one = finder.draw(noun, "NN", "the", taken, rng)
        if not isinstance(one, str):
            taken.place(noun, one.word)
        return getattr(one, "word", one)

    placed = [draw(word(50), first) for _ in range(3)]
    assert len(set(placed)) == 3
    # the next document may place these words again, for another noun
    assert draw(word(50), second) not in placed
    assert {draw(word(51), second) for _ in range(4)} & set(placed)
    loose = SubstituteFinder(hundred(), recipe_of("clean", frame=2, choices=1, once=False))
    taken = Taken()
    for _ in range(40):
        one = loose.draw(word(50), "NN", "the", taken, rng)
        assert isinstance(one, Substitute)
        taken.place(word(50), one.word)
    assert len(taken.placed) <= 4
