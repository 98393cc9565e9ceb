"""Baseline 2 of the challenge: the most typical enrolment, slid over the clip."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from earmark.audio.features import Frames
from earmark.audio.speech import loud_span
from earmark.stats.warping import symmetric_distance
from earmark.task.task import Training
from earmark.tasks.keywords.run.frames import Extractor, extractor
from earmark.tasks.keywords.run.speakers import Judge, Speaker, judged
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

RATE = 16000
VOTES = 6
STEPS = 5
State = Mapping[str, Any]


def window(
    items: tuple[Item, ...],
    *,
    train_on: Training | None,
    seed: int,
    features: str = "sound",
    lowest: float = 0.45,
    highest: float = 0.6,
) -> Iterator[Output[Verdict]]:
    """Baseline 2: whole warping of windows as long as the template; no speaker verification.

    Parameters
    ----------
    features
        What is warped: sound (Google's embedding), mfcc, or a wav2vec 2.0 model by name or path.
    lowest
        The threshold on the distance is at least this.
    highest
        The threshold on the distance is at most this.
    """
    if lowest > highest:
        raise InputError("the lowest threshold lies below the highest", got=f"{lowest}, {highest}")
    extracted = extractor(features)

    def learn(speaker: Speaker) -> Judge:
        state = enrol(speaker.sounds(), extracted, lowest=lowest, highest=highest)
        return judge_of(state, extracted)

    return judged(items, "window", learn)


def enrol(
    clips: Sequence[Any], extracted: Extractor, *, lowest: float = 0.45, highest: float = 0.6
) -> State:
    """The chosen template, and the threshold on the distance."""
    trimmed = [clip[loud_span(clip, RATE)] for clip in clips]
    chosen, largest = vote([extracted.extract(clip) for clip in trimmed])
    return {"template": chosen, "threshold": min(max(largest, lowest), highest)}


def judge_of(state: State, extracted: Extractor) -> Judge:
    """What decides on a clip; the score is how far the distance lies below the threshold."""
    threshold = float(state["threshold"])

    def judge(samples: Any) -> Verdict:
        distance = nearest_window(state["template"], extracted.extract(samples))
        return Verdict(awake=distance < threshold, score=threshold - distance)

    return judge


def vote(enrolment: list[Frames]) -> tuple[Frames, float]:
    """The recording that is closest to others most often, and the largest distance of any two.

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
    """The smallest distance of the template to a window of its own length.

    Windows start every fifth of the template; the last partial one is not reached, as in the
    challenge's code. A clip shorter than the template is one window.
    """
    step = max(1, len(template) // STEPS)
    starts = range(0, max(len(frames) - len(template), step), step)
    windows = (frames[start : start + len(template)] for start in starts)
    return min(symmetric_distance(template, part) for part in windows if len(part))
