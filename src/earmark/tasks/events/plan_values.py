"""What a plan of a soundscape is made of."""

from dataclasses import dataclass
from typing import Literal

from earmark.tasks.events.values import Event
from earmark.values.errors import InputError

Intervals = Literal["gaps", "onsets"]


@dataclass(frozen=True, slots=True)
class Placed:
    """One event, the clip it is cut from, and how loud it is over the background."""

    event: Event
    clip: int
    level_db: float


@dataclass(frozen=True, slots=True)
class Score:
    """How a soundscape is laid out; every pair is a range from which is drawn evenly."""

    seconds: float = 180.0
    polyphony: int = 2
    gap: tuple[float, float] = (2.0, 10.0)
    level_db: tuple[float, float] = (0.0, 20.0)
    intervals: Intervals = "gaps"

    def __post_init__(self) -> None:
        if self.seconds < 1 or self.polyphony < 1 or not 0 <= self.gap[0] <= self.gap[1]:
            raise InputError(
                "a soundscape lasts a second or more, one sound or more at once, gaps not below 0",
                got=f"{self.seconds} s, polyphony {self.polyphony}, gaps {self.gap}",
            )
