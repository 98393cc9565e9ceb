"""The recording question, arrival checks and screening."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.tasks.keywords.ask import RECORDING, read_answers, read_take, takes_of
from earmark.tasks.keywords.make.prompts import make_prompts
from earmark.tasks.keywords.reconcile import by_listeners
from earmark.tasks.keywords.values import Recording, Screening
from earmark.values.answer import Ballots
from earmark.values.errors import InputError


@pytest.fixture
def units(tmp_path: Path):
    (tmp_path / "texts.txt").write_text("open sesame\n\nhello lantern\n")
    material = tuple(m.item for m in make_prompts(None, seed=0, text=tmp_path / "texts.txt"))
    return tuple(takes_of(material, takes=2))


def sound(path: Path, level: float = 0.4, seconds: float = 1.0) -> None:
    time = np.arange(int(seconds * 16000)) / 16000
    soundfile.write(str(path), np.clip(level * np.sin(1900 * time), -1, 1), 16000)


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


def test_a_take_is_checked_when_it_arrives(units, tmp_path: Path) -> None:
    sound(tmp_path / "a.wav")
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
        (0.4, 0.2, "a length that a spoken word can have"),
        (0.4, 16.0, "a length that a spoken word can have"),
    ],
)
def test_a_bad_take_is_refused_with_a_reason(units, tmp_path, level, seconds, said) -> None:
    sound(tmp_path / "a.wav", level, seconds)
    form = {"language": "English", "file": "a.wav", "folder": str(tmp_path)}
    with pytest.raises(InputError, match=said):
        read_take(units[0], form)


def answers(tmp_path: Path, units, rows: str):
    for name in ("a", "b"):
        sound(tmp_path / f"{name}.wav")
    (tmp_path / "r.csv").write_text(
        "item,person,file,language,dialect\n"
        + ("prompt-0001-take-01,ana,a.wav,English,\nprompt-0001-take-01,bo,b.wav,English,\n")
    )
    (tmp_path / "s.csv").write_text("item,person,listener,verdict,reason\n" + rows)
    recorded = read_answers(tmp_path / "r.csv", units)
    return (*recorded, *read_answers(tmp_path / "s.csv", units))


def test_listeners_keep_and_drop_takes(units, tmp_path: Path) -> None:
    unit = "prompt-0001-take-01"
    given = answers(
        tmp_path,
        units,
        f"{unit},ana,l1,keep,\n{unit},bo,l1,drop,noise\n{unit},ana,l2,keep,\n{unit},bo,l2,keep,\n",
    )
    assert sum(isinstance(a.value, Screening) for a in given) == 2
    reference = by_listeners(Ballots(units, given), seed=0)
    assert reference.values["prompt-0001"].people == ("ana",)
    assert reference.doubt["prompt-0001"] == 0.5
    lenient = by_listeners(Ballots(units, given), seed=0, share=0.4)
    assert lenient.values["prompt-0001"].people == ("ana", "bo")


def test_a_take_that_nobody_heard_stays_only_when_asked(units, tmp_path: Path) -> None:
    given = answers(tmp_path, units, "prompt-0001-take-01,ana,l1,keep,\n")
    kept = [
        by_listeners(Ballots(units, given), seed=0, unheard=u).values["prompt-0001"].people
        for u in (False, True)
    ]
    assert kept == [("ana",), ("ana", "bo")]


def test_a_listener_cannot_screen_what_was_not_recorded(units, tmp_path: Path) -> None:
    given = answers(tmp_path, units, "prompt-0002-take-01,ana,l1,keep,\n")
    with pytest.raises(InputError, match="can only screen a take that was recorded"):
        by_listeners(Ballots(units, given), seed=0)


def test_a_verdict_is_keep_or_drop(units, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a listener keeps or drops a take") as error:
        answers(tmp_path, units, "prompt-0001-take-01,ana,l1,perhaps,\n")
    assert "s.csv:2" in str(error.value)


def test_collecting_and_screening_from_the_command_line(tmp_path: Path, earmark) -> None:
    import json

    (tmp_path / "texts.txt").write_text("open sesame\n")
    for name in ("a", "b"):
        sound(tmp_path / f"{name}.wav")
    unit = "prompt-0001-take-01"
    (tmp_path / "r.csv").write_text(
        f"item,person,file,language\n{unit},ana,a.wav,English\n{unit},bo,b.wav,English\n"
    )
    (tmp_path / "s.csv").write_text(
        f"item,person,listener,verdict\n{unit},ana,l1,keep\n{unit},bo,l1,drop\n"
    )
    study = tmp_path / "collect"
    texts = ("--maker", "prompts", "--text", tmp_path / "texts.txt")
    assert earmark("make", "keywords", study, *texts)[0] == 0
    for file in ("r.csv", "s.csv"):
        code, _, err = earmark("ask", study, "--import", tmp_path / file)
        assert code == 0, err
    assert earmark("reconcile", study, "--by", "listeners")[0] == 0
    lines = (study / "3-references" / "listeners.jsonl").read_text().splitlines()
    kept = json.loads(lines[-1])["value"]
    assert kept["people"] == ["ana"] and kept["recordings"][0]["file"] == "a.wav"
