"""What speaks for waking: how well a recording fits the enrolment, and how well it should.

Seven numbers say how a clip compares with a speaker's enrolment. Each that depends on the speaker
is taken relative to what the speaker's own recordings reach among themselves, disturbed by rooms
and noise (self-trials), and relative to a cohort of other people's keywords. No test clip and no
label of the speaker is needed for that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.audio.features import Frames
from earmark.stats.draw import stream
from earmark.stats.warping import Curve, cosine_distances, segmental
from earmark.tasks.keywords.augment import disturb
from earmark.tasks.keywords.run.utterance import SOUND_STEP, Spectrum, Utterance

NAMES = (
    "keyword",
    "keyword_cohort",
    "sound",
    "sound_cohort",
    "voice",
    "contrast",
    "tail",
    "stretch",
)
COPIES = 4
FARTHEST = 0.6
CHANCE = 0.6


@dataclass(frozen=True)
class Cohort:
    """Other people's keywords: for each of them some spectra and sound templates."""

    spectra: tuple[tuple[Spectrum, ...], ...] = ()
    sounds: tuple[tuple[Frames, ...], ...] = ()


@dataclass(frozen=True)
class Fit:
    """How one clip compares with one enrolment; costs are logs of average distances."""

    keyword: float
    sound: float
    voice: float
    contrast: float
    tail: float
    stretch: float
    keyword_cohort: tuple[float, ...] = ()
    sound_cohort: tuple[float, ...] = ()


@dataclass(frozen=True)
class Enrolment:
    """A speaker's recordings, the voice they share, and what they reach among themselves."""

    clips: tuple[Utterance, ...]
    voice: NDArray[np.float32]
    expected: tuple[float, float, float]

    def relative(self, fit: Fit) -> tuple[float, ...]:
        """The fit as differences from what the speaker's own recordings reach."""
        keyword, sound, voice = self.expected
        return (
            fit.keyword - keyword,
            fit.sound - sound,
            fit.voice - voice,
            fit.contrast,
            fit.tail,
            fit.stretch,
        )


def enrol(clips: Sequence[Any], *, seed: int, speaker: str, copies: int = COPIES) -> Enrolment:
    """An enrolment from recordings at 16 kHz, with `copies` disturbed copies of each."""
    clean = tuple(Utterance(clip) for clip in clips)
    disturbed = tuple(
        tuple(_disturbed(clip, stream(seed, "enrol", speaker, k, n)) for n in range(copies))
        for k, clip in enumerate(clips)
    )
    fits = [
        _self_fit(clean, disturbed, left_out, trial)
        for left_out in range(len(clean))
        for trial in (clean[left_out], *disturbed[left_out])
    ]
    expected = tuple(np.mean([(f.keyword, f.sound, f.voice) for f in fits], axis=0).tolist())
    return Enrolment(clean, _shared_voice(clean, disturbed), expected)


def _disturbed(clip: Any, rng: np.random.Generator) -> Utterance:
    return Utterance(disturb(clip, rng, chance=CHANCE))


def _self_fit(
    clean: tuple[Utterance, ...],
    disturbed: tuple[tuple[Utterance, ...], ...],
    left_out: int,
    trial: Utterance,
) -> Fit:
    """One self-trial: a recording, clean or disturbed, against the other recordings."""
    rest = [k for k in range(len(clean)) if k != left_out]
    others = tuple(clean[k] for k in rest)
    voice = _shared_voice(others, tuple(disturbed[k] for k in rest))
    return fit_to(trial, others, voice, Cohort())


def _shared_voice(
    clean: tuple[Utterance, ...], disturbed: tuple[tuple[Utterance, ...], ...]
) -> NDArray[np.float32]:
    """The mean direction of clean and disturbed recordings, both weighing the same."""
    parts = [np.sum([one.voice for one in clean], axis=0)]
    copies = [copy.voice for group in disturbed for copy in group]
    if copies:
        parts.append(np.sum(copies, axis=0))
    return _unit(np.sum([_unit(part) for part in parts], axis=0))


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def fit_to(
    clip: Utterance, clips: Sequence[Utterance], voice: NDArray[np.float32], cohort: Cohort
) -> Fit:
    """How a clip compares with enrolled recordings."""
    spectrum = clip.spectrum
    templates = [one.spectrum.template_in(spectrum) for one in clips]
    shapes = [_search(template, spectrum.shape) for template in templates]
    sounds = [_search(one.sound_template, clip.sounds) for one in clips]
    lengths = [_length(c) / len(t) for c, t in zip(shapes, templates, strict=True)]
    end = float(np.median([curve.end for curve in sounds])) * SOUND_STEP
    return Fit(
        keyword=_log_cost(shapes),
        sound=_log_cost(sounds),
        voice=float(clip.voice @ voice),
        contrast=spectrum.contrast,
        tail=min(abs(spectrum.span.stop - end) / 100, FARTHEST),
        stretch=abs(float(np.log(max(float(np.median(lengths)), 0.1)))),
        keyword_cohort=tuple(_cohort_cost(group, spectrum) for group in cohort.spectra),
        sound_cohort=tuple(
            _log_cost([_search(t, clip.sounds) for t in group]) for group in cohort.sounds
        ),
    )


def _cohort_cost(group: tuple[Spectrum, ...], spectrum: Spectrum) -> float:
    return _log_cost([_search(one.template_in(spectrum), spectrum.shape) for one in group])


def _search(template: Frames, stream_frames: Frames) -> Curve:
    return segmental(cosine_distances(template, stream_frames))


def _length(curve: Curve) -> int:
    return curve.end - int(curve.start[curve.end]) + 1


def _log_cost(curves: Sequence[Curve]) -> float:
    return float(np.log(max(float(np.mean([curve.best for curve in curves])), 1e-6)))
