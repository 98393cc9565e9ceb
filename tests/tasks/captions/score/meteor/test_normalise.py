"""What METEOR's own tokenising makes of captions; expectations were read off the Java program."""

import pytest

from earmark.tasks.captions.score.meteor.normalise import ALWAYS, BEFORE_NUMBER, normalise


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a dog barks", "a dog barks"),
        ("the dog 's bark", "the dog ' s bark"),
        ("it isn't so", "it isn 't so"),
        ("rock-n-roll", "rock n-roll"),
        ("1,000 birds, or ten", "1,000 birds , or ten"),
        ("wait... then stop", "wait ... then stop"),
        ("at 5 p.m.", "at 5 pm"),
        ("a box. then", "a box. then"),
        ("a box.", "a box ."),
        ("Mr. smith No. 7 No. x", "mr. smith no. 7 no. x"),
        ("mr. Smith", "mr . smith"),
        ("loud & long", "loud & long"),
        ("it stops – then -- starts", "it stops - then - starts"),
        ("the 90's hits", "the 90 's hits"),
        ("Éclair O'Neil", "éclair o 'neil"),
    ],
)
def test_words_are_split_as_the_original_splits_them(text, words):
    assert normalise(text, {"Mr": ALWAYS, "No": BEFORE_NUMBER}) == tuple(words.split())


def test_a_full_stop_at_the_end_stays_only_on_an_abbreviation():
    assert normalise("drums etc.", {"etc": ALWAYS}) == ("drums", "etc.")
    assert normalise("drums etc.", {}) == ("drums", "etc", ".")
    assert normalise("no. 7", {"no": BEFORE_NUMBER}) == ("no.", "7")
    assert normalise("no. 7", {}) == ("no", ".", "7")
