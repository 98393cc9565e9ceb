"""The options of each method of reconciling."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from earmark.tables.answers import AnswerColumns
from earmark.task.options import option
from earmark.values import checks
from earmark.values.errors import InputError

Inference = Literal["vb", "em"]
INFERENCE_HELP = "`vb`, variational with priors, or `em`, which finds more and trusts more."
RESTARTS_HELP = "Starts from other draws; the likeliest fit wins."
WINDOWS_HELP = "Share of a second's windows that must hold the sound."
OPINIONS_HELP = "Share of a second's opinions that must say yes."

# Levels of audibility that the window HMM has at most, and the starts that it knows.
MOST_LEVELS, MOST_STARTS = 3, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedTagsOptions:
    """How tags that are decided window by window are stacked."""

    share: float = option(0.8, WINDOWS_HELP)

    def __post_init__(self) -> None:
        checks.within(self.share, 0.0, 1.0, what="share")


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedOpinionsOptions:
    """How the opinions of everybody are stacked."""

    share: float = option(0.8, OPINIONS_HELP)

    def __post_init__(self) -> None:
        checks.within(self.share, 0.0, 1.0, what="share")


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowMaceOptions:
    """How MACE is fitted to the windows, and how its tags are stacked."""

    inference: Inference = option("vb", INFERENCE_HELP)
    restarts: int = option(10, RESTARTS_HELP)
    iterations: int = option(50, "Steps of each fit.")
    sure: float = option(
        1.0, "Share of the pairs, those with the lowest entropy, that count; the rest abstains."
    )
    share: float = option(0.8, WINDOWS_HELP)

    def __post_init__(self) -> None:
        checks.within(self.sure, 0.0, 1.0, what="sure")
        checks.within(self.share, 0.0, 1.0, what="share")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedOptions:
    """Whose opinions count, by MACE, and how they are stacked."""

    trust: float = option(0.6, "Competence by MACE above which a person counts.")
    inference: Inference = option("vb", INFERENCE_HELP)
    restarts: int = option(10, RESTARTS_HELP)
    share: float = option(0.8, OPINIONS_HELP)

    def __post_init__(self) -> None:
        checks.within(self.share, 0.0, 1.0, what="share")


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowHmmOptions:
    """How the window HMM is fitted, and from which probability on a second is active.

    The defaults were chosen on the development crowds of benchmarks/crowds (known_processes,
    seeds 1 and 2); benchmarks/crowds/never_worse.py reports others.
    """

    levels: int = option(
        0, "Levels of audibility that an event can have, 1 to 3; 0 lets held-out answers choose."
    )
    restarts: int = option(5, "Starts from other ideas of what is noticed in a window, 1 to 5.")
    shrink: float = option(
        10.0, "How many answers the crowd weighs in what is estimated of a person."
    )
    iterations: int = option(12, "Steps of each fit at most.")
    chance: float = option(0.5, "Probability from which on a second is called active.")
    gaps: bool = option(
        False, "Let windows lack answers: their seconds are inferred from windows that overlap."
    )

    def __post_init__(self) -> None:
        if not 0 <= self.levels <= MOST_LEVELS:
            raise InputError(f"levels must be between 0 and {MOST_LEVELS}", got=self.levels)
        if not 1 <= self.restarts <= MOST_STARTS:
            raise InputError(f"restarts must be between 1 and {MOST_STARTS}", got=self.restarts)
        if self.shrink <= 0:
            raise InputError("shrink must be > 0", got=self.shrink)
        if self.iterations < 1:
            raise InputError("iterations must be >= 1", got=self.iterations)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceOptions:
    """How a sequence model is fitted, and from which probability on a second is active."""

    iterations: int = option(30, "Steps of the fit at most.")
    chance: float = option(0.5, "Probability from which on a second is called active.")

    def __post_init__(self) -> None:
        checks.within(self.chance, 0.0, 1.0, what="chance")
        if self.iterations < 1:
            raise InputError("iterations must be >= 1", got=self.iterations)


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowFileOptions(AnswerColumns):
    """What a file of answers about windows is read with."""

    windows: Path | None = option(None, "The table of windows.")
    labels: tuple[str, ...] = option(
        (), "The labels that were offered; by default those that anybody ticked."
    )
