"""SRT and WebVTT: cues with times and plain text, whatever surrounds them."""

from pathlib import Path

import pytest

from earmark.files.subtitles import Cue, read_cues, write_srt, write_vtt
from earmark.values.errors import InputError

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Hello</i> there.

2
00:00:03,000 --> 01:00:04,000 X1:40 X2:600
{\\an8}Salt &amp; pepper,
 on   two lines
"""
VTT = """WEBVTT - a title

NOTE this is no cue

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.000 align:left
<v Ann>Hello.</v>
"""


def read(tmp_path: Path, name: str, text: str) -> list[Cue]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_cues(tmp_path / name)


def test_a_cue_has_its_times_and_its_text_without_markup(tmp_path: Path) -> None:
    assert read(tmp_path, "a.srt", SRT) == [
        Cue(1.0, 2.5, "Hello there."),
        Cue(3.0, 3604.0, "Salt & pepper, on two lines"),
    ]


def test_what_is_no_cue_is_passed_over(tmp_path: Path) -> None:
    assert read(tmp_path, "a.vtt", VTT) == [Cue(1.0, 2.0, "Hello.")]


def test_any_line_ends_and_a_byte_order_mark_make_no_difference(tmp_path: Path) -> None:
    for text in ("\ufeff" + SRT, SRT.replace("\n", "\r\n"), SRT.replace("\n", "\r")):
        assert read(tmp_path, "a.srt", text) == read(tmp_path, "b.srt", SRT)


def test_a_cue_may_follow_the_one_before_without_a_blank_line(tmp_path: Path) -> None:
    text = "00:01.000 --> 00:02.000\none\n00:02.000 --> 00:03.000\ntwo\n"
    assert [cue.text for cue in read(tmp_path, "a.vtt", text)] == ["one", "two"]


def test_a_cue_may_be_empty(tmp_path: Path) -> None:
    assert read(tmp_path, "a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n") == [Cue(1.0, 2.0, "")]


@pytest.mark.parametrize("times", ["00:05.000 --> 00:01.000", "1.2.3 --> 00:01.000"])
def test_times_that_are_wrong_are_named_with_their_line(times: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must end after it starts") as error:
        read(tmp_path, "a.vtt", f"WEBVTT\n\n{times}\nno\n")
    assert f"{tmp_path}/a.vtt:3" in str(error.value)


def test_a_file_without_cues_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must have cues with times"):
        read(tmp_path, "a.srt", "nothing")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    cues = [Cue(0.0, 1.25, "one two."), Cue(3599.999, 3661.5, "three.")]
    assert read(tmp_path, "a.srt", write_srt(cues)) == cues
    assert read(tmp_path, "a.vtt", write_vtt(cues)) == cues
