"""Items without a picture, one by one: what the references say of each, and what systems said."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from earmark.report.figure import Figure
from earmark.report.items import MOST_ITEMS
from earmark.report.render import item_anchor, render
from earmark.task.export import OUTPUTS, REFERENCES, Selection
from earmark.task.view import View
from earmark.values.item import Item
from earmark.values.pack import pack

MOST_LINES, LONGEST = 12, 400  # lines of one side, and signs of a line or of an item's text


@dataclass(frozen=True, slots=True)
class ItemSide:
    """What a reference or a system says of an item, in lines."""

    name: str
    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item and what was said of it."""

    item: str
    text: str
    sides: tuple[ItemSide, ...]


def view_items(view: View, order: Sequence[str]) -> tuple[Figure | None, set[str]]:
    """Return the views of the first of these items, and their anchors."""
    items = {item.id: item for item in view.items()}
    shown = [items[name] for name in dict.fromkeys(order) if name in items][:MOST_ITEMS]
    if not shown:
        return None, set()
    views = [ItemView(item.id, shortened(item.text or ""), _sides(view, item)) for item in shown]
    caption = "What references and systems say of items that no picture shows."
    body = render("earmark.report/item_views.html", views=views)
    figure = Figure("Items one by one", body, caption, wide=True)
    return figure, {item_anchor(item.id) for item in shown}


def _sides(view: View, item: Item) -> tuple[ItemSide, ...]:
    sides: list[ItemSide] = []
    for name, reference in view.references().items():
        if item.id in reference.values:
            lines = _lines(view, REFERENCES, item, reference.values[item.id])
            sides.append(ItemSide(name, "reference", lines))
    for name, outputs in view.outputs().items():
        if item.id in outputs:
            lines = _lines(view, OUTPUTS, item, outputs[item.id].value)
            sides.append(ItemSide(name, "system", lines))
    return tuple(sides)


def _lines(view: View, what: str, item: Item, value: Any) -> tuple[str, ...]:
    """Return a value in words: the rows that a table of it would have, or else as JSON."""
    rows = view.task.rows.get("brief") or view.task.rows.get(what)
    if rows is None:
        return (shortened(json.dumps(pack(value), ensure_ascii=False)),)
    selection = Selection(what, what, view.name, (item,), values={item.id: value})
    lines = [shortened(line) for line in map(_words, rows(selection)) if line]
    more = len(lines) - MOST_LINES
    return (*lines[:MOST_LINES], f"and {more} more") if more > 0 else tuple(lines) or ("nothing",)


def _words(row: Mapping[str, Any]) -> str:
    """Return the fields of a row with their names; one alone needs no name."""
    own = {name: value for name, value in row.items() if name != "item"}
    said = {
        name.replace("_", " "): f"{value:.4g}" if isinstance(value, float) else str(value)
        for name, value in own.items()
        if value not in (None, "")
    }
    if len(own) == 1:
        return "".join(said.values())
    return ", ".join(f"{name} {value}" for name, value in said.items())


def shortened(text: str) -> str:
    """Return a text, or its beginning and an ellipsis."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
