"""CTM and RTTM."""

import pytest

from earmark.tasks.boundaries.formats import read_file
from earmark.values.errors import InputError


def only(texts):
    (people,) = texts.values()
    (marked,) = people.values()
    return marked


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return only(read_file(path))


def test_rttm_units_end_after_the_last_word_in_them(tmp_path):
    text = (
        ";; a comment\n"
        "SU talk 1 0.0 1.0 <NA> statement one <NA>\n"
        "SU talk 1 1.0 1.0 <NA> question one <NA>\n"
        "LEXEME talk 1 0.1 0.3 go lex one <NA>\n"
        "LEXEME talk 1 0.5 0.4 now lex one <NA>\n"
        "LEXEME talk 1 1.2 0.3 why lex one <NA>\n"
    )
    path = tmp_path / "a.rttm"
    path.write_text(text)
    marked = read_file(path)["talk"]["a"]
    assert marked.words == ("go", "now", "why")
    assert marked.boundaries().after == {1, 2}


def test_a_short_line_says_what_is_wanted(tmp_path):
    with pytest.raises(InputError, match="file channel start length word"):
        read(tmp_path, "a.ctm", "talk 1 0.5\n")
    with pytest.raises(InputError, match="type file channel start length text subtype"):
        read(tmp_path, "a.rttm", "SU talk 1\n")
