"""Segmented texts in and out, in every format that peers and recognisers use.

`read_file` looks at the name and, where that does not say, at the content; it gives the texts of
a file by name and person. `read_texts` does so for a file or for a folder of them.
"""

import codecs
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from earmark.files.text import read_text
from earmark.tasks.boundaries.files import nist, plain, recognisers, subtitles, tiers
from earmark.tasks.boundaries.files.marked import ENDS, LINE, Marked, Units, filled
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.values import checks
from earmark.values.errors import InputError

__all__ = ["ENDS", "LINE", "Marked", "Units", "read_file", "read_texts", "write_file"]

Texts = dict[str, dict[str, Marked]]
ALONE = "text"

READERS: Mapping[str, Callable[[Path], "Marked | dict[str, Marked]"]] = {
    ".tsv": plain.read_labels,
    ".seg": plain.read_bits,
    ".srt": subtitles.read_cues,
    ".vtt": subtitles.read_cues,
    ".ctm": nist.read_ctm,
    ".rttm": nist.read_rttm,
    ".textgrid": tiers.read_textgrid,
    ".eaf": tiers.read_eaf,
}

WRITERS: Mapping[str, Callable[[Transcript, Boundaries], str]] = {
    "lines": plain.write_lines,
    "text": plain.write_text,
    "tsv": plain.write_labels,
    "whisper": recognisers.write_whisper,
    "amazon": recognisers.write_amazon,
    "vosk": recognisers.write_vosk,
    "srt": subtitles.write_srt,
    "vtt": subtitles.write_vtt,
    "ctm": nist.write_ctm,
    "rttm": nist.write_rttm,
    "textgrid": tiers.write_textgrid,
    "eaf": tiers.write_eaf,
    "seg": plain.write_bits,
    "segeval": plain.write_sizes,
}


def read_file(path: Path, *, encoding: str = "utf-8") -> Texts:
    """The texts of one file: by name, then by person; a file with one text calls it `text`.

    `encoding` is that of plain text which is not UTF-8; other formats are UTF-8.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        found: Any = _read_json(path)
    elif suffix in READERS:
        found = READERS[suffix](path)
    else:
        found = plain.read_lines(path, encoding=_known(encoding))
    if isinstance(found, Marked):
        return {ALONE: {path.stem: filled(found, at=path)}}
    if not found:
        raise InputError("a file must hold at least one text", at=path)
    return {
        name: one if isinstance(one, dict) else {path.stem: filled(one, at=path)}
        for name, one in found.items()
    }


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError as error:
        raise InputError(
            "there is no such encoding", got=encoding, want="utf-8, latin-1, cp1252 ..."
        ) from error


def _read_json(path: Path) -> "Marked | Texts":
    try:
        told = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(
            "a .json file must be JSON", at=f"{path}:{error.lineno}", got=error.msg
        ) from error
    try:
        return _by_shape(path, told)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError(
            "a field of the recogniser's JSON is missing or of another kind", at=path, got=error
        ) from error


def _by_shape(path: Path, told: Any) -> "Marked | Texts":
    if isinstance(told, dict) and "segments" in told:
        return recognisers.read_whisper(path, told)
    if isinstance(told, dict) and "results" in told:
        return recognisers.read_amazon(path, told)
    if isinstance(told, list) or "result" in told:
        return recognisers.read_vosk(path, told)
    if "items" in told:
        return plain.read_sizes(path, told)
    raise InputError(
        "this JSON is of no kind that we know",
        at=path,
        got=", ".join(list(told)[:5]),
        want="Whisper (segments), Transcribe (results), Vosk (result), segeval (items)",
    )


def read_texts(path: Path, *, encoding: str = "utf-8") -> Texts:
    """The texts of a file, or of all files of a folder, each under its file's stem.

    Hidden files and files called README are passed over.
    """
    if not path.is_dir():
        return read_file(path, encoding=encoding)
    texts: Texts = {}
    for file in sorted(path.iterdir()):
        if file.is_file() and not file.name.startswith((".", "README")):
            for name, people in read_file(file, encoding=encoding).items():
                key = file.stem if name == ALONE else name
                texts.setdefault(key, {}).update(
                    {path.name if name == ALONE else who: one for who, one in people.items()}
                )
    if not texts:
        raise InputError("a folder of texts must hold files", at=path, got="none")
    return texts


def write_file(path: Path, transcript: Transcript, boundaries: Boundaries, *, kind: str) -> None:
    """Write a text in one of the formats: lines, text, tsv, whisper, amazon, vosk, srt, vtt ..."""
    from earmark.files import folder

    checks.one_of(kind, WRITERS, what="format")
    folder.write_file(path, WRITERS[kind](transcript, boundaries))
