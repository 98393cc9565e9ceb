"""Texts become transcripts."""

import json

import pytest

from earmark.study import Study
from earmark.study.show import show
from earmark.task.progress import notes_to
from earmark.tasks.boundaries.make.transcripts import (
    TranscriptOptions,
    cut_places,
    make_transcripts,
)
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.values.errors import InputError, StudyError

TEXT = "Mr. Hill spoke. Who heard him? We did - and so did they; it was loud.\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text(TEXT)
    return path


def make(*text, **options):
    return list(make_transcripts(None, TranscriptOptions(text=text, **options), seed=0))


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


WHISPER = {
    "segments": [
        {
            "words": [
                {"word": " So", "start": 0.0, "end": 0.1},
                {"word": " we", "start": 0.2, "end": 0.3},
                {"word": " went.", "start": 0.4, "end": 0.5},
                {"word": " Home", "start": 0.6, "end": 0.7},
                {"word": " then.", "start": 0.8, "end": 0.9},
            ]
        }
    ]
}
CTM = "".join(f"talk 1 {k}.0 0.5 word{k}\n" for k in range(6))
SRT = "1\n00:00:00,000 --> 00:00:02,000\nSo we went. Home then.\n"


def made_of(tmp_path, name, content, **options):
    path = tmp_path / name
    path.write_text(content)
    notes: list[str] = []
    with notes_to(notes.append):
        (made,) = make(path, **options)
    return made, notes


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("talk.json", json.dumps(WHISPER), "the marks may be a recogniser's guess"),
        ("talk.ctm", CTM, "the marks may be a recogniser's guess"),
        ("talk.srt", SRT, "the marks may be a recogniser's guess"),
        ("talk.txt", "so we went home then", "no mark ends a unit"),
    ],
)
def test_a_recognisers_marks_and_a_text_without_any_are_no_truth_unless_said(
    tmp_path, name, content, why
):
    made, notes = made_of(tmp_path, name, content)
    assert made.truth is None
    assert notes == [
        f"no truth for 1 of 1 texts: {why}. Ask people, give a --reference, or pass --truth"
    ]
    made, notes = made_of(tmp_path, name, content, truth=True)
    assert made.truth.after == ({5} if "ctm" in name else {4} if "txt" in name else {2, 4})
    assert not notes


def test_what_a_person_wrote_is_no_truth_if_the_user_says_so(text):
    (made,) = make(text, truth=False)
    assert made.truth is None


def test_without_a_truth_show_proposes_to_ask_and_score_refuses(tmp_path):
    (tmp_path / "talk.json").write_text(json.dumps(WHISPER))
    study = Study.create(tmp_path / "talk", task="boundaries")
    assert study.make(text=(tmp_path / "talk.json",)) == {"items": 1, "truth": 0}
    assert show(study.snapshot())["next"] == "earmark ask talk"
    study.run(tmp_path / "talk.json", name="whisper")
    with pytest.raises(StudyError, match="reference"):
        study.score()


def test_a_panel_of_references_is_the_truth_on_the_words_of_the_text(tmp_path):
    people = tmp_path / "people"
    for name, content in (("anna", "so we went\nhome then"), ("ben", "so we\nwent home then")):
        (people / name).mkdir(parents=True)
        (people / name / "talk.txt").write_text(content)
    (tmp_path / "talk.json").write_text(json.dumps(WHISPER))
    (made,) = make(tmp_path / "talk.json", reference=(people,))
    assert made.item.text == "so we went home then" and made.item.details["times"]
    assert made.truth.people == ("anna", "ben")
    assert [sorted(one.after) for one in made.truth.references] == [[2, 4], [1, 4]]
    anna, ben = people / "anna" / "talk.txt", people / "ben" / "talk.txt"
    (alone,) = make(reference=(anna, ben))
    assert [sorted(one.after) for one in alone.truth.references] == [[2, 4], [1, 4]]
    pieces = make(reference=(anna, ben), longest=3)
    assert [sorted(one.after) for one in pieces[0].truth.references] == [[2], [1, 2]]


def test_references_of_other_texts_or_unread_marks_are_refused(tmp_path, text):
    running = tmp_path / "talk" / "anna.txt"
    running.parent.mkdir()
    running.write_text(TEXT)
    with pytest.raises(InputError, match="1 unit, 4 sentence marks\n  fix:  pass --units marks"):
        make(text, reference=(running,))
    (made,) = make(text, reference=(running,), units="marks", marks="?")
    assert made.truth.after == {5, 14}
    two = tmp_path / "two"
    two.mkdir()
    for name in ("talk.txt", "other.txt"):
        (two / name).write_text("a b c")
    with pytest.raises(InputError, match=r"0 texts not there, 1 text \(other\) of another name"):
        make(text, reference=(two,))
    with pytest.raises(InputError, match="--reference and --truth"):
        TranscriptOptions(reference=(two,), truth=True)


def test_a_panel_cannot_be_simulated(tmp_path):
    for name, content in (("anna", "so we went\nhome then"), ("ben", "so we\nwent home then")):
        (tmp_path / f"{name}.txt").write_text(content)
    study = Study.create(tmp_path / "talk", task="boundaries")
    study.make(reference=(tmp_path / "anna.txt", tmp_path / "ben.txt"))
    with pytest.raises(InputError, match="a simulated crowd needs one truth"):
        study.ask(simulate=True)
    for name in ("anna", "ben"):
        study.run(tmp_path / f"{name}.txt")
    study.score(resamples=0)
    values = {row["system"]: row["scores"]["mean_f1"]["value"] for row in study.scores()}
    assert values["anna"] == values["ben"] == pytest.approx(0.5)
    assert "mean_f1" in study.report().read_text()
