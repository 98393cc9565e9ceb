"""Whose settings: the paper's or the authors' tool's."""

from dataclasses import dataclass
from typing import Literal

from earmark.values.errors import InputError

Preset = Literal["paper-2018", "tool-1.0"]
Final = Literal["include", "exclude"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The window limit, whether the end of the text counts, and what one reference alone means."""

    limit: int
    final: str
    alone: str

    @property
    def counts_final(self) -> bool:
        """Whether the end of the text counts as a boundary."""
        return self.final == "include"


PRESETS = {
    "paper-2018": Settings(limit=2, final="exclude", alone="undefined"),
    "tool-1.0": Settings(limit=3, final="include", alone="zero"),
}


def at_least(value: int, least: int, *, what: str) -> int:
    """The number, when it is large enough."""
    if value < least:
        raise InputError(
            f"{what} is a number of words or people", got=value, want=f"{least} or more"
        )
    return value


def settings(
    preset: Preset = "paper-2018", *, limit: int | None = None, final: Final | None = None
) -> Settings:
    """A preset, with what was said otherwise.

    Examples
    --------
    >>> settings("tool-1.0", limit=4)
    Settings(limit=4, final='include', alone='zero')
    """
    chosen = PRESETS[preset]
    if limit is not None:
        at_least(limit, 0, what="the limit of a window")
    return Settings(
        limit=chosen.limit if limit is None else limit,
        final=final or chosen.final,
        alone=chosen.alone,
    )
