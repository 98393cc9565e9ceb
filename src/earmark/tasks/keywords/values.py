"""What flows through the task: trials, verdicts, recordings and listeners' votes on them."""

from dataclasses import dataclass

from earmark.values.errors import InputError

# Samples per second of the challenge's clips; the two networks were trained at this rate too.
RATE = 16000
# How many times worse the challenge rates false alarms than misses: S = MR + 9 FAR.
PENALTY = 9.0
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
    """A system's decision on a clip: whether it wakes, with which score, and with which status.

    A higher `score` speaks for waking; it is None when the system gives none. A `status` other
    than "ok" says that the system failed on this clip's speaker, and how.
    """

    awake: bool
    score: float | None = None
    status: str = OK

    @property
    def failed(self) -> bool:
        """Whether the system gave no valid decision."""
        return self.status != OK


@dataclass(frozen=True, slots=True)
class Recording:
    """One take: a text read aloud once. `file` is relative to the folder of the answers' file."""

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
    """A listener's vote on one contributor's take: keep it or drop it, and why."""

    person: str
    keep: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Screening:
    """A listener's votes on the takes of one text."""

    heard: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class Takes:
    """The takes of one text that the listeners kept; `people[k]` sent `recordings[k]`."""

    people: tuple[str, ...]
    recordings: tuple[Recording, ...]
