"""What a benchmark is: one made input, and several sides that do the same work on it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One comparison.

    `setup()` makes the input, the same every time. `sides` maps a name to a function of that
    input; "earmark" is ours. A side whose package is missing is left out and said so. `target`
    says in words what we promise.
    """

    name: str
    setup: Callable[[], Any]
    sides: dict[str, Callable[[Any], Any]]
    repeats: int = 3
    target: str = ""
