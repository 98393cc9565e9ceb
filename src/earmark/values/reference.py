"""A reference: the value of each item that counts as right, and how it was obtained."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from earmark.values.errors import InputError

V = TypeVar("V")


class Posterior(Protocol):
    """What the answers say about one item: values that could be right, as often as they are likely.

    A posterior is one of a task's records (`Task.posteriors`), so that files can hold it.
    """

    def draw(self, value: Any, *, item: str, seed: int) -> Any:
        """Return a value in place of the reference's own; the same for the same item and seed."""
        ...


@dataclass(frozen=True, slots=True)
class Reference(Generic[V]):
    """One value for every item, with doubt (0 sure, 1 no idea) and people's competence.

    `made_by` says how: the method and its options, as plain JSON values. `posterior` has, for a
    reference that was reconciled, what each item's value could be instead. References are equal if
    all fields are; the mappings do not enter the hash.
    """

    name: str
    values: Mapping[str, V] = field(hash=False)
    doubt: Mapping[str, float] = field(default_factory=dict, hash=False)
    people: Mapping[str, float] = field(default_factory=dict, hash=False)
    made_by: Mapping[str, object] = field(default_factory=dict, hash=False)
    posterior: Mapping[str, Posterior] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for item, doubt in self.doubt.items():
            if not math.isnan(doubt) and not 0 <= doubt <= 1:
                raise InputError("doubt must be between 0 and 1", at=f"item {item}", got=doubt)
        for item in self.posterior:
            if item not in self.values:
                raise InputError("a posterior must belong to an item of the reference", got=item)

    def draw(self, seed: int) -> dict[str, V]:
        """Return one value per item, drawn from the posteriors; without one, the value itself.

        An item's draw depends on the seed and the item alone, so that adding an item changes no
        other.
        """
        return {
            item: self.posterior[item].draw(value, item=item, seed=seed)
            if item in self.posterior
            else value
            for item, value in self.values.items()
        }
