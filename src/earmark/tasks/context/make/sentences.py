"""Single sentences that hold a swap, each a passage of its own: what the paper's survey showed."""

from collections.abc import Iterator

from earmark.task.task import Made
from earmark.tasks.context.make.corrupt import CorruptedDocument
from earmark.tasks.context.values import Flags
from earmark.text.penn_tokens import sentences
from earmark.values.item import Item


def swapped_sentences(document: CorruptedDocument) -> Iterator[Made]:
    """Yield the sentences of a changed document in which a noun was swapped."""
    starts, ends = document.offsets[::2].tolist(), document.offsets[1::2].tolist()
    tokens = tuple(document.text[start:end] for start, end in zip(starts, ends, strict=True))
    for low, high in sentences(tokens):
        swapped = frozenset(token - low for token in document.swaps.at if low <= token < high)
        if not swapped:
            continue
        first = starts[low]
        item = Item(
            id=f"{document.id}/{low}",
            kind="passage",
            text=document.text[first : ends[high - 1]],
            parent=document.id,
            details={"offsets": (document.offsets[2 * low : 2 * high] - first).tolist()},
        )
        yield Made(item, Flags(high - low, swapped))
