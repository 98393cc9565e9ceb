"""The output of a system, and the cost of a run."""

from dataclasses import dataclass
from typing import Generic, TypeVar

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Output(Generic[V]):
    """A system's value for one item."""

    system: str
    item: str
    value: V
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run cost; None where it was not measured."""

    seconds: float | None = None
    cpu_seconds: float | None = None
    megabytes: float | None = None
    real_time_factor: float | None = None
