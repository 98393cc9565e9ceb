"""Words as numbers."""

from earmark.tasks.boundaries.run.vocabulary import (
    END,
    UNKNOWN,
    NetworkVocabulary,
    join_contractions,
    simplified,
)


def test_contractions_written_apart_are_read_as_one_word():
    joined, last = join_contractions("we 're here do n't you ' know".split())
    assert joined == ["we're", "here", "don't", "you", "'", "know"]
    assert last.tolist() == [1, 2, 4, 5, 6, 7]


def test_words_are_known_by_index_and_by_their_affixes():
    known = NetworkVocabulary.of("the cat the cat sat".split())
    assert known.words == ("cat", "the")
    rows = known.encode(["the", "sat", "mat"])
    assert rows[0, 0] == 4 and rows[1, 0] == UNKNOWN and rows[3, 0] == END
    assert rows[1, 1:4].tolist()[1:] != rows[2, 4:].tolist()
    assert (rows[1, 1:3] == rows[2, 1:3]).all(), "both end in at"
    assert NetworkVocabulary.of("a a b b".split(), most=1).words == ("a",)
    assert simplified("Twenty-4’s") == "twenty-0's"
