"""Enrolment: a speaker's recordings under many conditions, and what they reach among themselves.

A device is enrolled in one place and used in others. So every recording is disturbed: noise,
babble, music, rooms, distance, codecs; the device is enrolled on all of it. No test clip and no
label of the speaker is needed to calibrate `auto`: each recording, as it is and disturbed, is
played against the other recordings of the same speaker, a *self-trial*. What self-trials reach is
what a genuine keyword of this speaker may be expected to reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats, Samples
from earmark.stats.draw import stream
from earmark.tasks.keywords.run.comparison import EnrolledTake, Voices, compare_clip
from earmark.tasks.keywords.run.conditions import CONDITIONS, Bystanders, disturbed
from earmark.tasks.keywords.run.utterance import SOUND_STEP, Utterance
from earmark.values.errors import InputError

# Disturbed copies per recording. Five recordings have twenty copies, three of nearly every
# condition; the conditions take turns. Chosen by hand.
COPIES = 4
# Samples per mel frame.
FRAME = 160


@dataclass(frozen=True, slots=True, eq=False)
class SelfTrials:
    """Mean and standard deviation of every measure over the self-trials of one speaker.

    Both are (measures,), in the order of comparison.MEASURES.
    """

    mean: Floats
    deviation: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """A speaker's recordings as templates, the voice they share, and their self-trials."""

    takes: tuple[EnrolledTake, ...]
    voices: Voices
    self_trials: SelfTrials

    def mean_spectrum(self) -> NDArray[np.float64]:
        """Return the mean log-mel energies of the recordings, (40,)."""
        means = [take.spectrum.energies.mean(axis=0) for take in self.takes]
        return np.asarray(np.mean(means, axis=0), dtype=float)


@dataclass(frozen=True, slots=True, eq=False)
class _DisturbedTake:
    """One enrolment recording, its disturbed copies, and its templates."""

    clean: Utterance
    copies: tuple[Utterance, ...]
    take: EnrolledTake


def enrol(clips: Sequence[Samples], *, seed: int, speaker: str, copies: int = COPIES) -> Enrolment:
    """Enrol a speaker with recordings at 16 kHz, each disturbed `copies` times."""
    if len(clips) < 2:
        raise InputError("self-trials need at least two enrolment recordings", got=len(clips))
    conditions = list(CONDITIONS)
    takes = []
    for number, clip in enumerate(clips):
        turns = range(number * copies, (number + 1) * copies)
        disturbances = [
            disturbed(
                clip,
                conditions[turn % len(conditions)],
                stream(seed, "enrol", speaker, turn),
                Bystanders(clips),
            )
            for turn in turns
        ]
        takes.append(_disturbed_take(clip, disturbances))
    return Enrolment(tuple(one.take for one in takes), _shared_voices(takes), _self_trials(takes))


def _disturbed_take(clip: Samples, disturbances: Sequence[Samples]) -> _DisturbedTake:
    clean = Utterance(clip)
    copies = tuple(Utterance(samples) for samples in disturbances)
    back = Utterance(_backwards(clean))
    # The copies have the same speech at the same frames: their own noise would blur the span.
    rows = clean.spectrum.steps(SOUND_STEP)
    take = EnrolledTake(
        spectrum=clean.spectrum,
        backwards=back.spectrum,
        sounds=tuple(one.sounds[rows] for one in (clean, *copies)),
        backward_sounds=back.sounds[back.spectrum.steps(SOUND_STEP)],
    )
    return _DisturbedTake(clean, copies, take)


def _backwards(utterance: Utterance) -> Samples:
    """Return the recording with its speech played backwards, and what is around it as it is."""
    samples, span = utterance.samples, utterance.spectrum.span
    start, stop = span.start * FRAME, min(len(samples), span.stop * FRAME)
    return np.concatenate([samples[:start], samples[start:stop][::-1], samples[stop:]])


def _self_trials(takes: Sequence[_DisturbedTake]) -> SelfTrials:
    """Compare every recording and every copy of it with the other recordings."""
    rows: list[list[float]] = []
    for index, left_out in enumerate(takes):
        others = [one for k, one in enumerate(takes) if k != index]
        enrolled, voices = [one.take for one in others], _shared_voices(others)
        rows += [
            compare_clip(trial, enrolled, voices).row()
            for trial in (left_out.clean, *left_out.copies)
        ]
    return SelfTrials(np.mean(rows, axis=0), np.std(rows, axis=0))


def _shared_voices(takes: Sequence[_DisturbedTake]) -> Voices:
    """Return the mean direction of clean and disturbed embeddings, both weighted equally."""
    from earmark.tasks.keywords.run.networks.second_embedding import second_weights_file

    first = _mean_direction(
        [one.clean.voice for one in takes], [copy.voice for one in takes for copy in one.copies]
    )
    if second_weights_file() is None:
        return Voices(first)
    second = _mean_direction(
        [one.clean.second_voice for one in takes],
        [copy.second_voice for one in takes for copy in one.copies],
    )
    return Voices(first, second)


def _mean_direction(*groups: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    parts = [_unit(np.sum(group, axis=0)) for group in groups if len(group)]
    return _unit(np.sum(parts, axis=0))


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)
