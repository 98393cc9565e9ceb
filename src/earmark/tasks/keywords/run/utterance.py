"""One recording as the systems see it; everything that is costly is made once, when asked for."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from earmark.audio import features
from earmark.audio.features import Frames, Samples
from earmark.audio.speech import speech_frames, speech_span
from earmark.stats.vectors import unit_rows

RATE = 16000
STEP = 2
SOUND_STEP = 8
SHORTEST = 40
CEPSTRA = 20
DEPTH = 12.0
QUIET_SHARE = 0.15


@dataclass(frozen=True)
class Spectrum:
    """Log-mel energies (40 bands, every 10 ms) and where in them somebody speaks."""

    energies: Frames
    span: slice

    @cached_property
    def level(self) -> float:
        """How loud the loud frames are, in log energy."""
        return float(np.percentile(self.energies.max(axis=1), 95))

    @cached_property
    def background(self) -> NDArray[np.float32]:
        """Mean energy of the quietest frames in each band: what is there when nobody speaks."""
        size = max(3, int(QUIET_SHARE * len(self.energies)))
        quietest = np.argsort(self.energies.mean(axis=1))[:size]
        return np.asarray(np.exp(self.energies[quietest]).mean(axis=0))

    @cached_property
    def contrast(self) -> float:
        """Loud frames over the background, in log energy."""
        return self.level - float(np.log(self.background.max()))

    @cached_property
    def shape(self) -> Frames:
        """Standardised cepstra and their slopes, a unit row for every 20 ms."""
        return shape_of(self.energies)

    def steps(self, step: int) -> slice:
        """The span of speech in frames of `step` x 10 ms."""
        return slice(self.span.start // step, -(-self.span.stop // step))

    def template_in(self, other: "Spectrum") -> Frames:
        """The shape of this speech as it would look at the other's level, in its background."""
        raised = np.exp(self.energies + np.float32(other.level - self.level))
        return shape_of(np.log(raised + other.background))[self.steps(STEP)]


@dataclass(frozen=True)
class Utterance:
    """A recording: samples at 16 kHz, its spectrum, its sound vectors, its voice."""

    samples: Samples

    @cached_property
    def power(self) -> Frames:
        """The power spectrum of every 10 ms, from which both kinds of mel bands are summed."""
        return features.power_spectra(self.samples, RATE)

    @cached_property
    def spectrum(self) -> Spectrum:
        """Log-mel energies and the span of speech."""
        energies = features.mel_of_power(self.power, RATE, bands=40)
        return Spectrum(energies, speech_span(speech_frames(energies)))

    @cached_property
    def sounds(self) -> Frames:
        """Google's speech embedding, a unit row for every 80 ms."""
        from earmark.tasks.keywords.run.sounds import sound_vectors

        return unit_rows(sound_vectors(self.samples, hop=SOUND_STEP))

    @property
    def sound_template(self) -> Frames:
        """The sound vectors of the span of speech."""
        return self.sounds[self.spectrum.steps(SOUND_STEP)]

    @cached_property
    def voice(self) -> NDArray[np.float32]:
        """The speaker vector of the span of speech, a short span repeated to 0.4 s."""
        from earmark.tasks.keywords.run.voice import vector_of_frames

        speech = features.mel_of_power(self.power[self.spectrum.span], RATE, bands=80)
        return vector_of_frames(np.resize(speech, (max(len(speech), SHORTEST), speech.shape[1])))


def shape_of(energies: Frames) -> Frames:
    """Cepstra and slopes of log energies, standardised over the recording, unit rows per 20 ms.

    Energies more than 12 (in log) below the loudest are raised to that floor, so that digital
    silence does not dominate the means.
    """
    floor = np.percentile(energies.max(axis=1), 98) - DEPTH
    cepstra = features.cepstra(np.maximum(energies, np.float32(floor)), keep=CEPSTRA)
    both = np.hstack([cepstra, 2 * features.deltas(cepstra)])
    return unit_rows(features.standardise(both)[::STEP])
