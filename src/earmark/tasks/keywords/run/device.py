"""A device outside a study: enrolled from a folder of recordings, it listens to a stream."""

from dataclasses import dataclass
from pathlib import Path

from earmark.arrays import Samples
from earmark.tasks.keywords.clips import read_clip, refuse_silence
from earmark.tasks.keywords.files import sound_files
from earmark.tasks.keywords.run.auto import AutoDetector, load_networks_and_model
from earmark.tasks.keywords.run.enrolment import enrol
from earmark.tasks.keywords.run.listening import AROUND, HOP, StreamListener
from earmark.tasks.keywords.values import PENALTY
from earmark.values.errors import InputError

# Mel frames per second, in which the span of speech is counted.
FRAME_RATE = 100


@dataclass(frozen=True, slots=True, eq=False)
class Device:
    """A detector for one speaker's keyword, and how long the keyword takes in seconds."""

    detector: AutoDetector
    keyword: float

    @classmethod
    def enrolled(
        cls, folder: Path, *, model: Path | None = None, seed: int = 0, penalty: float = PENALTY
    ) -> "Device":
        """Enrol with the recordings in a folder."""
        clips = [_recording(path) for path in sound_files(folder)] if folder.is_dir() else []
        if len(clips) < 2:
            raise InputError(
                "a device is enrolled by recordings of one keyword by one speaker",
                at=folder,
                got=f"{len(clips)} sound files",
                want="at least two, best five",
            )
        development = load_networks_and_model(model)
        enrolment = enrol(clips, seed=seed, speaker="owner")
        longest = max(take.seconds for take in enrolment.takes)
        return cls(AutoDetector.of(development, enrolment, "owner", penalty=penalty), longest)

    @property
    def threshold(self) -> float:
        """The score from which on the device wakes."""
        return self.detector.threshold

    def listener(
        self, *, window: float | None = None, hop: float = HOP, every: bool = False
    ) -> StreamListener:
        """Return a listener; with `every`, each window gets a score, also where it cannot wake."""
        judge = self.detector.judge if every else self.detector.judge_if_words_fit
        return StreamListener(judge, window=window or self.keyword + AROUND, hop=hop)


def _recording(path: Path) -> Samples:
    clip = read_clip(path)
    refuse_silence(path, clip)
    return clip.floats()
