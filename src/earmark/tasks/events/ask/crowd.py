"""The parameters of a simulated crowd, as a TOML file may change them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from earmark.task.options import option
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Who answers, and how (the model is described in `simulation`).

    The defaults were set by hand on development crowds (seeds 1 to 4) so that tags, Krippendorff's
    alpha and competences come near those of the paper's 680 people; docs/strong-labels.md says how
    near. The paper reports the number of people, opinions, spammers (33) and the cap.
    """

    people: int = option(680, "People in the crowd.")
    opinions: int = option(5, "People who answer each window.")
    spammers: float = option(33 / 680, "Share of people who tick at random.")
    careless: float = option(0.15, "Share of people who overlook most.")
    audibility: float = option(2.6, "Mean logit of the probability to hear an event at all.")
    audibility_spread: float = option(4.4, "Standard deviation of that logit over events.")
    skill_spread: float = option(0.5, "Standard deviation over people, on the same scale.")
    settle: float = option(1.2, "Seconds of a sound that it takes to notice it.")
    false_yes: float = option(0.015, "Probability to tick a label that does not sound.")
    careless_hears: float = option(0.3, "Share of what others hear that the careless notice.")
    spam_yes: float = option(0.33, "Probability that a spammer ticks a label.")
    busy_spread: float = option(0.7, "How unevenly work is spread: deviation of its logarithm.")
    cap: int = option(50, "Answers after which a person gets no further batch.")
    trials: int = option(0, "Questions with known answers that come first.")
    pass_share: float = option(0.75, "Share of the trials that a person must get right.")

    @classmethod
    def of(cls, options: Mapping[str, object]) -> "Crowd":
        """Return a crowd from the values of a TOML file.

        Raise InputError for a name that is no parameter, or a value that is no number.
        """
        kinds = {field.name: field.type for field in fields(cls)}
        unknown = sorted(set(options) - set(kinds))
        if unknown:
            raise InputError(
                "a crowd has other parameters",
                got=", ".join(unknown),
                want=", ".join(kinds),
            )
        values: dict[str, Any] = {}
        for name, value in options.items():
            number = _number(name, value)
            values[name] = int(number) if kinds[name] is int else number
        return cls(**values)

    def __post_init__(self) -> None:
        if not 1 <= self.opinions <= self.people:
            raise InputError(
                "a crowd needs as many people as opinions per window",
                got=f"{self.people} people, {self.opinions} opinions",
            )
        if not 0 <= self.spammers + self.careless <= 1:
            raise InputError(
                "spammers and careless together must be between 0 and 1",
                got=self.spammers + self.careless,
            )


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError("a crowd's parameters must be numbers", at=name, got=repr(value))
    return float(value)
