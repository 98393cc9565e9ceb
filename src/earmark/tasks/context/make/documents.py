"""Documents to corrupt, from whatever file they lie in: each knows its words and their places."""

import gzip
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from earmark.files.text import read_bytes, read_text
from earmark.text.tokens import Offsets, tokenise
from earmark.values import checks
from earmark.values.errors import InputError

READABLE = (".txt", ".jsonl", ".jsonl.gz", ".xml", ".srt", ".vtt", ".json", ".conllu")
TIMES = re.compile(r"^\s*(?:\d+:)?\d+:\d+[.,]\d+\s*-->")
MARKUP = re.compile(r"<[^>]*>")
DOC = re.compile(r'<doc\b[^>]*\bdocid="([^"]*)"[^>]*>(.*?)</doc>', re.DOTALL | re.IGNORECASE)
FILE = re.compile(r'<file\b[^>]*\bid="([^"]*)"[^>]*>(.*?)</file>', re.DOTALL)
PARTS = re.compile(r"<(seg|seekvideo)\b[^>]*>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
CONTENT = re.compile(r"<content>(.*?)</content>", re.DOTALL)
TALK = re.compile(r"<talkid>\s*([^<]*?)\s*</talkid>")


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A text, its tokens and their places; tags when somebody supplied them."""

    id: str
    text: str
    tokens: tuple[str, ...]
    offsets: Offsets
    tags: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """A document whose tokens all have a tag: `names[codes[k]]` is that of token k."""

    document: Document
    codes: Any
    names: tuple[str, ...]

    @classmethod
    def of(cls, document: Document, tags: Sequence[str]) -> "Tagged":
        """A document with tags as texts."""
        names = sorted(set(tags))
        number = {name: index for index, name in enumerate(names)}
        codes = np.fromiter((number[tag] for tag in tags), np.int16, len(tags))
        return cls(document, codes, tuple(names))

    def tag(self, place: int) -> str:
        """The tag of one token."""
        return self.names[int(self.codes[place])]

    def places_of(self, tags: Sequence[str]) -> list[int]:
        """The tokens that carry one of these tags."""
        wanted = np.array([name in tags for name in self.names], bool)
        places: list[int] = np.flatnonzero(wanted[self.codes]).tolist() if self.names else []
        return places


def read_documents(path: Path) -> tuple[Document, ...]:
    """All documents of a file or folder, sorted by id.

    Text, JSONL (`{"id", "text"}`, or `{"id", "tokens", "tags"}` for any language), WIT3 and IWSLT
    XML, subtitles (SRT, VTT), words of a recogniser (Whisper, Vosk, AWS), and CoNLL-U.
    """
    found = list(_folder(path) if path.is_dir() else _file(path, name_of(path)))
    if not found:
        raise InputError("there must be at least one document", at=path, want=" ".join(READABLE))
    checks.unique((document.id for document in found), what="document", at=str(path))
    return tuple(sorted(found, key=lambda document: document.id))


def document(name: str, text: str) -> Document:
    """A text cut into tokens."""
    tokens, offsets = tokenise(text)
    return Document(name, text, tokens, offsets)


def from_tokens(
    name: str, tokens: Iterable[str], tags: Iterable[str] | None, *, at: str
) -> Document:
    """Tokens that come without a text: joined by blanks."""
    words = tuple(tokens)
    given = None if tags is None else tuple(tags)
    if given is not None and len(given) != len(words):
        raise InputError(
            "every token has one tag", at=at, got=f"{len(words)} tokens, {len(given)} tags"
        )
    if not all(isinstance(word, str) and word for word in words):
        raise InputError("every token is a text that is not empty", at=at)
    offsets: list[int] = []
    start = 0
    for word in words:
        offsets += (start, start + len(word))
        start += len(word) + 1
    return Document(name, " ".join(words), words, np.array(offsets, np.int32), given)


def name_of(path: Path) -> str:
    """The file's name without what says its kind."""
    return next((path.name[: -len(s)] for s in READABLE if path.name.endswith(s)), path.name)


def _folder(folder: Path) -> Iterator[Document]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name.endswith(READABLE))
    for path in files:
        inside = path.parent.relative_to(folder)
        yield from _file(path, (inside / name_of(path)).as_posix())


def _file(path: Path, name: str) -> Iterator[Document]:
    for suffix, read in READERS.items():
        if path.name.endswith(suffix):
            return read(path, name)
    return _plain(path, name)


def _plain(path: Path, name: str) -> Iterator[Document]:
    read_text(path)
    yield document(name, read_bytes(path).decode("utf-8-sig"))


def _jsonl(path: Path, name: str) -> Iterator[Document]:
    for number, line in enumerate(_lines(path), start=1):
        at = f"{path}:{number}"
        try:
            value = json.loads(line) if line.strip() else {"made_by": 0}
        except json.JSONDecodeError as error:
            raise InputError("every line must be one JSON value", at=at, got=line) from error
        if not isinstance(value, dict) or set(value) == {"made_by"}:
            continue
        yield _record(value, at)


def _record(value: dict[str, Any], at: str) -> Document:
    name, text, tokens = value.get("id"), value.get("text"), value.get("tokens")
    if not isinstance(name, str | int) or not isinstance(text if tokens is None else "", str):
        raise InputError(
            "a document has an id and a text, or an id, tokens and tags",
            at=at,
            got=", ".join(sorted(value)),
            want='{"id": ..., "text": ...}',
        )
    if tokens is None:
        made = document(str(name), str(text))
        return made if value.get("tags") is None else _tagged(made, value["tags"], at)
    return from_tokens(str(name), tokens, value.get("tags"), at=at)


def _tagged(made: Document, tags: list[str], at: str) -> Document:
    if len(tags) != len(made.tokens):
        raise InputError(
            "every token has one tag",
            at=at,
            got=f"{len(made.tokens)} tokens, {len(tags)} tags",
            fix="give the tokens as well",
        )
    return replace(made, tags=tuple(tags))


def _lines(path: Path) -> Iterator[str]:
    if path.name.endswith(".gz"):
        try:
            yield from gzip.decompress(read_bytes(path)).decode("utf-8").split("\n")
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise InputError("the file is no gzip of UTF-8 text", at=path, got=error) from error
    else:
        yield from read_text(path).split("\n")


def _xml(path: Path, name: str) -> Iterator[Document]:
    """WIT3 (`file`, `seekvideo`), IWSLT sets (`doc`, `seg`) and training files (`talkid`)."""
    text = read_text(path)
    found = DOC.findall(text) or FILE.findall(text)
    if not found:
        found = _talks(text)
    if not found:
        raise InputError(
            "an XML of talks has <doc>, <file> or <talkid> parts", at=path, want="WIT3 or IWSLT"
        )
    for number, body in found:
        talk = TALK.search(body)
        yield document(talk.group(1) if talk else number, _body(body))


def _talks(text: str) -> list[tuple[str, str]]:
    """The talks of an IWSLT training file: lines without markup after each talk's number."""
    parts = TALK.split(text)
    return [
        (number, "\n".join(line for line in body.split("\n") if not line.startswith("<")))
        for number, body in zip(parts[1::2], parts[2::2], strict=True)
    ]


def _body(body: str) -> str:
    pieces = [text for _, text in PARTS.findall(body)] or CONTENT.findall(body) or [body]
    return "\n".join(html.unescape(MARKUP.sub("", piece)).strip() for piece in pieces).strip()


def _subtitles(path: Path, name: str) -> Iterator[Document]:
    kept: list[str] = []
    inside = False
    for line in read_text(path).split("\n"):
        if TIMES.match(line):
            inside = True
        elif not line.strip():
            inside = False
        elif inside:
            kept.append(html.unescape(MARKUP.sub("", line)).strip())
    if not kept:
        raise InputError("subtitles have lines under their times", at=path, want="SRT or VTT")
    yield document(name, " ".join(kept))


def _recogniser(path: Path, name: str) -> Iterator[Document]:
    try:
        value = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError("a JSON file holds one JSON value", at=path, got=error) from error
    words = _words(value)
    if not words:
        raise InputError(
            "a recogniser's JSON holds words", at=path, want="the form of Whisper, Vosk or AWS"
        )
    yield document(name, " ".join(words))


def _words(value: Any) -> list[str]:
    if isinstance(value, list):
        return [word for part in value for word in _words(part)]
    if not isinstance(value, dict):
        return []
    if "segments" in value and any("words" in part for part in value["segments"]):
        return [w["word"].strip() for part in value["segments"] for w in part.get("words", [])]
    if isinstance(value.get("result"), list):
        return [str(word["word"]) for word in value["result"]]
    if isinstance(value.get("results"), dict):
        return _aws(value["results"].get("items", []))
    return str(value.get("text", "")).split()


def _aws(items: list[dict[str, Any]]) -> list[str]:
    words: list[str] = []
    for item in items:
        content = item["alternatives"][0]["content"]
        if item.get("type") == "punctuation" and words:
            words[-1] += content
        else:
            words.append(content)
    return words


def _conllu(path: Path, name: str) -> Iterator[Document]:
    """Documents at `# newdoc`; the tags are the language's own, or the universal ones."""
    current, tokens, tags = name, list[str](), list[str]()
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        cells = line.split("\t")
        if line.startswith("# newdoc"):
            if tokens:
                yield from_tokens(current, tokens, tags, at=str(path))
            current, tokens, tags = line.partition("=")[2].strip() or f"{name}-{number}", [], []
        elif len(cells) == 10 and cells[0].isdigit():
            tokens.append(cells[1].replace(" ", "_"))
            tags.append(cells[4] if cells[4] != "_" else cells[3])
        elif line.strip() and not line.startswith("#") and len(cells) != 10:
            raise InputError("a token line has ten columns", at=f"{path}:{number}", got=line)
    if tokens:
        yield from_tokens(current, tokens, tags, at=str(path))


READERS: dict[str, Callable[[Path, str], Iterator[Document]]] = {
    ".jsonl": _jsonl,
    ".jsonl.gz": _jsonl,
    ".xml": _xml,
    ".srt": _subtitles,
    ".vtt": _subtitles,
    ".json": _recogniser,
    ".conllu": _conllu,
}
