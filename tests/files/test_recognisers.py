"""JSON of Whisper, Amazon Transcribe and Vosk."""

import json
from pathlib import Path
from typing import Any

import pytest

from earmark.files.recognisers import Piece, read_recognition, recognition_of
from earmark.files.times import Seconds
from earmark.values.errors import InputError

WHISPER = {
    "text": " Hello there. Bye.",
    "segments": [
        {"words": [{"word": " Hello", "start": 0, "end": 1}, {"word": " there."}]},
        {"text": " Bye."},
    ],
}
VOSK = {"result": [{"word": "hello", "start": 0, "end": 0.5}], "text": "hello"}
AMAZON = {
    "results": {
        "items": [
            {"type": "punctuation", "alternatives": [{"content": "-"}]},
            {
                "type": "pronunciation",
                "alternatives": [{"content": "Hello"}],
                "start_time": "0.5",
                "end_time": "1.0",
            },
            {"type": "punctuation", "alternatives": [{"content": "."}]},
        ]
    }
}


def test_whisper_has_segments_of_words_or_of_text() -> None:
    recognition = recognition_of(WHISPER, at="a.json")
    assert recognition.recogniser == "whisper"
    assert recognition.segments == (
        (Piece(" Hello", times=Seconds(0, 1)), Piece(" there.")),
        (Piece(" Bye."),),
    )
    assert recognition.text == "Hello there. Bye."


def test_amazon_keeps_punctuation_apart_with_the_word_before_it() -> None:
    recognition = recognition_of(AMAZON, at="a.json")
    assert recognition.recogniser == "amazon"
    assert recognition.segments == ((Piece("Hello", ".", Seconds(0.5, 1.0)),),)
    assert recognition.text == "Hello."


@pytest.mark.parametrize("value", [VOSK, [VOSK, {"text": ""}], [VOSK]])
def test_vosk_writes_an_utterance_or_a_list_of_them(value: Any) -> None:
    recognition = recognition_of(value, at="a.json")
    assert recognition.recogniser == "vosk"
    assert recognition.segments[0] == (Piece("hello", times=Seconds(0, 0.5)),)
    assert recognition.text == "hello"


def test_a_text_without_words_is_one_piece() -> None:
    assert recognition_of({"text": "So. We went."}, at="a").segments == ((Piece("So. We went."),),)
    assert recognition_of([{"text": "so"}, {"text": "we"}], at="a").text == "so we"


def test_a_file_is_named_when_something_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text, message in (
        ('{"hello": ', "must be JSON"),
        ('{"hello": 1}', "of no recogniser"),
        ("3", "missing or of another kind"),
        ('{"results": {"items": [{"type": "pronunciation"}]}}', "missing or of another kind"),
        ('{"segments": [{"words": [{"word": "a", "start": 2, "end": 1}]}]}', "seconds >= 0"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message) as error:
            read_recognition(path)
        assert str(path) in str(error.value)
    path.write_text(json.dumps(WHISPER))
    assert read_recognition(path) == recognition_of(WHISPER, at=path)
