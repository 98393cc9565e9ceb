"""The parameters of a simulated crowd."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who answers, and how.

    `audibility` and `audibility_spread` are mean and standard deviation of the logit of the chance
    to hear an event at all; `skill_spread` is how people differ on that scale. `settle` is how many
    seconds of a sound it takes to notice it. `careless_hears` is the share of what others hear that
    the careless notice. `busy_spread` says how unevenly work is spread; nobody who has given
    `cap` answers or more in earlier batches gets another. `trials` questions with known answers
    come first; who gets less than `pass_share` of them right is not asked.
    """

    people: int = 680
    opinions: int = 5
    spammers: float = 33 / 680
    careless: float = 0.15
    audibility: float = 2.6
    audibility_spread: float = 4.4
    skill_spread: float = 0.5
    settle: float = 1.2
    false_yes: float = 0.015
    careless_hears: float = 0.3
    spam_yes: float = 0.33
    busy_spread: float = 0.7
    cap: int = 50
    trials: int = 0
    pass_share: float = 0.75

    @classmethod
    def of(cls, options: Mapping[str, object]) -> "Crowd":
        """A crowd from the values of a TOML file; names it does not know are an error."""
        known = {field.name: field.type for field in fields(cls)}
        strange = sorted(set(options) - set(known))
        if strange:
            raise InputError(
                "a crowd has other parameters",
                got=", ".join(strange),
                want=", ".join(known),
            )
        whole = ("people", "opinions", "cap", "trials")
        given: dict[str, Any] = {
            name: int(_number(name, value)) if name in whole else _number(name, value)
            for name, value in options.items()
        }
        return cls(**given)

    def __post_init__(self) -> None:
        if not 1 <= self.opinions <= self.people:
            raise InputError(
                "a crowd needs as many people as opinions a window",
                got=f"{self.people} people, {self.opinions} opinions",
            )
        if not 0 <= self.spammers + self.careless <= 1:
            raise InputError(
                "shares of people lie between 0 and 1", got=self.spammers + self.careless
            )


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError("a crowd's parameters are numbers", at=name, got=repr(value))
    return float(value)
