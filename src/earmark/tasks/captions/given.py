"""Captions as Python callers give them: item to text or texts, rows, or paths."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark.tables.given import RowForm, existing_path, is_path, text_of
from earmark.tasks.captions.files import check_caption
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError

FORM = RowForm(
    ("item", "caption"),
    '{"a": "a dog barks"}, {"a": ["a dog barks", "a bark"]}, or rows ("a", "a dog barks")',
)


def given(reference: object, output: object) -> tuple[tuple[Any, ...], Any]:
    """Return both sides as `measure` takes them: paths as they are, texts as captions."""
    if output is None:
        raise InputError("captions are measured against a system's", want=f"output={FORM.right}")
    if is_path(output):
        candidates: object = existing_path(output, right=FORM.right)
    else:
        candidates = captions_of(output, "the output", may_be_empty=True)
    return _references(reference), candidates


def _references(reference: object) -> tuple[Any, ...]:
    if is_path(reference):
        return (existing_path(reference, right=FORM.right),)
    if isinstance(reference, list | tuple) and reference:
        if all(isinstance(path, Path) for path in reference):
            return tuple(reference)
    return (captions_of(reference, "the reference", may_be_empty=False),)


def captions_of(value: object, side: str, *, may_be_empty: bool) -> dict[str, Captions]:
    """Return item to captions; raise InputError for a value of another form."""
    texts: dict[str, list[str]] = {}
    for place, item, text in _rows(value, side):
        name = text_of(item, what="an item", at=place).strip()
        caption = text_of(text, what="a caption", at=place)
        texts.setdefault(name, []).append(
            check_caption(caption, at=place, may_be_empty=may_be_empty)
        )
    if not texts:
        raise InputError("there must be at least one caption", at=side, want=FORM.right)
    return {item: Captions(tuple(own)) for item, own in texts.items()}


def _rows(value: object, side: str) -> Iterator[tuple[str, object, object]]:
    if not isinstance(value, Mapping):
        for place, (item, text) in FORM.rows(value, side=side):
            yield place, item, text
        return
    for item, own in value.items():
        place = f"{side}, item {item}"
        if isinstance(own, Captions):
            own = own.texts
        if isinstance(own, str):
            own = (own,)
        if not isinstance(own, list | tuple) or not own:
            raise InputError(
                "an item needs a caption, or a list of captions",
                at=place,
                got=repr(own),
                want=FORM.right,
            )
        for text in own:
            yield place, item, text
