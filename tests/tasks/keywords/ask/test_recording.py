"""The recording question, and the checks on what arrives."""

from pathlib import Path

import pytest

from earmark.tasks.keywords.ask.recording import (
    RECORDING,
    RecordingOptions,
    read_answers,
    read_take,
)
from earmark.tasks.keywords.values import Recording
from earmark.values.errors import InputError


def test_every_text_is_read_several_times(units) -> None:
    assert [u.id for u in units] == [
        "prompt-0001-take-01",
        "prompt-0001-take-02",
        "prompt-0002-take-01",
        "prompt-0002-take-02",
    ]
    shown = RECORDING.show(units[0])
    assert (shown["text"], shown["take"], shown["of"]) == ("open sesame", 1, 2)
    assert shown["format"]["rate"] == 16000


def test_a_take_is_checked_when_it_arrives(units, tone, tmp_path: Path) -> None:
    tone("a.wav")
    form = {"language": "Chinese", "dialect": "Cantonese", "file": "a.wav", "folder": str(tmp_path)}
    assert read_take(units[0], form) == Recording("a.wav", "Chinese", "Cantonese", 1.0)
    with pytest.raises(InputError, match="Chinese needs a dialect"):
        read_take(units[0], {**form, "dialect": ""})
    with pytest.raises(InputError, match="a contributor chooses a language first"):
        read_take(units[0], {**form, "language": ""})


@pytest.mark.parametrize(
    ("level", "seconds", "said"),
    [
        (0.0, 1.0, "must not be silent"),
        (5.0, 1.0, "must not be clipped"),
        (0.4, 0.2, "must last between 0.3 and 15.0 s"),
        (0.4, 16.0, "must last between 0.3 and 15.0 s"),
    ],
)
def test_a_bad_take_is_refused_with_a_reason(units, tone, tmp_path, level, seconds, said) -> None:
    tone("a.wav", level, seconds)
    form = {"language": "English", "file": "a.wav", "folder": str(tmp_path)}
    with pytest.raises(InputError, match=said):
        read_take(units[0], form)


def test_a_text_is_read_once_at_least() -> None:
    with pytest.raises(InputError, match="the number of takes must be > 0"):
        RecordingOptions(takes=0)


def test_a_vote_is_keep_or_drop(units, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(
        "item,person,listener,verdict\nprompt-0001-take-01,ana,l1,perhaps\n"
    )
    with pytest.raises(InputError, match="a listener keeps or drops a take") as error:
        list(read_answers(tmp_path / "s.csv", units))
    assert "s.csv:2" in str(error.value)


def test_an_answer_to_a_unit_that_nobody_asked_is_refused(units, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("item,person,file\nprompt-0009-take-01,ana,a.wav\n")
    with pytest.raises(InputError, match="a take that was asked"):
        list(read_answers(tmp_path / "r.csv", units))
