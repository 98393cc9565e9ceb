"""Subtitles as segmented text."""

import pytest

from earmark.tasks.boundaries.formats import read_file
from earmark.values.errors import InputError

WORDS = ("so", "we", "went", "home", "why", "not")


def only(texts):
    (people,) = texts.values()
    (marked,) = people.values()
    return marked


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return only(read_file(path))


def test_a_cue_is_no_sentence_unless_asked(tmp_path):
    text = (
        "1\n00:00:01,000 --> 00:00:02,000\n<i>So we</i>\n\n"
        "2\n00:00:02,000 --> 00:00:03,500\nwent home.\nWhy not?\n"
    )
    marked = read(tmp_path, "a.srt", text)
    assert marked.words == WORDS
    assert marked.boundaries().after == {3, 5}
    assert marked.boundaries(units="lines").after == {1, 5}


def test_a_cue_that_ends_before_it_starts_is_named(tmp_path):
    with pytest.raises(InputError, match=r"a\.vtt:3"):
        read(tmp_path, "a.vtt", "WEBVTT\n\n00:05.000 --> 00:01.000\nno\n")
