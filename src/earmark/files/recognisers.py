"""What speech recognisers write as JSON: Whisper, Amazon Transcribe and Vosk.

`read_recognition` tells them apart by their keys: `segments` is Whisper's, `results` Amazon's,
`result` (or a list of objects) Vosk's. An object that only has a `text` is what Whisper and Vosk
write when they are not asked for words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from earmark.files.json_text import read_json
from earmark.files.times import Seconds, read_seconds
from earmark.values.errors import InputError

Recogniser = Literal["whisper", "amazon", "vosk"]
SHAPES = "Whisper (segments), Transcribe (results), Vosk (result)"


@dataclass(frozen=True, slots=True)
class Piece:
    """A recognised word, or the text of a whole segment whose words were not written.

    Whisper writes punctuation into `text`; Amazon keeps it apart, in `punctuation`.
    """

    text: str
    punctuation: str = ""
    times: Seconds | None = None


@dataclass(frozen=True, slots=True)
class Recognition:
    """The segments (Whisper) or utterances (Vosk) of a recording; Amazon's items are one."""

    recogniser: Recogniser
    segments: tuple[tuple[Piece, ...], ...]

    @property
    def text(self) -> str:
        """All words with their punctuation, separated by blanks."""
        pieces = (piece for segment in self.segments for piece in segment)
        return " ".join(piece.text.strip() + piece.punctuation for piece in pieces)


def read_recognition(path: Path) -> Recognition:
    """Return what a recogniser's JSON file holds.

    Raises
    ------
    InputError
        If the file is no JSON, is of no recogniser that we know, or lacks a field.
    """
    return recognition_of(read_json(path), at=path)


def recognition_of(value: Any, *, at: object) -> Recognition:
    """Return what a recogniser's JSON value holds; `at` names it in errors."""
    try:
        return _by_shape(value, at)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError(
            "a field of the recogniser's JSON is missing or of another kind", at=at, got=error
        ) from error


def _by_shape(value: Any, at: object) -> Recognition:
    if isinstance(value, list):
        return Recognition("vosk", tuple(_vosk(utterance, at) for utterance in value))
    if "segments" in value:
        return Recognition("whisper", tuple(_whisper(segment, at) for segment in value["segments"]))
    if "results" in value:
        return Recognition("amazon", (_amazon(value["results"]["items"], at),))
    if "result" in value:
        return Recognition("vosk", (_vosk(value, at),))
    if "text" in value:
        return Recognition("whisper", (_text_only(value),))
    raise InputError(
        "this JSON is of no recogniser that we know",
        at=at,
        got=", ".join(list(value)[:5]),
        want=SHAPES,
    )


def _whisper(segment: Mapping[str, Any], at: object) -> tuple[Piece, ...]:
    if segment.get("words") is None:
        return _text_only(segment)
    return tuple(
        Piece(str(word.get("word", word.get("text", ""))), times=_times(word, "start", "end", at))
        for word in segment["words"]
    )


def _vosk(utterance: Mapping[str, Any], at: object) -> tuple[Piece, ...]:
    if "result" not in utterance:
        return _text_only(utterance)
    return tuple(
        Piece(str(word["word"]), times=_times(word, "start", "end", at))
        for word in utterance["result"]
    )


def _text_only(segment: Mapping[str, Any]) -> tuple[Piece, ...]:
    text = str(segment.get("text", ""))
    return (Piece(text),) if text.strip() else ()


def _amazon(items: list[Mapping[str, Any]], at: object) -> tuple[Piece, ...]:
    """Return the pronounced items; punctuation belongs to the item before it."""
    pieces: list[Piece] = []
    for item in items:
        content = str(item["alternatives"][0]["content"])
        if item.get("type") != "punctuation":
            pieces.append(Piece(content, times=_times(item, "start_time", "end_time", at)))
        elif pieces:
            last = pieces[-1]
            pieces[-1] = Piece(last.text, last.punctuation + content, last.times)
    return tuple(pieces)


def _times(item: Mapping[str, Any], start: str, end: str, at: object) -> Seconds | None:
    if start not in item or end not in item:
        return None
    return read_seconds(item[start], item[end], at=at)
