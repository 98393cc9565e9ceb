"""The options of a keyword challenge: where it comes from, and how many clips of each kind."""

from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.tasks.keywords.files import ENROLMENTS
from earmark.values import checks


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOptions:
    """Where trials come from, how many a speaker gets of each kind, and how they are augmented."""

    recordings: Path | None = option(
        None, "A folder <speaker>/<word>/<take>.wav to make a challenge from."
    )
    challenge: Path | None = option(
        None, "A folder <speaker>/enroll and <speaker>/test, taken as it is."
    )
    labels: Path | None = option(
        None,
        "The folder of <speaker>_test_labels.txt that belongs to the challenge; alone it makes a "
        "study without sound.",
    )
    enrolments: int = option(ENROLMENTS, "Recordings that a speaker enrols with.")
    positives: int = option(
        10, "Clips of each speaker that end in the keyword, half of them after another word."
    )
    own_words: int = option(12, "Clips of the speaker without the keyword.")
    impostors: int = option(10, "Clips of the keyword by other speakers.")
    strangers: int = option(8, "Clips of other words by other speakers.")
    near_misses: int = option(
        3, "Clips of the speaker's keyword cut short or with its halves in the wrong order."
    )
    longer_phrases: int = option(
        0, "Clips of the speaker's keyword with another word right after it; they must not wake."
    )
    chance: float = option(
        0.4,
        "Probability that a test clip is put in a room, mixed with noise (5 to 25 dB), played at "
        "another volume (.5 to 2): each independently.",
    )
    noises: Path | None = option(
        None, "A folder of noise recordings; without it the noise is coloured noise."
    )
    rooms: Path | None = option(
        None, "A folder of impulse responses; without it the rooms are simulated."
    )
    phases: str = option(
        "practice",
        "How speakers are divided, as phase:weight pairs, for instance "
        "train:5,practice:1,feedback:2,private:2; phases share neither speakers nor impostors.",
    )

    def __post_init__(self) -> None:
        checks.within(self.chance, 0.0, 1.0, what="a probability")
