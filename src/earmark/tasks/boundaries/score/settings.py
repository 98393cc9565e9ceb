"""Whose settings: the paper's or the authors' tool's; and the options that choose them."""

from dataclasses import dataclass
from typing import Literal

from earmark.score.metric import Metric, macro
from earmark.task.options import option
from earmark.values.errors import InputError

TASK_NAME = "boundaries"
Preset = Literal["paper-2018", "tool-1.0"]
Final = Literal["include", "exclude"]
Average = Literal["macro", "micro"]

PRESET_HELP = (
    "Whose settings: paper-2018 (limit 2, final word excluded) or tool-1.0 (limit 3, included)."
)
FINAL_HELP = "Whether the end of the text counts as a boundary."
AVERAGE_HELP = "Over several texts: macro rates each and averages, micro pools the counts."
AVERAGE_REFERENCES_HELP = "Macro averages over references and texts; micro pools all their counts."


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


# The paper does not state its limit; of its settings only limit 2 without the final boundary gives
# its tables. The tool's are the defaults of wisebetool 1.0, which appends a boundary to every file.
PRESETS = {
    "paper-2018": Settings(limit=2, final="exclude", alone="undefined"),
    "tool-1.0": Settings(limit=3, final="include", alone="zero"),
}


def settings_of(
    preset: Preset = "paper-2018", *, limit: int | None = None, final: Final | None = None
) -> Settings:
    """Return a preset, with a limit and a treatment of the final word that replace the preset's.

    Examples
    --------
    >>> settings_of("tool-1.0", limit=4)
    Settings(limit=4, final='include', alone='zero')
    """
    chosen = PRESETS[preset]
    return Settings(
        limit=chosen.limit if limit is None else limit,
        final=final or chosen.final,
        alone=chosen.alone,
    )


def require_at_least(least: int, value: int | None, *, name: str) -> None:
    """Raise InputError if an option was given and is too small."""
    if value is not None and value < least:
        raise InputError(f"{name} must be >= {least}", got=value)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalOptions:
    """Whether the end of the text counts, for metrics on words."""

    preset: Preset = option(
        "paper-2018", "Whose settings: paper-2018 (final word excluded) or tool-1.0 (included)."
    )
    final: Final | None = option(None, FINAL_HELP)

    @property
    def settings(self) -> Settings:
        """The preset, with what was chosen otherwise."""
        return settings_of(self.preset, final=self.final)


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragedFinalOptions(FinalOptions):
    """Whether the end of the text counts, and how texts are averaged."""

    average: Average = option("macro", AVERAGE_HELP)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """How wide a window is, for metrics on windows."""

    preset: Preset = option("paper-2018", PRESET_HELP)
    limit: int | None = option(
        None, "Boundaries at most this many words apart fall into one window."
    )
    final: Final | None = option(None, FINAL_HELP)

    def __post_init__(self) -> None:
        require_at_least(0, self.limit, name="limit")

    @property
    def settings(self) -> Settings:
        """The preset, with what was chosen otherwise."""
        return settings_of(self.preset, limit=self.limit, final=self.final)


def averaged(metric: Metric, average: Average) -> Metric:
    """Return the metric pooled over texts, or with each text rated by itself as in the paper."""
    return macro(metric) if average == "macro" else metric
