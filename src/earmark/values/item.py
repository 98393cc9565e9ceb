"""One thing to be judged, by a person or by a system."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from earmark.values.errors import InputError
from earmark.values.span import Span


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to be judged: a recording, a window of it, a pair, a passage.

    `media` is a path relative to the study's material folder as stored, and absolute once a study
    has read it. `parent` keeps the parts of one recording, talk or speaker together:
    splits and resamples never part them. `details` is whatever else a task wants to say, as plain
    JSON values.
    """

    id: str
    kind: str
    media: str | None = None
    text: str | None = None
    span: Span | None = None
    parent: str | None = None
    details: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.id or not self.id.isprintable():
            raise InputError(
                "an item needs an id of printable characters",
                got=repr(self.id),
                fix="give every item a name of its own",
            )

    @property
    def group(self) -> str:
        """The parent's id, or its own when it has none."""
        return self.parent or self.id
