import pytest
from tests.tasks.context.making import corrupted

from earmark.tasks.context.make.corrupt import corrupt, rebuild
from earmark.tasks.context.make.documents import from_tokens, read_documents
from earmark.tasks.context.make.recipe import recipe_of
from earmark.tasks.context.make.tagging import TaggedDocument, tag_documents
from earmark.values.errors import InputError


def word(number):
    """A word of letters only, in alphabetical order of its number."""
    return "word" + chr(97 + number // 26) + chr(97 + number % 26)


def tagged(nouns, name="doc", filler=0):
    tokens = [token for noun in nouns for token in ("the", noun)] + ["and"] * filler
    tags = [tag for _ in nouns for tag in ("DT", "NN")] + ["CC"] * filler
    return TaggedDocument.of(from_tokens(name, tokens, tags, at=name), tags)


def test_a_document_of_199_tokens_is_left_out_and_one_of_200_is_kept():
    nouns = [word(k % 7) for k in range(40)]
    short, long = tagged(nouns, "short", 119), tagged(nouns, "long", 120)
    made = list(corrupt([short, long], recipe_of("paper-2018"), seed=1))
    assert [passage.id for passage in made] == ["long"]


def test_fewer_candidates_than_swaps_are_all_swapped():
    nouns = [word(k) for k in range(60)] + [word(59), word(58), word(57)]
    made = next(corrupt([tagged(nouns, filler=100)], recipe_of("paper-2018"), seed=1))
    assert made.swaps.candidates == 3
    assert len(made.swaps.swaps) == sum(made.swaps.labels) == 3


def test_a_substitute_carries_the_tag_of_the_original(talks):
    documents = tag_documents(read_documents(talks))
    recipe = recipe_of("paper-2018", swaps=5)
    from earmark.tasks.context.make.corrupt import count_words

    tag_of = count_words(documents, recipe).tag_of
    for made in corrupt(documents, recipe, seed=3):
        assert all(tag_of[swap.now] == swap.tag for swap in made.swaps.swaps)


def test_a_change_log_of_another_text_is_refused(talks):
    made = next(corrupted(text=talks, seed=6))
    with pytest.raises(InputError, match="the original text is not the one"):
        rebuild("another text", made.truth)


def test_line_ends_of_a_text_file_survive(tmp_path):
    text = "The dog saw a cat.\r\nThe cat saw the dog.\r\nA bird, a fish and a tree.\r\n" * 12
    (tmp_path / "a.txt").write_bytes(text.encode())
    made = next(corrupted(text=tmp_path / "a.txt", unseen=False, skip=0, swaps=2))
    assert made.item.text.count("\r\n") == text.count("\r\n")
    assert rebuild(text, made.truth) == made.item.text
