"""What can be read from a study without taking a snapshot oneself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from earmark.study.places import file_name
from earmark.study.snapshot import Snapshot
from earmark.task.task import Json
from earmark.values.answer import Ballots
from earmark.values.errors import StudyError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.reference import Reference


class StudyReadings(ABC):
    """The contents of a study, each read from a new snapshot."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Return the study as it is now, to read from; each of its files is parsed once."""

    def items(self) -> tuple[Item, ...]:
        """Return the material, with absolute paths to its media."""
        return self.snapshot().items()

    def truth(self) -> Reference[Any] | None:
        """Return what the maker knew, or None."""
        return self.snapshot().truth()

    def references(self) -> dict[str, Reference[Any]]:
        """Return every reference by name, the truth among them."""
        return self.snapshot().references()

    def reference(self, name: str | None = None) -> Reference[Any]:
        """Return the reference of that name; by default the truth, or else the only one."""
        return self.snapshot().reference(name)

    def units(self) -> tuple[Item, ...]:
        """Return the unit questions; none before anyone was asked."""
        return self.snapshot().units()

    def ballots(self) -> Ballots[Any] | None:
        """Return the unit questions and everybody's answers, or None before anyone was asked."""
        return self.snapshot().ballots()

    def outputs(self) -> dict[str, dict[str, Output[Any]]]:
        """Return outputs by system and item."""
        return self.snapshot().outputs()

    def scores(self) -> tuple[Json, ...]:
        """Return the score files, one for each system and reference."""
        return self.snapshot().scores()

    def boards(self) -> dict[str, Json]:
        """Return the board of each reference: metric to ranked rows."""
        return self.snapshot().boards()

    def people(self) -> dict[str, Json]:
        """Return people beside the systems, for each reference that they were scored against."""
        return self.snapshot().people()

    def choices(self) -> dict[str, Json]:
        """Return the systems under every setting, for each reference that was scored so."""
        return self.snapshot().choices()

    def planned(self) -> Json | None:
        """Return what was planned last, or None."""
        return self.snapshot().planned()

    def board(self, against: str | None = None) -> Json:
        """Return the board against one reference, by default as `reference` chooses it."""
        name = file_name(self.reference(against).name)
        boards = self.boards()
        if name not in boards:
            raise StudyError(
                "a board needs scores",
                at=self.snapshot().name,
                fix=f"study.score({against!r}) first",
            )
        board: Json = boards[name]
        return board

    def item_values(self, against: str | None = None) -> dict[str, dict[str, dict[str, float]]]:
        """Return system to metric to item to the item's own value against one reference."""
        return self.snapshot().item_values(self.reference(against).name)

    def settings(self) -> Mapping[str, Any]:
        """Return study.toml, parsed."""
        return self.snapshot().settings()
