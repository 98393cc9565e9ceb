"""Every format, read and written."""

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
