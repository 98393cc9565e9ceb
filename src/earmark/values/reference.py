"""A reference: the value of each item that counts as right, and how it was obtained."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from earmark.values.errors import InputError

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Reference(Generic[V]):
    """One value for every item, with doubt (0 sure, 1 no idea) and people's competence.

    `made_by` says how: the method and its options, as plain JSON values. References are equal if
    all fields are; the mappings do not enter the hash.
    """

    name: str
    values: Mapping[str, V] = field(hash=False)
    doubt: Mapping[str, float] = field(default_factory=dict, hash=False)
    people: Mapping[str, float] = field(default_factory=dict, hash=False)
    made_by: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for item, doubt in self.doubt.items():
            if not math.isnan(doubt) and not 0 <= doubt <= 1:
                raise InputError("doubt must be between 0 and 1", at=f"item {item}", got=doubt)
