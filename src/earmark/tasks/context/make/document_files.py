"""The kinds of files that documents are read from, one function per kind."""

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from earmark.files.json_text import JsonError, parse_json
from earmark.files.recognisers import read_recognition
from earmark.files.subtitles import read_cues
from earmark.files.text import read_packed_lines, read_text
from earmark.tasks.context.make.documents import Document, document, from_tokens
from earmark.text.conllu import ConlluSentence, read_conllu
from earmark.values.errors import InputError

MARKUP = re.compile(r"<[^>]*>")
# The parts of the XML of WIT3 and IWSLT. It is read by patterns, not by an XML parser, because
# many of its files are not well-formed: several roots, and bare & and <.
DOC = re.compile(r'<doc\b[^>]*\bdocid="([^"]*)"[^>]*>(.*?)</doc>', re.DOTALL | re.IGNORECASE)
FILE = re.compile(r'<file\b[^>]*\bid="([^"]*)"[^>]*>(.*?)</file>', re.DOTALL)
SEGMENTS = re.compile(r"<(seg|seekvideo)\b[^>]*>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
CONTENT = re.compile(r"<content>(.*?)</content>", re.DOTALL)
TALK = re.compile(r"<talkid>\s*([^<]*?)\s*</talkid>")


def read_plain(path: Path, name: str) -> Iterator[Document]:
    """Yield the one document of a text file, line ends as they are."""
    text = read_text(path, keep_line_ends=True)
    if not text.strip():
        raise InputError("a document must hold words", at=path, got="an empty file")
    yield document(name, text)


def _jsonl(path: Path, name: str) -> Iterator[Document]:
    """Yield a document per line; the first line of a study's file, `made_by`, is none."""
    for number, line in enumerate(_lines(path), start=1):
        at = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except JsonError as error:
            raise InputError("every line must be one JSON value", at=at, got=line) from error
        if isinstance(record, dict) and set(record) != {"made_by"}:
            yield _record(record, at)


def _record(record: dict[str, Any], at: str) -> Document:
    name, text, tokens = record.get("id"), record.get("text"), record.get("tokens")
    if not isinstance(name, str | int) or not isinstance(text if tokens is None else "", str):
        raise InputError(
            "a document must have an id and a text, or an id, tokens and tags",
            at=at,
            got=", ".join(sorted(record)),
            want='{"id": ..., "text": ...}',
        )
    if tokens is not None:
        return from_tokens(str(name), tokens, record.get("tags"), at=at)
    untagged = document(str(name), str(text))
    return untagged if record.get("tags") is None else _with_tags(untagged, record["tags"], at)


def _with_tags(untagged: Document, tags: object, at: str) -> Document:
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError("tags must be a list of texts", at=at, got=tags)
    if len(tags) != len(untagged.tokens):
        raise InputError(
            "every token must have one tag",
            at=at,
            got=f"{len(untagged.tokens)} tokens, {len(tags)} tags",
            fix="give the tokens as well",
        )
    return replace(untagged, tags=tuple(tags))


def _lines(path: Path) -> Iterator[str]:
    if path.name.endswith(".gz"):
        yield from read_packed_lines(path)
    else:
        yield from read_text(path).split("\n")


def _xml(path: Path, name: str) -> Iterator[Document]:
    """Yield the talks of WIT3 (`file`, `seekvideo`) and IWSLT (`doc`, `seg`; `talkid`) files."""
    text = read_text(path)
    talks = DOC.findall(text) or FILE.findall(text) or _training_talks(text)
    if not talks:
        raise InputError(
            "an XML of talks must have <doc>, <file> or <talkid> parts",
            at=path,
            want="WIT3 or IWSLT",
        )
    for number, body in talks:
        talk = TALK.search(body)
        yield document(talk.group(1) if talk else number, _spoken(body))


def _training_talks(text: str) -> list[tuple[str, str]]:
    """Return the talks of an IWSLT training file: lines without markup after each talk's id."""
    parts = TALK.split(text)
    return [
        (number, "\n".join(line for line in body.split("\n") if not line.startswith("<")))
        for number, body in zip(parts[1::2], parts[2::2], strict=True)
    ]


def _spoken(body: str) -> str:
    """Return the text of a talk's segments, of its content, or of all of it."""
    pieces = [text for _, text in SEGMENTS.findall(body)] or CONTENT.findall(body) or [body]
    return "\n".join(html.unescape(MARKUP.sub("", piece)).strip() for piece in pieces).strip()


def _subtitles(path: Path, name: str) -> Iterator[Document]:
    text = " ".join(cue.text for cue in read_cues(path) if cue.text)
    if not text:
        raise InputError("subtitles must have lines under their times", at=path, want="SRT or VTT")
    yield document(name, text)


def _recogniser(path: Path, name: str) -> Iterator[Document]:
    text = read_recognition(path).text
    if not text.strip():
        raise InputError(
            "a recogniser's JSON must hold words",
            at=path,
            want="the form of Whisper, Vosk or AWS",
        )
    yield document(name, text)


def _conllu(path: Path, name: str) -> Iterator[Document]:
    """Yield the documents that `# newdoc` begins, with the language's own tags, or universal ones.

    Words before the first `# newdoc` are a document of the file's name, and a document without an
    id is named after the line where it begins.
    """
    current: str = name
    sentences: list[ConlluSentence] = []
    for sentence in read_conllu(path):
        if sentence.document is not None:
            if sentences:
                yield _of_sentences(current, sentences, at=str(path))
            current, sentences = sentence.document or f"{name}-{sentence.line}", []
        sentences.append(sentence)
    if sentences:
        yield _of_sentences(current, sentences, at=str(path))


def _of_sentences(name: str, sentences: list[ConlluSentence], *, at: str) -> Document:
    words = [word for sentence in sentences for word in sentence.words]
    tokens = [word.form.replace(" ", "_") for word in words]
    tags = [word.xpos if word.xpos != "_" else word.upos for word in words]
    return from_tokens(name, tokens, tags, at=at)


READERS: dict[str, Callable[[Path, str], Iterator[Document]]] = {
    ".jsonl": _jsonl,
    ".jsonl.gz": _jsonl,
    ".xml": _xml,
    ".srt": _subtitles,
    ".vtt": _subtitles,
    ".json": _recogniser,
    ".conllu": _conllu,
}
