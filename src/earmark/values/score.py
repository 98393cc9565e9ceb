"""A number, its interval, and what it was counted from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from earmark.values.signature import Signature


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: `level` of such intervals hold the value for all items there could be.

    `method` names how it was computed. `undefined` is the share of resamples that had no value and
    were left out; `error` is the standard error, and `bias` how far the resamples lie from the
    value on average, an estimate of how far the value lies from the truth; None where the method
    has none.
    """

    low: float
    high: float
    level: float = 0.95
    method: str = "bootstrap"
    undefined: float = 0.0
    error: float | None = None
    bias: float | None = None

    @property
    def is_biased(self) -> bool:
        """Whether the bias is more than a quarter of the standard error, and so widens errors.

        Up to a quarter, it hardly moves coverage (Efron and Tibshirani 1993, section 10.3).
        """
        return self.error is not None and self.bias is not None and abs(self.bias) > self.error / 4


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """A metric's value over items; nan when it is undefined, and then `why` says so.

    `by_item` has each item's counts, so that two systems can be compared item by item; with many
    items it is a table that makes a record when one is looked at. `groups` says which items are
    resampled together, `no_interval` why there is no interval although the score is defined.
    Scores are equal if all of this is; the mappings do not enter the hash.
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
    no_interval: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the five fields that every command prints."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        return {
            "value": number(self.value),
            "low": number(low),
            "high": number(high),
            "items": self.items,
            "signature": str(self.signature),
        }

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<Score {self}>"

    def __str__(self) -> str:
        interval = ""
        if self.interval and not math.isnan(self.interval.low):
            interval = f" [{self.interval.low:.3f}, {self.interval.high:.3f}]"
        value = "undefined" if math.isnan(self.value) else f"{self.value:.3f}"
        items = "1 item" if self.items == 1 else f"{self.items} items"
        return f"{self.signature.metric} = {value}{interval}   {items}"


def number(value: float | None) -> float | None:
    """Return the value for JSON: None for nan, which JSON cannot hold."""
    return None if value is None or math.isnan(value) else value
