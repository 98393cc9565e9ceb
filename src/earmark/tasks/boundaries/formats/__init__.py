"""Segmented texts in and out, in every format that peers and recognisers use.

`read_file` looks at the name and, where that does not say, at the content; it returns the texts of
a file by name and person. `read_texts` does so for a file or for a folder of them.
"""

import codecs
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from earmark.files.folder import write_file as write_whole
from earmark.files.json_text import read_json
from earmark.files.recognisers import recognition_of
from earmark.tasks.boundaries.formats import nist, plain, recognisers, subtitles, tiers
from earmark.tasks.boundaries.formats.marked import ENDS, LINE, MarkedText, Units, require_words
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.values import checks
from earmark.values.errors import InputError

__all__ = [
    "ALONE", "ENDS", "LINE", "MarkedText", "Texts", "Units",
    "one_per_person", "read_file", "read_texts", "text_files", "write_file",
]  # fmt: skip

Texts = dict[str, dict[str, MarkedText]]
Content = MarkedText | Mapping[str, MarkedText] | Texts  # one text, one per name, or people's
ALONE = "text"

READERS: Mapping[str, Callable[[Path], Content]] = {
    ".tsv": plain.read_labels,
    ".seg": plain.read_bits,
    ".srt": subtitles.read_subtitles,
    ".vtt": subtitles.read_subtitles,
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
    """Return the texts of one file by name, then by person; a lone text is called `text`.

    `encoding` is that of plain text which is not UTF-8; other formats are UTF-8.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        content: Content = _read_json(path)
    elif suffix in READERS:
        content = READERS[suffix](path)
    else:
        content = plain.read_lines(path, encoding=_known_encoding(encoding))
    if isinstance(content, MarkedText):
        return {ALONE: {path.stem: require_words(content, at=path)}}
    if not content:
        raise InputError("a file must hold at least one text", at=path)
    return {
        name: one if isinstance(one, dict) else {path.stem: require_words(one, at=path)}
        for name, one in content.items()
    }


def _known_encoding(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError as error:
        raise InputError(
            "there is no such encoding", got=encoding, want="utf-8, latin-1, cp1252 ..."
        ) from error


def _read_json(path: Path) -> Content:
    """Return the texts of segeval's JSON, or the text of a recogniser's."""
    value = read_json(path)
    if isinstance(value, dict) and "items" in value:
        return plain.texts_of_sizes(value, at=path)
    return recognisers.text_of_recognition(recognition_of(value, at=path))


def read_texts(path: Path, *, encoding: str = "utf-8") -> Texts:
    """Return the texts of a file, or of all files of a folder, each under its file's stem.

    Hidden files and files called README are passed over.
    """
    if not path.is_dir():
        return read_file(path, encoding=encoding)
    texts: Texts = {}
    for file in text_files(path):
        for name, people in read_file(file, encoding=encoding).items():
            key = file.stem if name == ALONE else name
            texts.setdefault(key, {}).update(
                {path.name if name == ALONE else who: one for who, one in people.items()}
            )
    return texts


def text_files(path: Path) -> list[Path]:
    """Return the file, or the files of a folder but hidden ones and those called README."""
    if not path.is_dir():
        return [path]
    files = [
        file
        for file in sorted(path.iterdir())
        if file.is_file() and not file.name.startswith((".", "README"))
    ]
    if not files:
        raise InputError("a folder of texts must hold files", at=path, got="none")
    return files


def one_per_person(paths: Sequence[Path], *, text: str = "") -> list[Path]:
    """Return files and folders of one person each: a folder of folders holds one per person.

    `text` names the only text there is: a folder with several files, none of that name, then holds
    a file per person.
    """
    result = []
    for path in paths:
        inside = [one for one in sorted(path.iterdir())] if path.is_dir() else []
        inside = [one for one in inside if not one.name.startswith((".", "README"))]
        is_of_people = bool(inside) and all(one.is_dir() for one in inside)
        if text and len(inside) > 1 and all(one.is_file() for one in inside):
            is_of_people = text not in {one.stem for one in inside}
        result += inside if is_of_people else [path]
    return result


def write_file(path: Path, transcript: Transcript, boundaries: Boundaries, *, kind: str) -> None:
    """Write a text in one of the formats of `WRITERS`: lines, text, tsv, whisper, srt ..."""
    checks.one_of(kind, WRITERS, what="format")
    write_whole(path, WRITERS[kind](transcript, boundaries))
