"""The tokens of passages and where they are in the text, as lines of JSON, in and out."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from earmark.files.folder import write_file
from earmark.tasks.context.values import Flags, Passage, Range, Swaps
from earmark.values.errors import InputError
from earmark.values.item import Item

BLANK = " "
MOST_BLANKS = 10_000  # between two tokens of a line without its text: more is a wrong offset


class PlacedTokens(NamedTuple):
    """A text, and from which character to which each of its tokens goes."""

    text: str
    offsets: tuple[Range, ...]


def write_tokens(items: Iterable[Item], path: Path) -> None:
    """Write `{"id", "text", "tokens", "offsets"}` per passage: what to give one score per token."""
    write_file(path, "".join(_line(_tokens(item)) for item in items))


def write_truth(items: Iterable[Item], truth: Mapping[str, Swaps | Flags], path: Path) -> None:
    """Write the corrupted corpus: `{"id", "tokens", "offsets", "labels", "changes"}` per passage.

    `make context STUDY --reference FILE` and `measure` read it. An item without truth is left out.
    """
    from earmark.tasks.context.files import truth_line

    lines = (truth_line(item, truth[item.id]) for item in items if item.id in truth)
    write_file(path, "".join(map(_line, lines)))


def _tokens(item: Item) -> dict[str, object]:
    passage = Passage.of(item)
    offsets = [list(span) for span in passage.offsets]
    return {
        "id": item.id,
        "text": passage.text,
        "tokens": list(passage.tokens),
        "offsets": offsets,
    }


def _line(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def placed_tokens(row: Mapping[str, Any], *, at: str) -> PlacedTokens:
    """Return the text of a line and where its tokens are.

    A line has `tokens`; without `text` the tokens are at their `offsets` with blanks between them,
    and without these too they are joined by one blank each.

    Examples
    --------
    >>> placed_tokens({"tokens": ["do", "n't"]}, at="a.jsonl:1")
    PlacedTokens(text="do n't", offsets=((0, 2), (3, 6)))
    """
    tokens, text, offsets = row.get("tokens"), row.get("text"), row.get("offsets")
    if not isinstance(tokens, list) or not all(isinstance(t, str) and t for t in tokens):
        raise InputError(
            "a line must have its tokens, a list of texts that are not empty",
            at=at,
            got=", ".join(row),
            want='{"id", "tokens", "labels"}',
        )
    if offsets is not None:
        places = read_offsets(offsets, at=at)
    elif isinstance(text, str):
        places = _search(text, tokens, at=at)
    else:
        places = _joined(tokens)
    if not isinstance(text, str):
        text = _spaced(tokens, places, at=at)
    # a slice stops at the text's end, so an end beyond it must be looked for
    is_outside = any(end > len(text) for _, end in places)
    if is_outside or [text[start:end] for start, end in places] != tokens:
        raise InputError(
            "tokens must be what the text has at their offsets",
            at=at,
            got=_first_wrong(text, tokens, places),
            want="offsets in characters, from 0, the end not included",
        )
    return PlacedTokens(text, places)


def read_offsets(offsets: object, *, at: str) -> tuple[Range, ...]:
    """Return pairs of a first character and an end; raise InputError for another form."""
    rows = offsets if isinstance(offsets, list) else None
    if rows is None or not all(
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(place, int) and not isinstance(place, bool) for place in pair)
        and 0 <= pair[0] <= pair[1]
        for pair in rows
    ):
        raise InputError(
            "offsets must be pairs of characters: the first, and the one after the last",
            at=at,
            want="[[0, 2], [3, 7], ...]",
        )
    return tuple((start, end) for start, end in rows)


def _search(text: str, tokens: list[str], *, at: str) -> tuple[Range, ...]:
    places, end = [], 0
    for number, token in enumerate(tokens):
        start = text.find(token, end)
        if start < 0:
            raise InputError(
                "the text must hold its tokens in order",
                at=at,
                got=f"no {token!r}, token {number}, after character {end}",
            )
        end = start + len(token)
        places.append((start, end))
    return tuple(places)


def _joined(tokens: list[str]) -> tuple[Range, ...]:
    places, start = [], 0
    for token in tokens:
        places.append((start, start + len(token)))
        start += len(token) + len(BLANK)
    return tuple(places)


def _spaced(tokens: list[str], places: tuple[Range, ...], *, at: str) -> str:
    """Return the tokens at their places, with blanks between them."""
    text = ""
    for token, (start, _) in zip(tokens, places, strict=False):
        if not 0 <= start - len(text) <= MOST_BLANKS:
            raise InputError(
                "tokens must follow one another in the text",
                at=at,
                got=f"{token!r} from character {start}, after one that ends at {len(text)}",
                fix="give the text as well, or correct the offsets",
            )
        text = text.ljust(start, BLANK) + token
    return text


def _first_wrong(text: str, tokens: list[str], places: tuple[Range, ...]) -> str:
    if len(tokens) != len(places):
        return f"{len(tokens)} tokens, {len(places)} offsets"
    pairs = zip(tokens, places, strict=True)
    token, (start, end) = next(
        (token, span) for token, span in pairs if text[slice(*span)] != token or span[1] > len(text)
    )
    return f"{text[start:end]!r} from {start} to {end}, where the token is {token!r}"
