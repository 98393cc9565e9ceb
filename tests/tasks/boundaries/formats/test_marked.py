"""Words with what follows each."""

from earmark.tasks.boundaries.formats import read_file


def only(texts):
    (people,) = texts.values()
    (marked,) = people.values()
    return marked


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return only(read_file(path))


def test_symbols_that_are_no_words_can_be_left_out(tmp_path):
    marked = read(tmp_path, "a.txt", "peace - however . now\n").only_words()
    assert marked.words == ("peace", "however", "now")
    assert marked.marks == ("", ".", "\n")
