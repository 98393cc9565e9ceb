import pytest

from earmark.text.conllu import ConlluWord, read_conllu
from earmark.text.tagger import TaggedSentence, read_tagged
from earmark.values.errors import InputError

A = "1\ta\ta\tDET\tDT\t_\t2\tdet\t_\t_\n"
DOG = "2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n"
EMPTY = "2.1\tb\t_\t_\t_\t_\t_\t_\t_\t_\n"


def test_words_come_without_empty_nodes_and_comments(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("# text = a dog\n" + A + DOG + EMPTY + "\n\n" + A)
    first, second = read_conllu(path)
    assert first.words == (
        ConlluWord("a", "DET", "DT", "2", "det", 2),
        ConlluWord("dog", "NOUN", "NN", "0", "root", 3),
    )
    assert (first.line, second.line) == (1, 7)
    assert read_tagged(path) == (
        TaggedSentence(("a", "dog"), ("DT", "NN")),
        TaggedSentence(("a",), ("DT",)),
    )


def test_a_document_begins_where_the_file_says_so(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("# newdoc id = talk\n" + A + "\n" + A + "\n# newdoc\n" + A + "\n")
    assert [sentence.document for sentence in read_conllu(path)] == ["talk", None, ""]


def test_a_line_without_ten_columns_is_named(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(A + "2\tdog\n")
    with pytest.raises(InputError, match="must have ten columns") as caught:
        list(read_conllu(path))
    assert "a.conllu:2" in str(caught.value)
