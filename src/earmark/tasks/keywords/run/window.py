"""Baseline 2 of the challenge: the most typical enrolment recording, slid over the clip."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from earmark.arrays import Samples
from earmark.audio.features import Frames
from earmark.audio.speech import loud_span
from earmark.stats.warping import symmetric_distance
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.keywords.run.features import FEATURES_HELP, Extractor, extractor
from earmark.tasks.keywords.run.speakers import Speaker, judge_speakers
from earmark.tasks.keywords.values import RATE, Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

# As in the challenge's code: the smallest distances that vote for a template, and the windows
# that start within one length of the template.
VOTES = 6
STEPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOptions:
    """Features and thresholds of baseline 2; the defaults are the challenge's."""

    features: str = option("sound", FEATURES_HELP)
    lowest: float = option(0.45, "The threshold on the distance is at least this.")
    highest: float = option(0.6, "The threshold on the distance is at most this.")

    def __post_init__(self) -> None:
        if self.lowest > self.highest:
            raise InputError(
                "the lowest threshold must be <= the highest",
                got=f"{self.lowest}, {self.highest}",
            )


def window(
    items: tuple[Item, ...],
    options: WindowOptions = WindowOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Verdict]]:
    """Warp whole windows as long as the template; no speaker verification (baseline 2)."""
    extracted = extractor(options.features)

    def enrolled(speaker: Speaker) -> WindowDetector:
        return WindowDetector(enrol(speaker.enrolment_samples(), extracted, options), extracted)

    return judge_speakers(items, "window", enrolled)


@dataclass(frozen=True, slots=True, eq=False)
class WindowEnrolment:
    """The chosen template, (rows, features), and the threshold on the distance."""

    template: Frames
    threshold: float


def enrol(
    clips: Sequence[Samples], extracted: Extractor, options: WindowOptions = WindowOptions()
) -> WindowEnrolment:
    """Choose the most typical recording, and take the threshold from the least alike pair."""
    trimmed = [clip[loud_span(clip, RATE)] for clip in clips]
    template, largest = vote([extracted.extract(clip) for clip in trimmed])
    return WindowEnrolment(template, min(max(largest, options.lowest), options.highest))


@dataclass(frozen=True, slots=True, eq=False)
class WindowDetector:
    """A device that wakes when some window of a clip is close enough to the template."""

    enrolment: WindowEnrolment
    extracted: Extractor

    def judge(self, samples: Samples) -> Verdict:
        """Decide on a clip; the score is how far the distance is below the threshold."""
        distance = nearest_window(self.enrolment.template, self.extracted.extract(samples))
        threshold = self.enrolment.threshold
        return Verdict(awake=distance < threshold, score=threshold - distance)


def vote(enrolment: list[Frames]) -> tuple[Frames, float]:
    """Return the recording that is closest to others most often, and the largest distance.

    Every pair's distance is credited to both; of all credits the six smallest vote. Ties go to
    the earlier recording.
    """
    if len(enrolment) < 2:
        raise InputError("a template is chosen among two recordings or more", got=len(enrolment))
    distances = {
        (i, j): symmetric_distance(enrolment[i], enrolment[j])
        for i, j in combinations(range(len(enrolment)), 2)
    }
    credits = sorted((d, k) for pair, d in distances.items() for k in pair)
    votes = Counter(k for _, k in credits[:VOTES])
    chosen = max(sorted(votes), key=lambda k: votes[k])
    return enrolment[chosen], max(distances.values())


def nearest_window(template: Frames, frames: Frames) -> float:
    """Return the smallest distance of the template to a window of its own length.

    Windows start every fifth of the template; the last partial one is not reached, as in the
    challenge's code. A clip shorter than the template is one window.
    """
    step = max(1, len(template) // STEPS)
    starts = range(0, max(len(frames) - len(template), step), step)
    windows = (frames[start : start + len(template)] for start in starts)
    return min(symmetric_distance(template, part) for part in windows if len(part))
