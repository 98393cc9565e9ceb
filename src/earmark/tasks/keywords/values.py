"""What flows through the task: trials, verdicts, recordings and what a listener made of them."""

from dataclasses import dataclass

from earmark.values.errors import InputError

OK = "ok"


@dataclass(frozen=True, slots=True)
class Trial:
    """One test clip: whose device it is played to, and whether it must wake.

    `kind` says how the clip came about (the keyword alone, spliced, an impostor, a near miss ...)
    and is empty when nobody knows.
    """

    speaker: str
    is_target: bool
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a system said to a clip: awake or not, how sure, and whether it answered at all.

    `score` grows with the wish to wake; None when the system gives none. A `status` other than
    "ok" says that the system failed on this clip's speaker, and how.
    """

    awake: bool
    score: float | None = None
    status: str = OK

    @property
    def failed(self) -> bool:
        """Whether there is no valid answer."""
        return self.status != OK


@dataclass(frozen=True, slots=True)
class Recording:
    """One take of a text, as a contributor sent it. `file` lies beside the answers' file."""

    file: str
    language: str
    dialect: str = ""
    seconds: float = 0.0
    converted: str = ""

    def __post_init__(self) -> None:
        if not self.file:
            raise InputError("a recording needs a file", fix="name the sound file")


@dataclass(frozen=True, slots=True)
class Heard:
    """What a listener made of one contributor's take: usable or not, and why not."""

    person: str
    keep: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Screening:
    """What a listener made of the takes of one text."""

    heard: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class Takes:
    """The takes of a text that listeners kept: person and recording, side by side."""

    people: tuple[str, ...]
    recordings: tuple[Recording, ...]
