"""What a task says of submissions: which scripts are called with what, and what they write.

A submission is a folder of scripts by strangers. The task cuts the material into parts that are
run one by one (speakers; or everything at once), says which files the code sees of each part, and
reads what it wrote. Labels never enter: a part is built from items, which have none.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from earmark.values.item import Item
from earmark.values.output import Output

WORK, OUTPUT = "work", "output"  # arguments of a script that are no folder of the part
WHOLE = "all"  # the name of the part, where there is but one
INITIALIZE = "initialize.sh"  # called once, without arguments, before all parts


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the material: what is judged in one go, and the files that the code sees for it.

    `folders` are by the name of the argument: file name to a file to copy, or its bytes. `names`
    are what the code calls the items, which tell nothing about them. `sound` is how many seconds
    are to be judged, None for texts.
    """

    name: str
    items: tuple[Item, ...]
    folders: Mapping[str, Mapping[str, Path | bytes]]
    names: Mapping[str, str] = field(default_factory=dict)  # item to the name that the code knows
    sound: float | None = None


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """One script that is called for each part: its arguments are folders, `work` or `output`."""

    step: Literal["enroll", "predict"]
    script: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """What a task says of submissions.

    `parts(items, key)` cuts the material; `key` is a secret text, the same for the same material,
    that names and order are drawn from. `read(path, part)` reads what a prediction wrote, or raises
    InputError, which costs the part. `failed(part, status)` gives the outputs of a part that
    failed, by the task's rule for its worst; without it a failed part has none. `sample` is the
    folder, in the task's package, with a submission that passes; `baselines` writes others:
    (name, folder). `formats` says what the code is given and must write, for the kit's rules.
    """

    calls: tuple[ScriptCall, ...]
    parts: Callable[[tuple[Item, ...], str], tuple[Part, ...]]
    read: Callable[[Path, Part], Iterator[Output[Any]]]
    output: str
    formats: str
    sample: str
    failed: Callable[[Part, str], Iterator[Output[Any]]] | None = None
    parts_are: str = "items"  # what a part is, in the plural
    failing: str = "have no score"  # what failing costs them, in words
    initialise: bool = False  # whether initialize.sh must be there
    baselines: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)

    @property
    def scripts(self) -> tuple[str, ...]:
        """The scripts that must be there."""
        first = (INITIALIZE,) if self.initialise else ()
        return (*first, *(call.script for call in self.calls))
