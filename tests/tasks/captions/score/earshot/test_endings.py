import pytest

from earmark.tasks.captions.score.earshot.endings import is_unfinished, whole_words
from earmark.text.parse import parse

pytest.importorskip("spacy")
CUT = {
    "a dog barks and a": "a dog barks",
    "a dog barks and": "a dog barks",
    "a person walks on the snow in the": "a person walks on the snow",
    "a train horn is followed by a": "a train horn",
    "a train horn is followed by": "a train horn",
    "a man talks , then a": "a man talks",
    "a dog barks and a in the background": "a dog barks",
    "a cat meows and a and rain falls": "a cat meows",
}
WITHOUT_VERB = (
    "wind blows and water splashes as a man",
    "a man speaks and a dog",
    "birds chirping with distant",
)
WHOLE = (
    "a dog barks",
    "a car drives by",
    "Rain falls on a roof.",
    "a crowd applauds for a while",
    "a man plays a guitar and a drum",
    "people speak with one another",
    "a radio is on",
    "a man speaks as a crowd cheers and applauds",
    "a man speaking followed by a horse trotting",
    "a",
    "",
)


@pytest.mark.parametrize("text", CUT)
def test_a_caption_that_was_cut_off_is_read_up_to_its_last_whole_phrase(text):
    (sentence,) = parse([text])
    assert is_unfinished(sentence)
    assert " ".join(word.form for word in sentence[: whole_words(sentence)]) == CUT[text]


@pytest.mark.parametrize("text", WITHOUT_VERB)
def test_a_last_clause_without_its_verb_is_unfinished(text):
    (sentence,) = parse([text])
    assert is_unfinished(sentence)


@pytest.mark.parametrize("text", WHOLE)
def test_whole_captions_are_read_whole(text):
    (sentence,) = parse([text])
    assert not is_unfinished(sentence)
