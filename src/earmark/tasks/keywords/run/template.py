"""Baseline 1 of the challenge: one averaged template, segmental warping, then the voice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Samples
from earmark.audio.features import Frames
from earmark.audio.speech import energy_voiced, span_of_runs
from earmark.stats.warping import average_templates, cosine_distances, segmental
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.keywords.run.features import FEATURES_HELP, Extractor, extractor
from earmark.tasks.keywords.run.networks.speaker_embedding import speaker_embedding, weights_file
from earmark.tasks.keywords.run.speakers import Speaker, judge_speakers
from earmark.tasks.keywords.values import RATE, Verdict
from earmark.values.item import Item
from earmark.values.output import Output

# Seconds between two frames of voice activity.
VOICED_HOP = 0.010


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateOptions:
    """Features, averaging and thresholds of baseline 1; the defaults are the challenge's."""

    features: str = option("sound", FEATURES_HELP)
    likeness: float = option(
        0.80, "Wake only when 1 - average cost reaches this (the paper's first threshold)."
    )
    voice: float = option(
        0.83,
        "Wake only when the cosine of the speaker embeddings reaches this (the second threshold).",
    )
    run: int = option(30, "Voiced frames of 10 ms in a row that begin and end a template.")
    merge: Literal["farthest", "nearest"] = option(
        "farthest", "Which two templates are averaged first; the public code takes the farthest."
    )


def template(
    items: tuple[Item, ...],
    options: TemplateOptions = TemplateOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Verdict]]:
    """Search an averaged template by segmental warping, then verify the speaker (baseline 1)."""
    extracted = extractor(options.features)
    weights_file()

    def enrolled(speaker: Speaker) -> TemplateDetector:
        enrolment = enrol(speaker.enrolment_samples(), extracted, options)
        return TemplateDetector(enrolment, extracted, options)

    return judge_speakers(items, "template", enrolled)


@dataclass(frozen=True, slots=True, eq=False)
class TemplateEnrolment:
    """The averaged template, (rows, features), and the speaker embedding of all recordings."""

    template: Frames
    voice: NDArray[np.float32]  # (192,)


def enrol(
    clips: Sequence[Samples], extracted: Extractor, options: TemplateOptions = TemplateOptions()
) -> TemplateEnrolment:
    """Average the recordings to one template, and embed the voice of all of them in a row."""
    trimmed = [_trimmed(clip, extracted, options.run) for clip in clips]
    return TemplateEnrolment(
        template=average_templates(trimmed, farthest_first=options.merge == "farthest"),
        voice=speaker_embedding(np.concatenate([voiced(clip) for clip in clips])),
    )


@dataclass(frozen=True, slots=True, eq=False)
class TemplateDetector:
    """A device that wakes when both the words and the voice reach their thresholds."""

    enrolment: TemplateEnrolment
    extracted: Extractor
    options: TemplateOptions = TemplateOptions()

    def judge(self, samples: Samples) -> Verdict:
        """Decide on a clip; the score is the smaller of the two distances to the thresholds."""
        distances = cosine_distances(self.enrolment.template, self.extracted.extract(samples))
        words = 1 - segmental(distances).best - self.options.likeness
        cosine = float(speaker_embedding(voiced(samples)) @ self.enrolment.voice)
        voice = cosine - self.options.voice
        return Verdict(awake=words >= 0 and voice >= 0, score=min(words, voice))


def _trimmed(samples: Samples, extracted: Extractor, run: int) -> Frames:
    """Return the frames between the first and the last run of voiced frames; all if none."""
    span = span_of_runs(energy_voiced(samples, RATE), run=run)
    frames = extracted.extract(samples)
    step = round(extracted.hop / VOICED_HOP)
    trimmed = frames[span.start // step : -(-span.stop // step)]
    return trimmed if len(trimmed) else frames


def voiced(samples: Samples) -> Samples:
    """Return the samples of voiced frames; all of them when none is voiced."""
    mask = energy_voiced(samples, RATE)
    chosen = np.repeat(mask, round(VOICED_HOP * RATE))[: len(samples)]
    speech = samples[: len(chosen)][chosen]
    return speech if len(speech) else samples
