"""Documents to corrupt: a text, its tokens and their offsets, from files of many kinds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.task.options import option
from earmark.text.penn_tokens import Offsets, tokenise
from earmark.values import checks
from earmark.values.errors import InputError

READABLE = (".txt", ".jsonl", ".jsonl.gz", ".xml", ".srt", ".vtt", ".json", ".conllu")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """Where documents come from."""

    text: Path | None = option(
        None,
        "A file or folder of documents: text, JSONL (.gz), WIT3/IWSLT XML, SRT, VTT, recogniser "
        "JSON, CoNLL-U.",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A text, its tokens and their offsets; tags if somebody supplied them."""

    id: str
    text: str
    tokens: tuple[str, ...]
    offsets: Offsets  # (2 * tokens,): start and end of each
    tags: tuple[str, ...] | None = None


def read_documents(path: Path) -> tuple[Document, ...]:
    """Return all documents of a file or folder, sorted by id.

    Text, JSONL (`{"id", "text"}`, or `{"id", "tokens", "tags"}` for any language), WIT3 and IWSLT
    XML, subtitles (SRT, VTT), words of a recogniser (Whisper, Vosk, AWS), and CoNLL-U.
    """
    documents = list(_folder(path) if path.is_dir() else _file(path, name_of(path)))
    if not documents:
        raise InputError("there must be at least one document", at=path, want=" ".join(READABLE))
    checks.unique((document.id for document in documents), what="document", at=str(path))
    return tuple(sorted(documents, key=lambda document: document.id))


def document(name: str, text: str) -> Document:
    """Return the document of a text, cut into tokens."""
    tokens, offsets = tokenise(text)
    return Document(name, text, tokens, offsets)


def from_tokens(
    name: str, tokens: Iterable[str], tags: Iterable[str] | None, *, at: str
) -> Document:
    """Return the document of tokens that come without a text: joined by blanks."""
    words = tuple(tokens)
    names = None if tags is None else tuple(tags)
    if names is not None and len(names) != len(words):
        raise InputError(
            "every token must have one tag", at=at, got=f"{len(words)} tokens, {len(names)} tags"
        )
    if not all(isinstance(word, str) and word for word in words):
        raise InputError("every token must be a text that is not empty", at=at)
    offsets: list[int] = []
    start = 0
    for word in words:
        offsets += (start, start + len(word))
        start += len(word) + 1
    return Document(name, " ".join(words), words, np.array(offsets, np.int32), names)


def name_of(path: Path) -> str:
    """Return the file's name without its suffix."""
    return next((path.name[: -len(s)] for s in READABLE if path.name.endswith(s)), path.name)


def _folder(folder: Path) -> Iterator[Document]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name.endswith(READABLE))
    for path in files:
        inside = path.parent.relative_to(folder)
        yield from _file(path, (inside / name_of(path)).as_posix())


def _file(path: Path, name: str) -> Iterator[Document]:
    from earmark.tasks.context.make.document_files import READERS, read_plain

    for suffix, read in READERS.items():
        if path.name.endswith(suffix):
            return read(path, name)
    return read_plain(path, name)
