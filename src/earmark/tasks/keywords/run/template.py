"""Baseline 1 of the challenge: one averaged template, segmental warping, then the voice."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from earmark.audio.speech import energy_voiced, span_of_runs
from earmark.stats.warping import average_templates, cosine_distances, segmental
from earmark.task.task import Training
from earmark.tasks.keywords.run.frames import Extractor, extractor
from earmark.tasks.keywords.run.speakers import Judge, Speaker, judged
from earmark.tasks.keywords.run.voice import voice_vector, weights_file
from earmark.tasks.keywords.values import Verdict
from earmark.values.item import Item
from earmark.values.output import Output

RATE = 16000
HOP = 0.010
State = Mapping[str, Any]


def template(  # noqa: PLR0913
    items: tuple[Item, ...],
    *,
    train_on: Training | None,
    seed: int,
    features: str = "sound",
    likeness: float = 0.80,
    voice: float = 0.83,
    run: int = 30,
    merge: Literal["farthest", "nearest"] = "farthest",
) -> Iterator[Output[Verdict]]:
    """Baseline 1: an averaged template found by segmental warping, then speaker verification.

    Parameters
    ----------
    features
        What is warped: sound (Google's embedding), mfcc, or a wav2vec 2.0 model by name or path.
    likeness
        Wake only when 1 - average cost reaches this (the paper's first threshold).
    voice
        Wake only when the cosine of the speaker vectors reaches this (the second threshold).
    run
        Voiced frames of 10 ms in a row that begin and end a template.
    merge
        Which two templates are averaged first; the public code takes the farthest.
    """
    extracted = extractor(features)
    weights_file()

    def learn(speaker: Speaker) -> Judge:
        state = enrol(speaker.sounds(), extracted, run=run, farthest_first=merge == "farthest")
        return judge_of(state, extracted, likeness=likeness, voice=voice)

    return judged(items, "template", learn)


def enrol(
    clips: Sequence[Any], extracted: Extractor, *, run: int = 30, farthest_first: bool = True
) -> State:
    """The averaged template, and the voice of all enrolment recordings in a row."""
    trimmed = [_trimmed(clip, extracted, run) for clip in clips]
    return {
        "template": average_templates(trimmed, farthest_first=farthest_first),
        "owner": voice_vector(np.concatenate([voiced(clip) for clip in clips])),
    }


def judge_of(
    state: State, extracted: Extractor, *, likeness: float = 0.80, voice: float = 0.83
) -> Judge:
    """What decides on a clip; the score is the smaller distance to the two thresholds."""

    def judge(samples: Any) -> Verdict:
        distances = cosine_distances(state["template"], extracted.extract(samples))
        alike = 1 - segmental(distances).best - likeness
        same = float(voice_vector(voiced(samples)) @ state["owner"]) - voice
        return Verdict(awake=alike >= 0 and same >= 0, score=min(alike, same))

    return judge


def _trimmed(samples: Any, extracted: Extractor, run: int) -> Any:
    """The frames between the first and the last run of voiced frames."""
    span = span_of_runs(energy_voiced(samples, RATE), run=run)
    frames = extracted.extract(samples)
    step = round(extracted.hop / HOP)
    found = frames[span.start // step : -(-span.stop // step)]
    return found if len(found) else frames


def voiced(samples: Any) -> Any:
    """The samples of voiced frames only; all of them when none is."""
    mask = energy_voiced(samples, RATE)
    kept = np.repeat(mask, round(HOP * RATE))[: len(samples)]
    found = samples[: len(kept)][kept]
    return found if len(found) else samples
