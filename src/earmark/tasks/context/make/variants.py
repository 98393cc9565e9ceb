"""Two more makers: every document in three ways, and documents rebuilt from a change log."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from earmark.task.task import Made
from earmark.tasks.context.files import read_changes
from earmark.tasks.context.make.corrupt import change, corrupt, rebuild
from earmark.tasks.context.make.corrupted import (
    check_made,
    needed_path,
    passage_item,
    tag_documents,
)
from earmark.tasks.context.make.documents import read_documents
from earmark.tasks.context.make.recipe import recipe_of
from earmark.values.errors import InputError

WAYS = (
    ("clean", "clean", False),
    ("paper-2018", "paper-2018", False),
    ("sound-alike", "clean", True),
)


def make_rebuilt(
    source: Path | None = None,
    *,
    seed: int = 0,
    text: Path | None = None,
    changes: Path | None = None,
) -> Iterator[Made]:
    """The changed documents from the originals and a change log; both hashes are checked.

    Parameters
    ----------
    text
        The original documents, in any form that make reads.
    changes
        The change log: a study's truth.jsonl, or lines of id, sha256 and changes.
    """
    if changes is None:
        raise InputError("a change log is needed", fix="name it: --changes truth.jsonl")
    documents = {document.id: document for document in read_documents(needed_path(text or source))}
    for name, swaps in sorted(read_changes(changes).items()):
        if name not in documents:
            raise InputError(
                "the change log speaks of a text that is not there", at=changes, got=name
            )
        document = documents[name]
        rebuild(document.text, swaps, at=f"document {name}")
        changed, offsets = change(document.text, document.offsets, swaps.swaps)
        yield Made(passage_item(name, changed, offsets), swaps)


def make_three_ways(
    source: Path | None = None,
    *,
    seed: int = 0,
    text: Path | None = None,
    swaps: int | None = None,
    least: int | None = None,
) -> Iterator[Made]:
    """Every document three times: clean, as in the paper, and with sound-alikes.

    Parameters
    ----------
    text
        A file or folder of documents.
    swaps
        Swaps a document (10).
    least
        Words a document must have (200).
    """
    tagged = tag_documents(read_documents(needed_path(text or source)))
    for way, preset, alike in WAYS:
        recipe = recipe_of(preset, swaps=swaps, least=least, sound_alike=alike)
        made = list(corrupt(tagged, recipe, seed=seed))
        check_made(made, tagged, recipe)
        for passage in made:
            name = f"{passage.id} ({way})"
            item = passage_item(name, passage.text, passage.offsets, {"way": way})
            yield Made(replace(item, parent=passage.id), passage.swaps)
