"""Documents with a part-of-speech tag for every token."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.files.models import use_model
from earmark.task.progress import track
from earmark.tasks.context.make.documents import Document
from earmark.text.tagger import Tagger, load_once, shipped

Codes = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class TaggedDocument:
    """A document whose tokens all have a tag: `names[codes[k]]` is that of token k."""

    document: Document
    codes: Codes  # (tokens,)
    names: tuple[str, ...]

    @classmethod
    def of(cls, document: Document, tags: Sequence[str]) -> "TaggedDocument":
        """Return a document with tags that are given by name."""
        names = sorted(set(tags))
        number = {name: index for index, name in enumerate(names)}
        codes = np.fromiter((number[tag] for tag in tags), np.int16, len(tags))
        return cls(document, codes, tuple(names))

    def tag(self, token: int) -> str:
        """Return the tag of one token."""
        return self.names[int(self.codes[token])]

    def tokens_with(self, tags: Sequence[str]) -> list[int]:
        """Return the indices of the tokens that have one of these tags."""
        wanted = np.array([name in tags for name in self.names], bool)
        tokens: list[int] = np.flatnonzero(wanted[self.codes]).tolist() if self.names else []
        return tokens


def tag_documents(
    documents: Sequence[Document], *, tagger: Path | None = None, processes: int = 1
) -> list[TaggedDocument]:
    """Return every document with its own tags, or with those of the tagger if it has none."""
    untagged = [document for document in documents if document.tags is None]
    names = _tagger(tagger).names if untagged else ()
    codes = dict(
        zip((d.id for d in untagged), _all_codes(untagged, tagger, processes), strict=True)
    )
    return [
        TaggedDocument(d, codes[d.id], names) if d.tags is None else TaggedDocument.of(d, d.tags)
        for d in documents
    ]


def _all_codes(documents: Sequence[Document], tagger: Path | None, processes: int) -> list[Codes]:
    tokens = [document.tokens for document in documents]
    if processes < 2 or len(tokens) < 2:
        coding = (_codes(words, tagger) for words in tokens)
        return list(track(coding, label="tag", total=len(tokens)))
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        jobs = pool.map(_codes, tokens, [tagger] * len(tokens), chunksize=16)
        return list(track(jobs, label="tag", total=len(tokens)))


def _codes(tokens: tuple[str, ...], tagger: Path | None) -> Codes:
    codes: Codes = _tagger(tagger).codes(tokens)
    return codes


def _tagger(path: Path | None) -> Tagger:
    return load_once(use_model(path)) if path else shipped()
