"""What speech recognisers write: JSON of Whisper, Amazon Transcribe and Vosk."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from earmark.tasks.boundaries.files.marked import LINE, Marked, Units, needs_times, seconds
from earmark.tasks.boundaries.files.plain import units
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import tokens

Told = Mapping[str, Any]


def read_whisper(path: Path, told: Told) -> Marked:
    """Segments with words, each with its punctuation; the end of a segment is a line's end."""
    rows: list[tuple[str, str, tuple[float, float] | None]] = []
    for segment in told["segments"]:
        words = segment.get("words")
        pieces = words if words is not None else [{"word": segment.get("text", "")}]
        start = len(rows)
        for piece in pieces:
            time = _time(path, piece, "start", "end")
            found = tokens(str(piece.get("word", piece.get("text", ""))))
            rows += [(token.word, token.mark, time) for token in found]
        if len(rows) > start:
            word, mark, time = rows[-1]
            rows[-1] = (word, mark + LINE, time)
    return _marked(rows, units="marks")


def read_amazon(path: Path, told: Told) -> Marked:
    """Items of pronunciation and of punctuation."""
    rows: list[tuple[str, str, tuple[float, float] | None]] = []
    for item in told["results"]["items"]:
        content = str(item["alternatives"][0]["content"])
        if item.get("type") == "punctuation":
            if rows:
                word, mark, time = rows[-1]
                rows[-1] = (word, mark + content, time)
            continue
        time = _time(path, item, "start_time", "end_time")
        rows += [(token.word, "", time) for token in tokens(content)]
    return _marked(rows, units="marks")


def read_vosk(path: Path, told: Any) -> Marked:
    """One utterance or a list of them; the end of an utterance is a line's end."""
    rows: list[tuple[str, str, tuple[float, float] | None]] = []
    for utterance in told if isinstance(told, list) else [told]:
        start = len(rows)
        for piece in utterance.get("result", []):
            time = _time(path, piece, "start", "end")
            rows += [(token.word, token.mark, time) for token in tokens(str(piece["word"]))]
        if len(rows) > start:
            word, mark, time = rows[-1]
            rows[-1] = (word, mark + LINE, time)
    return _marked(rows, units="lines")


def _time(path: Path, piece: Told, start: str, end: str) -> tuple[float, float] | None:
    if start not in piece or end not in piece:
        return None
    return seconds(piece[start], piece[end], at=path)


def _marked(rows: Iterable[tuple[str, str, tuple[float, float] | None]], *, units: Units) -> Marked:
    whole = list(rows)
    times = [time for _, _, time in whole if time is not None]
    complete = tuple(times) if whole and len(times) == len(whole) else None
    return Marked(
        tuple(word for word, _, _ in whole), tuple(mark for _, mark, _ in whole), complete, units
    )


def write_whisper(transcript: Transcript, boundaries: Boundaries) -> str:
    """A segment a unit, its last word with a full stop."""
    times = needs_times(transcript, kind="Whisper")
    segments = []
    start = 0
    for number, unit in enumerate(units(transcript, boundaries)):
        when = times[start : start + len(unit)]
        shown = [f" {word}" for word in unit[:-1]] + [f" {unit[-1]}."]
        words = [
            {"word": word, "start": begin, "end": end}
            for word, (begin, end) in zip(shown, when, strict=True)
        ]
        segments.append(
            {
                "id": number,
                "start": when[0][0],
                "end": when[-1][1],
                "text": "".join(shown),
                "words": words,
            }
        )
        start += len(unit)
    text = "".join(str(segment["text"]) for segment in segments)
    return json.dumps({"text": text, "segments": segments}, ensure_ascii=False) + "\n"


def write_amazon(transcript: Transcript, boundaries: Boundaries) -> str:
    """Items of pronunciation, and a full stop after each unit."""
    times = needs_times(transcript, kind="Transcribe")
    items: list[dict[str, object]] = []
    for at, (word, (start, end)) in enumerate(zip(transcript.words, times, strict=True)):
        items.append(
            {
                "type": "pronunciation",
                "alternatives": [{"content": word}],
                "start_time": str(start),
                "end_time": str(end),
            }
        )
        if at in boundaries.after:
            items.append({"type": "punctuation", "alternatives": [{"content": "."}]})
    return json.dumps({"results": {"items": items}}, ensure_ascii=False) + "\n"


def write_vosk(transcript: Transcript, boundaries: Boundaries) -> str:
    """An utterance a unit."""
    times = needs_times(transcript, kind="Vosk")
    told = []
    start = 0
    for unit in units(transcript, boundaries):
        when = times[start : start + len(unit)]
        result = [
            {"word": word, "start": begin, "end": end}
            for word, (begin, end) in zip(unit, when, strict=True)
        ]
        told.append({"result": result, "text": " ".join(unit)})
        start += len(unit)
    return json.dumps(told, ensure_ascii=False) + "\n"
