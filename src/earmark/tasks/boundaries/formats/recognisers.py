"""Transcripts of speech recognisers: JSON of Whisper, Amazon Transcribe and Vosk."""

import json
from typing import Any

from earmark.files.recognisers import Recognition
from earmark.files.times import Seconds
from earmark.tasks.boundaries.formats.marked import (
    LINE,
    MarkedText,
    TimedUnit,
    Units,
    require_times,
    timed_units_of,
)
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import tokens


def text_of_recognition(recognition: Recognition) -> MarkedText:
    """Return the recognised words; the end of a segment or utterance counts as a line's end.

    Vosk writes no punctuation, so its utterances are the units; of the others the marks are.
    """
    # Amazon writes punctuation as items of their own, so a stop inside its word ("Mr.") is no mark.
    amazon = recognition.recogniser == "amazon"
    words: list[str] = []
    marks: list[str] = []
    times: list[Seconds | None] = []
    for segment in recognition.segments:
        before = len(words)
        for piece in segment:
            piece_tokens = tokens(piece.text)
            words += [token.word for token in piece_tokens]
            marks += ["" if amazon else token.mark for token in piece_tokens]
            times += [piece.times] * len(piece_tokens)
            if marks:
                marks[-1] += piece.punctuation
        if len(words) > before and not amazon:
            marks[-1] += LINE
    known = tuple(time for time in times if time is not None)
    complete = known if words and len(known) == len(words) else None
    units: Units = "lines" if recognition.recogniser == "vosk" else "marks"
    return MarkedText(tuple(words), tuple(marks), complete, units)


def write_whisper(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one segment per unit, its last word with a full stop."""
    units = timed_units_of(transcript, boundaries, kind="Whisper")
    segments = [_whisper_segment(number, unit) for number, unit in enumerate(units)]
    text = "".join(str(segment["text"]) for segment in segments)
    return json.dumps({"text": text, "segments": segments}, ensure_ascii=False) + "\n"


def _whisper_segment(number: int, unit: TimedUnit) -> dict[str, Any]:
    written = [f" {word}" for word in unit.words[:-1]] + [f" {unit.words[-1]}."]
    words = [
        {"word": word, "start": time.start, "end": time.end}
        for word, time in zip(written, unit.times, strict=True)
    ]
    return {
        "id": number,
        "start": unit.start,
        "end": unit.end,
        "text": "".join(written),
        "words": words,
    }


def write_amazon(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one item per word, and a full stop as an item of its own after each unit."""
    times = require_times(transcript, kind="Transcribe")
    items: list[dict[str, object]] = []
    for place, (word, (start, end)) in enumerate(zip(transcript.words, times, strict=True)):
        items.append(
            {
                "type": "pronunciation",
                "alternatives": [{"content": word}],
                "start_time": str(start),
                "end_time": str(end),
            }
        )
        if place in boundaries.after:
            items.append({"type": "punctuation", "alternatives": [{"content": "."}]})
    return json.dumps({"results": {"items": items}}, ensure_ascii=False) + "\n"


def write_vosk(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one utterance per unit."""
    utterances = [
        {
            "result": [
                {"word": word, "start": time.start, "end": time.end}
                for word, time in zip(unit.words, unit.times, strict=True)
            ],
            "text": unit.text,
        }
        for unit in timed_units_of(transcript, boundaries, kind="Vosk")
    ]
    return json.dumps(utterances, ensure_ascii=False) + "\n"
