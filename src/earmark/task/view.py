"""A study as a report sees it: everything can be read, nothing changed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from earmark.task.task import Json, Task
from earmark.values.answer import Ballots
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.reference import Reference


class View(Protocol):
    """What a study's page and a task's pictures are drawn from."""

    @property
    def folder(self) -> Path:
        """The study's folder."""
        ...

    @property
    def name(self) -> str:
        """The study's name."""
        ...

    @property
    def task(self) -> Task:
        """The study's task."""
        ...

    @property
    def seed(self) -> int:
        """The seed of the study's random draws."""
        ...

    def settings(self) -> Mapping[str, Any]:
        """Return the parsed study.toml."""
        ...

    def items(self) -> tuple[Item, ...]:
        """Return the material; `media` is an absolute path."""
        ...

    def truth(self) -> Reference[Any] | None:
        """Return what the maker knew, or None."""
        ...

    def ballots(self) -> Ballots[Any] | None:
        """Return the questions and everybody's answers, or None."""
        ...

    def references(self) -> Mapping[str, Reference[Any]]:
        """Return the reconciled references by name; the truth, if known, as `truth`."""
        ...

    def outputs(self) -> Mapping[str, Mapping[str, Output[Any]]]:
        """Return system to item to output."""
        ...

    def scores(self) -> tuple[Json, ...]:
        """Return the score files: system, reference, scores, details."""
        ...

    def boards(self) -> Mapping[str, Json]:
        """Return each reference's board: metric to ranked rows."""
        ...

    def item_values(self, reference: str) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """Return system to metric to item to the item's own value, nan where it is undefined."""
        ...

    def people(self) -> Mapping[str, Json]:
        """Return people beside the systems, for each reference that they were scored against."""
        ...

    def choices(self) -> Mapping[str, Json]:
        """Return the systems under every setting, for each reference that was scored so."""
        ...

    def planned(self) -> Json | None:
        """Return what was planned before anybody was asked, or None."""
        ...
