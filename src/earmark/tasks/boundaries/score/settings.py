"""Whose settings: the paper's or the authors' tool's; and the options that choose them."""

from dataclasses import dataclass
from typing import Literal

from earmark.values.errors import InputError

Preset = Literal["paper-2018", "tool-1.0"]
Final = Literal["include", "exclude"]
Average = Literal["macro", "micro"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOptions:
    """Whether the end of the text counts, for metrics on words.

    Parameters
    ----------
    preset
        Whose settings: paper-2018 (final word excluded) or tool-1.0 (included).
    final
        Whether the end of the text counts as a boundary.
    """

    preset: Preset = "paper-2018"
    final: Final | None = None

    @property
    def chosen(self) -> Settings:
        """The preset, with what was said otherwise."""
        return settings(self.preset, final=self.final)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions(EndOptions):
    """The same, and how texts are averaged.

    Parameters
    ----------
    average
        Over several texts: macro rates each and averages, micro pools the counts.
    """

    average: Average = "macro"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """How wide a window is, for metrics on windows.

    Parameters
    ----------
    preset
        Whose settings: paper-2018 (limit 2, final word excluded) or tool-1.0 (limit 3, included).
    limit
        Boundaries at most this many words apart fall into one window.
    final
        Whether the end of the text counts as a boundary.
    """

    preset: Preset = "paper-2018"
    limit: int | None = None
    final: Final | None = None

    @property
    def chosen(self) -> Settings:
        """The preset, with what was said otherwise."""
        return settings(self.preset, limit=self.limit, final=self.final)
