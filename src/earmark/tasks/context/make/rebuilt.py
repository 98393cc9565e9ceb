"""The third maker: changed documents, rebuilt from the originals and a change log."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.task.task import Made
from earmark.tasks.context.files import read_changes
from earmark.tasks.context.make.corrupt import change, rebuild
from earmark.tasks.context.make.corrupted import existing_path, passage_item
from earmark.tasks.context.make.documents import read_documents
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuiltOptions:
    """The originals, and what changed in them."""

    text: Path | None = option(None, "The original documents, in any form that make reads.")
    changes: Path | None = option(
        None, "The change log: a study's truth.jsonl, or lines of id, sha256 and changes."
    )


def make_rebuilt(
    source: Path | None = None,
    options: RebuiltOptions = RebuiltOptions(),
    *,
    seed: int = 0,
) -> Iterator[Made]:
    """Make the changed documents from the originals and a change log; both hashes are checked."""
    if options.changes is None:
        raise InputError("a change log is needed", fix="name it: --changes truth.jsonl")
    path = existing_path(options.text or source)
    documents = {document.id: document for document in read_documents(path)}
    for name, swaps in sorted(read_changes(options.changes).items()):
        if name not in documents:
            raise InputError(
                "the change log names a text that is not there", at=options.changes, got=name
            )
        document = documents[name]
        rebuild(document.text, swaps, at=f"document {name}")
        text, offsets = change(document.text, document.offsets, swaps.swaps)
        yield Made(passage_item(name, text, offsets), swaps)
