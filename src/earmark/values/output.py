"""What a system said, and what it took."""

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
    """What a run took; None where it was not measured."""

    seconds: float | None = None
    cpu_seconds: float | None = None
    megabytes: float | None = None
    real_time_factor: float | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """What a submission may take."""

    initialise_seconds: float = 1800.0
    enrol_seconds: float = 300.0
    real_time_factor: float = 0.25
    megabytes: float = 4096.0
