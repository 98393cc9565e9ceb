"""A number, its doubt, and what it was counted from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from earmark.values.signature import Signature


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the number would fall again, `level` of the times."""

    low: float
    high: float
    level: float = 0.95
    method: str = "bootstrap"


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's value over items; nan when it is undefined, and then `why` says so.

    `by_item` keeps each item's counts, so that two systems can be compared item by item;
    `groups` says which items are resampled together.
    """

    metric: str
    value: float
    interval: Interval | None
    counts: object
    items: int
    undefined_items: int
    signature: Signature
    why: str = ""
    parts: Mapping[str, object] = field(default_factory=dict, hash=False)
    by_item: Mapping[str, object] = field(default_factory=dict, repr=False, hash=False)
    groups: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)

    def as_json(self) -> dict[str, object]:
        """The five fields that every command prints."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        return {
            "value": number(self.value),
            "low": number(low),
            "high": number(high),
            "items": self.items,
            "signature": str(self.signature),
        }

    def __str__(self) -> str:
        interval = ""
        if self.interval and not math.isnan(self.interval.low):
            interval = f" [{self.interval.low:.3f}, {self.interval.high:.3f}]"
        value = "undefined" if math.isnan(self.value) else f"{self.value:.3f}"
        items = "1 item" if self.items == 1 else f"{self.items} items"
        return f"{self.signature.metric} = {value}{interval}   {items}"


def number(value: float | None) -> float | None:
    """The value for JSON: None for nan, which JSON cannot say."""
    return None if value is None or math.isnan(value) else value
