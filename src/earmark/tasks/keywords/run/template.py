"""Baseline 1 of the challenge: one averaged template, segmental warping, then the voice."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from earmark.audio.speech import energy_voiced, span_of_runs
from earmark.stats.warping import average_templates, cosine_distances, segmental
from earmark.tasks.keywords.run.frames import Extractor, extractor
from earmark.tasks.keywords.run.speakers import Judge, Speaker, judged
from earmark.tasks.keywords.run.voice import voice_vector, weights_file
from earmark.tasks.keywords.values import Verdict
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.task import Training

RATE = 16000
HOP = 0.010


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
        clips = speaker.sounds()
        whole = average_templates(
            [_trimmed(clip, extracted, run) for clip in clips],
            farthest_first=merge == "farthest",
        )
        owner = voice_vector(np.concatenate([voiced(clip) for clip in clips]))

        def judge(samples: Any) -> Verdict:
            curve = segmental(cosine_distances(whole, extracted.extract(samples)))
            alike = 1 - curve.best - likeness
            same = float(voice_vector(voiced(samples)) @ owner) - voice
            return Verdict(awake=alike >= 0 and same >= 0, score=min(alike, same))

        return judge

    return judged(items, "template", learn)


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
