"""Every item behind a score: a table of each system's value, the worst first."""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.report.metric_names import MetricNames
from earmark.report.render import item_anchor, render
from earmark.report.tables import Cell, table

# system to metric to item to value, nan where it is undefined
ItemValues = Mapping[str, Mapping[str, Mapping[str, float]]]
MOST_ITEMS = 1000  # a page with more is slow to open; `score --per-item` writes them all
DIGITS = 4  # significant ones on the page


@dataclass(frozen=True, slots=True)
class ItemTable:
    """Values of items against one reference; systems are in the order of the board."""

    reference: str
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    values: ItemValues

    def worst_first(self, metric: str, higher: bool | None) -> list[str]:
        """Return the items by the best system's value, the worst first, undefined ones last."""
        own = self.values[self.systems[0]].get(metric, {})
        sign = -1 if higher is False else 1

        def key(item: str) -> tuple[bool, float, str]:
            value = own.get(item, math.nan)
            return math.isnan(value), 0.0 if math.isnan(value) else sign * value, item

        items = {item for by_metric in self.values.values() for item in by_metric.get(metric, {})}
        return sorted(items, key=key)


def has_values(values: ItemValues, metric: str) -> bool:
    """Return whether some item has a value of its own by that metric."""
    return any(v == v for own in values.values() for v in own.get(metric, {}).values())


def item_figure(items: ItemTable, names: MetricNames, pictured: Collection[str]) -> Figure | None:
    """Return the table of items by the first metric, with what a script needs for the others.

    `pictured` are the anchors of items that have a picture, a player or a view on the page.
    """
    if not items.systems or not items.metrics:
        return None
    first = items.metrics[0]
    order = items.worst_first(first, names[first].higher)
    shown = order[:MOST_ITEMS]
    body = render(
        "earmark.report/items.html",
        reference=items.reference,
        metric=names[first],
        table=_table(items, first, shown, pictured),
        values=_as_json(items, names, shown),
    )
    more = (
        f" The worst {len(shown):,} of {len(order):,}; `earmark score --per-item F.csv` writes all."
        if len(order) > len(shown)
        else ""
    )
    caption = (
        "Each item's own value; the score above is not always their mean (counts may be pooled). "
        f"The worst items of {items.systems[0]} come first.{more}"
    )
    return Figure(f"Items against {items.reference}", body, caption, wide=True)


def _table(
    items: ItemTable, metric: str, shown: Sequence[str], pictured: Collection[str]
) -> Markup:
    rows = [
        [_name(item, pictured), *(_value(items, system, metric, item) for system in items.systems)]
        for item in shown
    ]
    return table(["item", *(Cell(name, data=name) for name in items.systems)], rows, sortable=True)


def _name(item: str, pictured: Collection[str]) -> Cell:
    link = item_anchor(item)
    return Cell(item, link=f"#{link}" if link in pictured else "", hint="what was said of it")


def _value(items: ItemTable, system: str, metric: str, item: str) -> Cell:
    value = items.values[system].get(metric, {}).get(item, math.nan)
    return Cell("–") if math.isnan(value) else Cell(f"{value:.3f}", value)


def _as_json(items: ItemTable, names: MetricNames, shown: Sequence[str]) -> Markup:
    """Return metrics, systems and values as JSON that may stand inside an element of a page."""
    document = {
        "items": list(shown),
        "systems": list(items.systems),
        "metrics": [
            {
                "name": metric,
                "title": names[metric].with_arrow,
                "higher": names[metric].higher is not False,
                "values": [_column(items.values[s].get(metric, {}), shown) for s in items.systems],
            }
            for metric in items.metrics
        ],
    }
    text = json.dumps(document, separators=(",", ":"))
    # no text of an item may end the element that the JSON is in
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _column(values: Mapping[str, float], shown: Sequence[str]) -> list[float | None]:
    numbers = [values.get(item, math.nan) for item in shown]
    return [None if math.isnan(v) else float(f"{v:.{DIGITS}g}") for v in numbers]
