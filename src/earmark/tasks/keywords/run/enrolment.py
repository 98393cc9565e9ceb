"""Enrolment: a speaker's recordings, and what they reach when compared with one another.

No test clip and no label of the speaker is needed to calibrate `auto`. Each recording, clean and
augmented, is played against the other recordings of the same speaker: a *self-trial*. What
self-trials reach on average is what a genuine keyword of this speaker may be expected to reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Samples
from earmark.stats.draw import stream
from earmark.tasks.keywords.augment import augment
from earmark.tasks.keywords.run.comparison import ClipComparison, Cohort, compare_clip
from earmark.tasks.keywords.run.utterance import Utterance
from earmark.values.errors import InputError

# Augmented copies per recording: four calibrated better than two on the development speakers.
COPIES = 4
# Of each augmentation; higher than in the challenge's clips, so that few copies stay clean.
# Chosen by hand on the development speakers.
AUGMENT_PROBABILITY = 0.6


@dataclass(frozen=True, slots=True)
class SelfTrials:
    """Means over the self-trials of one speaker, in the units of a ClipComparison."""

    mfcc_cost: float
    sound_cost: float
    voice_cosine: float


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """A speaker's recordings, the speaker embedding they share, and their self-trials."""

    clips: tuple[Utterance, ...]
    voice: NDArray[np.float32]  # (192,), of unit length
    self_trials: SelfTrials

    def mean_spectrum(self) -> NDArray[np.float64]:
        """Return the mean log-mel energies of the recordings, (40,)."""
        means = [clip.spectrum.energies.mean(axis=0) for clip in self.clips]
        return np.asarray(np.mean(means, axis=0), dtype=float)


@dataclass(frozen=True, slots=True, eq=False)
class _AugmentedClip:
    """One enrolment recording and its augmented copies."""

    clean: Utterance
    copies: tuple[Utterance, ...]


def enrol(clips: Sequence[Samples], *, seed: int, speaker: str, copies: int = COPIES) -> Enrolment:
    """Enrol a speaker with recordings at 16 kHz, each augmented `copies` times."""
    if len(clips) < 2:
        raise InputError("self-trials need at least two enrolment recordings", got=len(clips))
    augmented = [
        _AugmentedClip(
            Utterance(clip),
            tuple(_augmented(clip, stream(seed, "enrol", speaker, k, n)) for n in range(copies)),
        )
        for k, clip in enumerate(clips)
    ]
    return Enrolment(
        tuple(one.clean for one in augmented), _shared_voice(augmented), _self_trials(augmented)
    )


def _augmented(clip: Samples, rng: np.random.Generator) -> Utterance:
    return Utterance(augment(clip, rng, probability=AUGMENT_PROBABILITY))


def _self_trials(augmented: Sequence[_AugmentedClip]) -> SelfTrials:
    """Compare every recording and every copy of it with the other recordings."""
    comparisons: list[ClipComparison] = []
    for index, left_out in enumerate(augmented):
        others = [one for k, one in enumerate(augmented) if k != index]
        enrolled = [one.clean for one in others]
        voice = _shared_voice(others)
        comparisons += [
            compare_clip(trial, enrolled, voice, Cohort())
            for trial in (left_out.clean, *left_out.copies)
        ]
    rows = [(c.mfcc_cost, c.sound_cost, c.voice_cosine) for c in comparisons]
    return SelfTrials(*np.mean(rows, axis=0).tolist())


def _shared_voice(augmented: Sequence[_AugmentedClip]) -> NDArray[np.float32]:
    """Return the mean direction of clean and augmented embeddings, both weighted equally."""
    parts = [np.sum([one.clean.voice for one in augmented], axis=0)]
    copies = [copy.voice for one in augmented for copy in one.copies]
    if copies:
        parts.append(np.sum(copies, axis=0))
    return _unit(np.sum([_unit(part) for part in parts], axis=0))


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale to length 1; `unit_rows` adds in another order, and the shipped table would move."""
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)
