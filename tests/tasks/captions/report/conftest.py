"""Three sounds with captions, as a view without a folder."""

from collections.abc import Callable
from typing import Any

import pytest

from earmark.tasks.captions import TASK
from earmark.tasks.captions.values import Captions
from earmark.values.output import Output
from earmark.values.reference import Reference


class ViewOfCaptions:
    """As much of a study as the task's pictures ask for."""

    task = TASK

    def __init__(self, references: dict[str, Captions], output: Captions) -> None:
        self._references = {"truth": Reference("truth", references)} if references else {}
        outputs = {item: Output("mine", item, output) for item in references}
        self._outputs = {"mine": outputs} if references else {}

    def truth(self) -> Reference[Captions] | None:
        return self._references.get("truth")

    def references(self) -> dict[str, Reference[Captions]]:
        return self._references

    def outputs(self) -> dict[str, dict[str, Output[Captions]]]:
        return self._outputs


SOUNDS = {
    "x": Captions.of("a dog barks", "a <b>dog</b> is barking"),
    "y": Captions.of("rain falls", "heavy rain is falling"),
    "z": Captions.of("a bell rings", "bells ring in a tower"),
}


@pytest.fixture
def view_of() -> Callable[..., Any]:
    """A system that gives all three sounds the same captions."""
    return lambda *captions: ViewOfCaptions(SOUNDS, Captions.of(*captions))


@pytest.fixture
def view(view_of: Callable[..., Any]) -> Any:
    return view_of("a loud dog barks in a room")


@pytest.fixture
def empty_view() -> Any:
    return ViewOfCaptions({}, Captions.of("unused"))
