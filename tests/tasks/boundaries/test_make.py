"""Texts become transcripts."""

import pytest

from earmark.tasks.boundaries.make import TranscriptOptions, cut_places, make_transcripts
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.values.errors import InputError

TEXT = "Mr. Hill spoke. Who heard him? We did - and so did they; it was loud.\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text(TEXT)
    return path


def make(text, **options):
    return list(make_transcripts(None, TranscriptOptions(text=(text,), **options), seed=0))


def test_marks_capitals_and_dashes_are_stripped_and_ends_are_kept(text):
    (made,) = make(text)
    assert made.item.text == "mr hill spoke who heard him we did and so did they it was loud"
    assert made.truth.after == {2, 5, 11, 14}


def test_other_marks_and_lines_give_other_truths(text):
    assert make(text, marks="?")[0].truth.after == {5, 14}
    assert make(text, units="lines")[0].truth.after == {14}


def test_long_texts_are_cut_where_units_end(text):
    pieces = make(text, longest=7)
    assert [piece.item.text.split()[0] for piece in pieces] == ["mr", "we", "it"]
    assert all(len(transcript_of(piece.item).words) <= 7 for piece in pieces)
    assert {piece.item.parent for piece in pieces} == {"talk"}
    assert cut_places(Boundaries(9, {8}), 4) == [(0, 4), (4, 8), (8, 9)]


def test_text_must_be_named():
    with pytest.raises(InputError, match="made from text"):
        list(make_transcripts(None, seed=0))
