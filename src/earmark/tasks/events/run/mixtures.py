"""New soundscapes for every epoch, mixed as energies: no sound is synthesised while a net learns.

Energies of unrelated sounds add up, so a soundscape's mel energies are nearly the background's plus
each clip's times its gain. A clip is transformed once, also faster and slower, and then costs an
addition every time it is laid somewhere else, at another level, beside another clip.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from earmark.arrays import Floats32, Samples
from earmark.audio.level import faded
from earmark.audio.loudness import gain_to, loudness
from earmark.audio.noise import noise
from earmark.files.sound import resample
from earmark.stats.draw import stream
from earmark.tasks.events.make.clips import Clips, joined
from earmark.tasks.events.make.plan import placed_events, plan
from earmark.tasks.events.make.soundscapes import BACKGROUND, SoundscapeOptions, mixed
from earmark.tasks.events.run.frames import Bands, mel_power, targets
from earmark.tasks.events.run.pieces import CrnnExample, Rng
from earmark.tasks.events.values import Timeline

# Speeds at which every clip is learnt, pitch and length together: up to four semitones.
SPEEDS = (1.0, 0.8, 0.87, 0.93, 1.07, 1.15, 1.25)
# Every time a clip is laid down, its bands are made louder or softer along a line through so many
# points, each drawn with this deviation in dB: microphones, rooms and distances differ as much.
EQUALISER_POINTS, EQUALISER_DB = 4, 4.0
# Seconds of background that are transformed once, and of one mixture.
BACKGROUND_SECONDS, MIXTURE_SECONDS = 180.0, 60.0
# The background's level in dB, up or down.
BACKGROUND_DB = 6.0
# Soundscapes of clips that are not learnt from, on which scores are read best: how many, seconds.
VALIDATED, VALIDATED_SECONDS = 6, 120.0


@dataclass(frozen=True, slots=True)
class ClipBank:
    """Clips at all speeds; their energies, as loud as the background; and its energies."""

    clips: Clips
    power: dict[str, tuple[Floats32, ...]]  # (frames, bands) each
    background: Floats32  # (frames, bands)
    bands: Bands

    def mixture(self, rng: Rng) -> CrnnExample:
        """Return a new soundscape."""
        options = SoundscapeOptions(seconds=MIXTURE_SECONDS, rate=self.bands.rate)
        seconds = self.bands.seconds
        frames = int(options.seconds / seconds)
        first = int(rng.integers(len(self.background) - frames))
        gain = 10 ** (rng.uniform(-BACKGROUND_DB, BACKGROUND_DB) / 10)
        power = self.background[first : first + frames] * np.float32(gain)
        planned = plan(options, self.clips, rng)
        for each in planned:
            start = round(each.event.onset / seconds)
            clip = self.power[each.event.label][each.clip][: frames - start]
            power[start : start + len(clip)] += clip * self._gains(each.level_db, rng)
        events = tuple(placed.event for placed in placed_events(planned, self.clips))
        line = Timeline(options.seconds, events)
        return CrnnExample(power, targets(line, self.clips.labels, frames, seconds))

    def joined_to(self, others: "Sequence[ClipBank]") -> "ClipBank":
        """Return a bank of these clips and those of others."""
        every = (self, *others)
        power = {
            label: tuple(each for bank in every for each in bank.power[label])
            for label in self.power
        }
        return replace(self, clips=joined([bank.clips for bank in every]), power=power)

    def _gains(self, level_db: float, rng: Rng) -> Floats32:
        """Return what each band's energy is multiplied by, (bands,)."""
        points = rng.normal(0.0, EQUALISER_DB, EQUALISER_POINTS)
        places = np.linspace(0, EQUALISER_POINTS - 1, self.bands.bands)
        curve = level_db + np.interp(places, np.arange(EQUALISER_POINTS), points)
        return np.asarray(10 ** (curve / 10), dtype=np.float32)


def clip_bank(clips: Clips, bands: Bands, *, seed: int) -> ClipBank:
    """Return the energies of all clips at all speeds, and of a background."""
    rate = bands.rate
    count = round(BACKGROUND_SECONDS * rate)
    sound = noise("brown", count, rate=rate, rng=stream(seed, "background")) * BACKGROUND
    floor = loudness(sound, rate)

    def power(samples: Samples) -> Floats32:
        gain = np.float32(gain_to(samples, rate, level_lufs=floor))
        return mel_power(faded(samples, rate=rate) * gain, bands)

    powers = {
        label: tuple(
            power(_at_speed(clips.samples(label, k), rate, speed))
            for k in range(len(clips.names[label]))
            for speed in SPEEDS
        )
        for label in clips.labels
    }
    return ClipBank(_at_speeds(clips), powers, mel_power(sound, bands), bands)


def _at_speed(samples: Samples, rate: int, speed: float) -> Samples:
    return resample(samples, round(rate * speed), rate)


def _at_speeds(clips: Clips) -> Clips:
    """Return the clips with every speed of each as a clip of its own."""
    stretches = {
        label: tuple(
            tuple((onset / speed, offset / speed) for onset, offset in each)
            for each in own
            for speed in SPEEDS
        )
        for label, own in clips.stretches.items()
    }
    names = {
        label: tuple(name for name in own for _ in SPEEDS) for label, own in clips.names.items()
    }
    return replace(clips, stretches=stretches, names=names)


def validation_examples(
    clips: Clips, bands: Bands, *, seed: int
) -> tuple[list[CrnnExample], list[Timeline]]:
    """Return soundscapes of these clips, mixed as sound, and their true timelines."""
    options = SoundscapeOptions(seconds=VALIDATED_SECONDS, rate=bands.rate)
    results, lines = [], []
    for number in range(VALIDATED):
        rng = stream(seed, "validation", number)
        planned = plan(options, clips, rng)
        events = tuple(each.event for each in placed_events(planned, clips))
        lines.append(Timeline(options.seconds, events))
        power = mel_power(mixed(options, clips, planned, rng), bands)
        active = targets(lines[-1], clips.labels, len(power), bands.seconds)
        results.append(CrnnExample(power, active))
    return results, lines
