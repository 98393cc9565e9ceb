import pytest

from earmark.text.penn_tokens import sentences, tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I can't, she's gone.", "I ca n't , she 's gone ."),
        ("Mr. Smith's 1,000 U.S. far-east trips...", "Mr. Smith 's 1,000 U.S. far-east trips ..."),
        ("O’Brien didn’t go (Laughter)", "O’Brien did n’t go ( Laughter )"),
        ("in the 1990s -- at 10:30", "in the 1990s -- at 10:30"),
    ],
)
def test_tokens_and_their_places(text, tokens):
    found, offsets = tokenise(text)
    assert " ".join(found) == tokens
    assert [text[a:b] for a, b in offsets.reshape(-1, 2)] == list(found)


def test_sentences_cover_all_tokens_once():
    tokens = tuple('He said : " Go ! " Then ? ! He left'.split())
    spans = sentences(tokens)
    assert spans == ((0, 6), (6, 9), (9, 11)) or [b for _, b in spans][-1] == len(tokens)
    assert [k for a, b in spans for k in range(a, b)] == list(range(len(tokens)))
    assert sentences(()) == ()
