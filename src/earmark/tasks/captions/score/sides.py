"""The two sides of a metric, laid out for arithmetic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.tasks.captions.score.tokens import tokenise
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """Items in a fixed order, with their references' words and their candidate's."""

    items: tuple[str, ...]
    references: tuple[tuple[Tokens, ...], ...]
    candidates: tuple[Tokens, ...]


def lay_out(references: Mapping[str, Captions], outputs: Mapping[str, Captions]) -> Sides:
    """Both sides as words; each text is cut into words once."""
    items = tuple(references)
    known: dict[str, Tokens] = {}

    def words(text: str) -> Tokens:
        if text not in known:
            known[text] = tokenise(text)
        return known[text]

    return Sides(
        items,
        tuple(tuple(words(text) for text in references[item].texts) for item in items),
        tuple(words(only(outputs[item], item)) for item in items),
    )


def only(captions: Captions, item: str) -> str:
    """The one caption of a system; n-gram metrics know no more than one."""
    if len(captions.texts) > 1:
        raise InputError(
            "this metric compares one caption with the references",
            at=f"item {item}",
            got=f"{len(captions.texts)} captions",
            fix="keep one caption an item, or use spice_plus or spice_plus_emb",
        )
    return captions.texts[0]


def flat(lists: Sequence[Sequence[Tokens]]) -> tuple[list[Tokens], list[int]]:
    """All the captions in a row, and for each the number of its item."""
    rows = [words for captions in lists for words in captions]
    return rows, [at for at, captions in enumerate(lists) for _ in captions]
