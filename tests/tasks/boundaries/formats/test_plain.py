"""Plain text, labels, bits and sizes."""

import json

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


def test_lines_are_units_and_marks_are_kept_for_those_who_ask(tmp_path):
    marked = read(tmp_path, "a.txt", "one, two. three\nfour five?\n\nsix\n")
    assert marked.boundaries().after == {2, 4, 5}
    assert marked.boundaries(units="marks").after == {1, 4, 5}
    assert marked.boundaries(units="marks", marks=",").after == {0, 5}


def test_a_line_without_a_mark_or_a_line_end_keeps_its_boundary(tmp_path):
    assert read(tmp_path, "a.txt", "hello world\nfoo bar").boundaries().after == {1, 3}


def test_labels_of_iwslt(tmp_path):
    marked = read(tmp_path, "a.tsv", "we\tO\n're\tCOMMA\nhere\tPERIOD\nyes\tQUESTION\n")
    assert marked.words == ("we", "'re", "here", "yes")
    assert marked.boundaries().after == {2, 3}
    assert marked.boundaries(marks="?").after == {3}


def test_a_bad_label_is_named_with_its_line(tmp_path):
    with pytest.raises(InputError, match=r"a\.tsv:2"):
        read(tmp_path, "a.tsv", "we\tO\nare\tSTOP\n")


def test_segeval_files_hold_several_people(tmp_path):
    told = {"items": {"one": {"ann": [2, 3], "bob": [5]}}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(told))
    found = read_file(path)["one"]
    assert found["ann"].boundaries().after == {1, 4}
    assert not found["bob"].has_words


def test_sizes_must_be_whole_numbers(tmp_path):
    with pytest.raises(InputError, match="whole numbers"):
        read(tmp_path, "a.json", '{"items": {"a": {"ann": [1.5]}}}')
    with pytest.raises(InputError, match="maps items to people"):
        read(tmp_path, "a.json", '{"items": [1]}')
    with pytest.raises(InputError, match="at least one word"):
        read(tmp_path, "a.json", '{"items": {"a": {"ann": [0]}}}')


def test_bits_are_nothing_but_zero_and_one(tmp_path):
    with pytest.raises(InputError, match="must hold 0 and 1 only"):
        read(tmp_path, "a.seg", "0102")


def test_plain_text_may_be_in_another_encoding_when_said(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("voilà\ndéjà vu\n".encode("latin-1"))
    with pytest.raises(InputError, match="must be UTF-8"):
        read_file(path)
    assert only(read_file(path, encoding="latin-1")).words == ("voilà", "déjà", "vu")
    path.write_text("voilà\n", encoding="utf-8")
    assert only(read_file(path, encoding="latin-1")).words == ("voilà",)
    with pytest.raises(InputError, match="no such encoding"):
        read_file(path, encoding="latin-9999")
