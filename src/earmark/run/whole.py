"""Submissions that judge all items in one go: `predict.sh ITEMS OUTPUT`, in open formats."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.files.sound import sound_seconds
from earmark.task.contract import OUTPUT, WHOLE, Contract, Part, ScriptCall
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

ITEMS = "items"
ITEM_LINES = "items.jsonl"
# What a task's reader may look at beside the item's id; a file's own name is not among it.
OWN_NAME = "file"

Files = Mapping[str, Path | bytes]
Reader = Callable[[Path, tuple[Item, ...]], Iterator[Output[Any]]]


@dataclass(frozen=True, slots=True)
class WholeTask:
    """What a task says of such submissions.

    `files` turns items, under names that say nothing, into the files that the code sees. `read` is
    the task's reader of outputs.
    """

    files: Callable[[tuple[Item, ...]], Files]
    read: Reader
    output: str
    formats: str

    def contract(self) -> Contract:
        """Return how such submissions are run."""
        return Contract(
            calls=(ScriptCall("predict", "predict.sh", (ITEMS, OUTPUT)),),
            parts=self._parts,
            read=self._outputs,
            output=self.output,
            formats=BEGINNING + self.formats,
            sample="submissions/sample",
        )

    def _parts(self, items: tuple[Item, ...], key: str) -> tuple[Part, ...]:
        """Return one part with every item, in an order that only the holder of the key knows."""
        order = sorted(items, key=lambda item: sha256(f"{key}\n{item.id}".encode()).digest())
        names = {item.id: f"item{number:05d}" for number, item in enumerate(order, start=1)}
        unnamed = tuple(renamed(item, names[item.id]) for item in order)
        sounds = [item.media for item in order if item.media]
        files = {ITEMS: self.files(unnamed)}
        seconds = sum(map(sound_seconds, sounds)) if sounds else None
        return (Part(WHOLE, tuple(order), files, names, seconds),) if items else ()

    def _outputs(self, path: Path, part: Part) -> Iterator[Output[Any]]:
        """Return what the code said of every item, under the items' own names."""
        ids = {name: item for item, name in part.names.items()}
        items = tuple(renamed(item, part.names[item.id]) for item in part.items)
        outputs = [replace(row, item=ids[row.item]) for row in self.read(path, items)]
        if {row.item for row in outputs} != set(ids.values()):
            raise InputError("every item needs an output", got=f"{len(outputs)} of {len(ids)}")
        return iter(outputs)


BEGINNING = """\
Your folder (or a zip of it) holds scripts, which are called with bash:

- `initialize.sh`, once, without arguments, if you have one. It may write into its own folder.
- `predict.sh ITEMS OUTPUT`: read the folder `ITEMS`, write the file `OUTPUT`.

"""


def renamed(item: Item, name: str) -> Item:
    """Return an item under another name, which is its sound's too."""
    details = {key: value for key, value in item.details.items() if key != OWN_NAME}
    return replace(item, id=name, details=details, parent=None)


def item_lines(rows: Iterator[Mapping[str, object]]) -> Files:
    """Return one file with a line of JSON per item."""
    return {ITEM_LINES: "".join(jsonl.dump(row) + "\n" for row in rows).encode()}


def sounds(items: tuple[Item, ...]) -> dict[str, Path | bytes]:
    """Return the sound of each item, named after it; raise InputError if one has none."""
    silent = [item.id for item in items if item.media is None]
    if silent:
        raise InputError(
            "a submission needs the sound of every item",
            got=f"{len(silent)} of {len(items)} items without sound",
            fix="make the study with its audio",
        )
    return {f"{item.id}{Path(item.media or '').suffix}": Path(item.media or "") for item in items}
