"""What sounds are built from: tones, noise, resonances, envelopes, reverberation.

All arrays are one value per sample: (samples,).
"""

import numpy as np

from earmark.arrays import Samples

Rng = np.random.Generator

# Resonators above this share of the sample rate are left out: near half of it (Nyquist) a
# two-pole filter no longer rings at the frequency it was asked for.
HIGHEST_RESONANCE = 0.45

# Seconds of reverberation, and the natural logarithm of its amplitude at the end: e^-6.9 is -60 dB,
# so this is the reverberation time RT60. A guess at a street between houses, not measured.
REVERBERATION, REVERBERATION_END = 0.4, -6.9


def phase_of(hertz: Samples | float, samples: int, rate: int) -> Samples:
    """Return the phase of a tone in periods, 0 to 1, from its frequency at every sample."""
    steps = np.broadcast_to(np.asarray(hertz, dtype=np.float64) / rate, (samples,))
    return (np.cumsum(steps) % 1.0).astype(np.float32)


def harmonics(phase: Samples, strengths: tuple[float, ...]) -> Samples:
    """Return a tone and its overtones, each with its strength, from the phase of the tone."""
    angle = phase * np.float32(2 * np.pi)
    tone = np.zeros_like(phase)
    for k, strength in enumerate(strengths, start=1):
        tone += np.float32(strength) * np.sin(np.float32(k) * angle)
    return tone


def resonate(source: Samples, rate: int, peaks: tuple[tuple[float, float], ...]) -> Samples:
    """Return the sum of two-pole resonators at (frequency, bandwidth), in Hz."""
    from scipy.signal import lfilter

    filtered = np.zeros_like(source)
    for hertz, width in peaks:
        if hertz < HIGHEST_RESONANCE * rate:
            radius = np.exp(-np.pi * width / rate)
            poles = [1.0, -2 * radius * np.cos(2 * np.pi * hertz / rate), radius * radius]
            filtered += lfilter([np.float32(1 - radius)], np.array(poles, dtype=np.float32), source)
    return filtered


def envelope(samples: int, rate: int, attack: float, release: float) -> Samples:
    """Return an envelope of 1 with an attack and a release of so many seconds."""
    time = np.arange(samples, dtype=np.float32) / np.float32(rate)
    end = np.float32(samples / rate)
    sides = np.minimum(time / np.float32(attack), (end - time) / np.float32(release))
    return np.asarray(np.minimum(np.float32(1.0), sides), dtype=np.float32)


def drift(samples: int, rate: int, hertz: float, rng: Rng) -> Samples:
    """Return a random curve, linear between `hertz` normal draws per second."""
    knots = max(2, round(samples / rate * hertz) + 2)
    points = rng.standard_normal(knots)
    position = np.linspace(0, knots - 1, samples)
    return np.interp(position, np.arange(knots), points).astype(np.float32)


def rumble(samples: int, rate: int, fall: float, rng: Rng) -> Samples:
    """Return noise of power 1 that loses `fall` dB per octave above 60 Hz; none below 30 Hz."""
    from scipy.fft import irfft, next_fast_len, rfft

    length = next_fast_len(samples, real=True)
    spectrum = rfft(rng.standard_normal(length, dtype=np.float32))
    hertz = np.fft.rfftfreq(length, 1 / rate)
    gain = np.where(hertz < 30, 0, np.maximum(hertz, 60) ** (-fall / 6.02))
    noise = irfft(spectrum * gain.astype(np.float32), length)[:samples]
    return np.asarray(noise / np.std(noise), dtype=np.float32)


def in_street(dry: Samples, rate: int, wet: float, rng: Rng) -> Samples:
    """Return the sound with reverberation: a tail of noise, `wet` times as strong as the sound."""
    from scipy.signal import lfilter, oaconvolve

    length = round(REVERBERATION * rate)
    decay = np.exp(np.linspace(0, REVERBERATION_END, length))
    # walls reflect less of what is high: a low-pass of one pole
    walls = lfilter([0.4], [1.0, -0.6], rng.standard_normal(length) * decay)
    walls *= wet / np.sqrt(np.sum(walls**2))
    walls[0] = 1.0
    wet_and_dry = oaconvolve(dry, walls.astype(np.float32))[: len(dry)]
    return np.asarray(wet_and_dry, dtype=np.float32)
