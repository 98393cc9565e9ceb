"""Every format, read and written."""

import json

import pytest

from earmark.tasks.boundaries.formats import WRITERS, read_file, read_texts, write_file
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.values.errors import InputError

WORDS = ("so", "we", "went", "home", "why", "not")
TIMES = tuple((round(at * 0.5, 2), round(at * 0.5 + 0.4, 2)) for at in range(6))
TRANSCRIPT = Transcript(WORDS, TIMES)
BOUNDARIES = Boundaries(6, {3, 5})
SUFFIX = {
    "lines": "txt", "text": "txt", "tsv": "tsv", "whisper": "json", "amazon": "json",
    "vosk": "json", "srt": "srt", "vtt": "vtt", "ctm": "ctm", "rttm": "rttm",
    "textgrid": "TextGrid", "eaf": "eaf", "seg": "seg", "segeval": "json",
}  # fmt: skip


def only(texts):
    (people,) = texts.values()
    (marked,) = people.values()
    return marked


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_what_is_written_is_read_again(kind, tmp_path):
    path = tmp_path / f"talk.{SUFFIX[kind]}"
    write_file(path, TRANSCRIPT, BOUNDARIES, kind=kind)
    marked = only(read_file(path))
    if kind not in ("seg", "segeval"):
        assert marked.words == WORDS
    if kind == "ctm":
        assert marked.boundaries().after == {5}
    else:
        units = "marks" if kind == "text" else None
        assert marked.boundaries(units=units) == BOUNDARIES
    if kind in ("whisper", "amazon", "vosk", "ctm", "rttm"):
        assert marked.times == TIMES


@pytest.mark.parametrize("kind", ["whisper", "srt", "ctm", "rttm", "textgrid", "eaf", "vosk"])
def test_formats_with_times_refuse_words_without(kind, tmp_path):
    with pytest.raises(InputError, match="needs the times of the words"):
        write_file(tmp_path / "a", Transcript(WORDS), BOUNDARIES, kind=kind)


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


def test_whisper_segments_end_lines_and_marks_end_sentences(tmp_path):
    told = {
        "segments": [
            {
                "words": [
                    {"word": " So", "start": 0, "end": 1},
                    {"word": " we", "start": 1, "end": 2},
                ]
            },
            {"words": [{"word": " went.", "start": 2, "end": 3}]},
        ]
    }
    marked = read(tmp_path, "a.json", json.dumps(told))
    assert marked.words == ("so", "we", "went")
    assert marked.boundaries().after == {2}
    assert marked.boundaries(units="lines").after == {1, 2}
    assert marked.times == ((0, 1), (1, 2), (2, 3))


def test_whisper_without_words_uses_the_text_of_segments(tmp_path):
    marked = read(tmp_path, "a.json", json.dumps({"segments": [{"text": " So. We went."}]}))
    assert marked.words == ("so", "we", "went")
    assert marked.times is None


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


def test_a_long_textgrid_is_read_as_a_short_one(tmp_path):
    text = (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 3\n'
        "tiers? <exists>\nsize = 1\nitem []:\n    item [1]:\n"
        '        class = "IntervalTier"\n        name = "units"\n        xmin = 0\n'
        "        xmax = 3\n        intervals: size = 2\n        intervals [1]:\n"
        '            xmin = 0\n            xmax = 1.5\n            text = "so we"\n'
        "        intervals [2]:\n            xmin = 1.5\n            xmax = 3\n"
        '            text = "say ""hi"""\n'
    )
    marked = read(tmp_path, "a.TextGrid", text)
    assert marked.words == ("so", "we", "say", "hi")
    assert marked.boundaries().after == {1, 3}


def test_an_eaf_file_with_entities_is_refused(tmp_path):
    with pytest.raises(InputError, match="must not define entities"):
        read(tmp_path, "a.eaf", '<!DOCTYPE x [<!ENTITY a "b">]><x/>')


def test_segeval_files_hold_several_people(tmp_path):
    told = {"items": {"one": {"ann": [2, 3], "bob": [5]}}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(told))
    found = read_file(path)["one"]
    assert found["ann"].boundaries().after == {1, 4}
    assert not found["bob"].has_words


def test_json_of_no_known_kind_is_refused(tmp_path):
    with pytest.raises(InputError, match="no recogniser that we know"):
        read(tmp_path, "a.json", '{"hello": 1}')
    with pytest.raises(InputError, match="must be JSON"):
        read(tmp_path, "b.json", '{"hello": ')
    with pytest.raises(InputError, match="missing or of another kind"):
        read(tmp_path, "c.json", '{"results": {"items": [{"type": "pronunciation"}]}}')


def test_a_folder_gives_a_text_for_every_file(tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    (tmp_path / "b.txt").write_text("three\n")
    (tmp_path / ".hidden").write_text("no")
    assert sorted(read_texts(tmp_path)) == ["a", "b"]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="must hold files"):
        read_texts(tmp_path)


def test_symbols_that_are_no_words_can_be_left_out(tmp_path):
    marked = read(tmp_path, "a.txt", "peace - however . now\n").only_words()
    assert marked.words == ("peace", "however", "now")
    assert marked.marks == ("", ".", "\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ctm", "talk 1 nan 0.5 word\n"),
        ("a.ctm", "talk 1 0.5 soon word\n"),
        ("a.json", '{"segments": [{"words": [{"word": "a", "start": 2, "end": 1}]}]}'),
        ("a.eaf", '<a><TIME_SLOT TIME_SLOT_ID="t" TIME_VALUE="late"/></a>'),
    ],
)
def test_times_that_are_none_are_refused(name, text, tmp_path):
    with pytest.raises(InputError, match="numbers of seconds >= 0"):
        read(tmp_path, name, text)


def test_a_short_line_says_what_is_wanted(tmp_path):
    with pytest.raises(InputError, match="file channel start length word"):
        read(tmp_path, "a.ctm", "talk 1 0.5\n")
    with pytest.raises(InputError, match="type file channel start length text subtype"):
        read(tmp_path, "a.rttm", "SU talk 1\n")


def test_a_textgrid_must_name_itself_and_hold_what_it_says(tmp_path):
    with pytest.raises(InputError, match="must say so in its first lines"):
        read(tmp_path, "a.TextGrid", "hello")
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n0\n1\n<exists>\n1\n'
    with pytest.raises(InputError, match="an interval tier with words"):
        read(tmp_path, "a.TextGrid", head)
    with pytest.raises(InputError, match="as many intervals as it says"):
        read(tmp_path, "a.TextGrid", head + '"IntervalTier"\n"u"\n0\n1\n3\n0\n1\n"a"\n')


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
