"""A study as a report sees it: everything readable, nothing changeable."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from earmark.values.answer import Ballots
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.reference import Reference


class View(Protocol):
    """What a task's pictures are drawn from."""

    folder: Path

    def items(self) -> tuple[Item, ...]:
        """The material; `media` is an absolute path."""
        ...

    def truth(self) -> Reference[Any] | None:
        """What the maker knew, or None."""
        ...

    def ballots(self) -> Ballots[Any] | None:
        """The questions and everybody's answers, or None."""
        ...

    def references(self) -> Mapping[str, Reference[Any]]:
        """The reconciled references by name; the truth, when there is one, as `truth`."""
        ...

    def outputs(self) -> Mapping[str, Mapping[str, Output[Any]]]:
        """System to item to output."""
        ...

    def scores(self) -> tuple[Mapping[str, Any], ...]:
        """The score files: system, reference, human or not, scores, details."""
        ...
