"""One recording as the systems see it; what is costly is computed once, when first needed."""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Samples
from earmark.audio import features
from earmark.audio.features import Frames
from earmark.audio.speech import speech_frames, speech_span
from earmark.files.npz import read_arrays
from earmark.stats.vectors import unit_rows
from earmark.tasks.keywords.values import RATE

# Mel frames (10 ms) between two rows: of the MFCC, and of the speech embedding, for which the
# network, which moves by 8 frames, runs twice. A keyword of half a second has 13 rows then.
STEP = 2
SOUND_STEP = 4
# Mel frames that a speaker embedding needs at least (0.4 s); see networks/speaker_embedding.py.
SHORTEST = 40
# Mel bands of both speaker networks.
VOICE_BANDS = 80
# Bands, cepstra, depth (in log energy) and share of quiet frames were chosen by hand on the eleven
# development speakers.
BANDS = 40
CEPSTRA = 20
DEPTH = 12.0
QUIET_SHARE = 0.15


@dataclass(frozen=True)
class Spectrum:
    """Log-mel energies, (frames, 40) every 10 ms, and the span of frames with speech."""

    energies: Frames
    span: slice

    @cached_property
    def level(self) -> float:
        """Level of the loud frames, in log energy."""
        return float(np.percentile(self.energies.max(axis=1), 95))

    @cached_property
    def background(self) -> NDArray[np.float32]:
        """Mean energy of the quietest frames in each band, (40,): the noise between the speech."""
        size = max(3, int(QUIET_SHARE * len(self.energies)))
        quietest = np.argsort(self.energies.mean(axis=1))[:size]
        return np.asarray(np.exp(self.energies[quietest]).mean(axis=0))

    @cached_property
    def contrast(self) -> float:
        """Level of the loud frames above the background, in log energy."""
        return self.level - float(np.log(self.background.max()))

    @cached_property
    def shape(self) -> Frames:
        """Standardised MFCC with their deltas, one unit row per 20 ms."""
        return shape_of(self.energies)

    def steps(self, step: int) -> slice:
        """Return the span of speech in frames of `step` x 10 ms."""
        return slice(self.span.start // step, -(-self.span.stop // step))

    def template_in(self, other: "Spectrum") -> Frames:
        """Return the MFCC of this speech as they would be at the other's level, in its noise."""
        raised = np.exp(self.energies + np.float32(other.level - self.level))
        return shape_of(np.log(raised + other.background))[self.steps(STEP)]


@dataclass(frozen=True)
class Utterance:
    """A recording at 16 kHz, with its spectrum, its speech embeddings and its voice."""

    samples: Samples

    @cached_property
    def power(self) -> Frames:
        """Power spectra every 10 ms, from which both kinds of mel bands are summed."""
        return features.power_spectra(self.samples, RATE)

    @cached_property
    def spectrum(self) -> Spectrum:
        """Log-mel energies and the span of speech."""
        energies = features.mel_of_power(self.power, RATE, bands=BANDS)
        return Spectrum(energies, speech_span(speech_frames(energies)))

    @cached_property
    def sounds(self) -> Frames:
        """Google's speech embedding, one standardised unit row per 40 ms, (rows, 96)."""
        from earmark.tasks.keywords.run.networks.speech_embedding import speech_embeddings

        rows = speech_embeddings(self.samples, hop=SOUND_STEP)
        return unit_rows(sound_scale().standardised(rows))

    @cached_property
    def voice_frames(self) -> Frames:
        """Log-mel energies of the span of speech for speaker networks, repeated to 0.4 s."""
        speech = features.mel_of_power(self.power[self.spectrum.span], RATE, bands=VOICE_BANDS)
        return np.resize(speech, (max(len(speech), SHORTEST), speech.shape[1]))

    @cached_property
    def voice(self) -> NDArray[np.float32]:
        """The speaker embedding of CAM++, (192,)."""
        from earmark.tasks.keywords.run.networks.speaker_embedding import embed_frames

        return embed_frames(self.voice_frames)

    @cached_property
    def second_voice(self) -> NDArray[np.float32]:
        """The speaker embedding of the second network, (256,)."""
        from earmark.tasks.keywords.run.networks.second_embedding import embed_frames_again

        return embed_frames_again(self.voice_frames)


@dataclass(frozen=True, slots=True, eq=False)
class SoundScale:
    """Mean and standard deviation of every dimension of the speech embedding, (96,) each.

    Some dimensions are large in every sound and say little; standardised, all count alike. The
    numbers come from synthetic voices in 23 languages (models/README.md), so no language and no
    microphone of a test set is in them.
    """

    mean: NDArray[np.float32]
    deviation: NDArray[np.float32]

    def standardised(self, rows: Frames) -> Frames:
        """Return rows, (rows, 96), with every dimension standardised."""
        return np.asarray((rows - self.mean) / self.deviation, dtype=np.float32)


@cache
def sound_scale() -> SoundScale:
    """Return the scale of the speech embedding that Earmark ships."""
    place = Path(str(files("earmark.tasks.keywords").joinpath("models/sounds.npz")))
    arrays = read_arrays(place, what="the scale of speech embeddings is a table that Earmark wrote")
    return SoundScale(arrays["mean"], arrays["deviation"])


def shape_of(energies: Frames) -> Frames:
    """Return MFCC and deltas of log energies, standardised per recording, unit rows per 20 ms.

    Energies more than 12 (in log) below the loudest are raised to that floor, so that digital
    silence does not dominate the means.
    """
    floor = np.percentile(energies.max(axis=1), 98) - DEPTH
    cepstra = features.cepstra(np.maximum(energies, np.float32(floor)), keep=CEPSTRA)
    both = np.hstack([cepstra, 2 * features.deltas(cepstra)])
    return unit_rows(features.standardise(both)[::STEP])
