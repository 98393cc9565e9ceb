"""Where somebody speaks: voice activity from energy, and trimming to it."""

import numpy as np
from numpy.typing import NDArray

from earmark.audio.features import Frames, Samples, cut_frames

Mask = NDArray[np.bool_]
HOP = 0.010


def speech_frames(log_energies: Frames, *, share: float = 0.35) -> Mask:
    """Which frames are loud for this recording, however loud its background is.

    The border lies `share` of the way from the quiet frames (10th percentile of the loudest
    band) to the loud ones (95th percentile).
    """
    loudest = log_energies.max(axis=1)
    quiet, loud = np.percentile(loudest, (10, 95))
    return np.asarray(loudest > quiet + share * (loud - quiet))


def speech_span(mask: Mask, *, margin: int = 5, smooth: int = 7) -> slice:
    """From the first to the last stretch of speech, `margin` frames more on either side.

    A stretch is where most of `smooth` neighbouring frames are speech, so single clicks do not
    count. Everything, when there is no such stretch.
    """
    dense = np.convolve(mask.astype(float), np.ones(smooth) / smooth, "same") > 0.5
    found = np.flatnonzero(dense if dense.any() else mask)
    if not len(found):
        return slice(0, len(mask))
    return slice(max(0, int(found[0]) - margin), min(len(mask), int(found[-1]) + 1 + margin))


def energy_voiced(
    samples: Samples,
    rate: int,
    *,
    threshold: float = 5.5,
    mean_share: float = 0.5,
    context: int = 2,
    enough: float = 0.12,
) -> Mask:
    """Kaldi's energy-based voice activity, one verdict for every 10 ms.

    A frame is voiced when at least `enough` of the frames up to `context` away lie above
    `threshold` plus `mean_share` times the mean log energy (16-bit scale).
    """
    frames = cut_frames(samples, length=round(0.025 * rate), hop=round(HOP * rate)) * 32768.0
    power = (frames - frames.mean(axis=1, keepdims=True)) ** 2
    energies = np.log(np.maximum(power.sum(axis=1), np.finfo(np.float32).eps))
    above = (energies > threshold + mean_share * energies.mean()).astype(float)
    window = np.ones(2 * context + 1)
    inside = np.convolve(np.ones(len(above)), window, "same")
    return np.asarray(np.convolve(above, window, "same") / inside >= enough)


def span_of_runs(mask: Mask, *, run: int = 30) -> slice:
    """From the start of the first run of `run` voiced frames to the end of the last one.

    The end follows the challenge's baseline: the frame at which the run is complete when read
    backwards, plus run - 1, exclusive. Everything, when there is no such run.
    """
    runs = np.convolve(mask.astype(int), np.ones(run, dtype=int), "valid") == run
    starts = np.flatnonzero(runs)
    if not len(starts):
        return slice(0, len(mask))
    return slice(int(starts[0]), int(starts[-1]) + run - 1)


def loud_span(
    samples: Samples,
    rate: int,
    *,
    level_db: float = -40.0,
    shortest_silence: float = 0.25,
    shortest_sound: float = 0.05,
    margin: float = 0.05,
) -> slice:
    """The samples between the first and the last loud stretch, for a template.

    Silence is `shortest_silence` seconds below `level_db` of full scale; a stretch between two
    silences counts when it is longer than `shortest_sound`. While nothing counts, the sound is
    taken 5 dB louder and looked at again, as the challenge's second baseline does.
    """
    hop = max(1, round(0.001 * rate))
    for gain_db in range(0, 65, 5):
        spans = _between_silences(samples, rate, hop, level_db - gain_db, shortest_silence)
        kept = [(a, b) for a, b in spans if b - a > shortest_sound * rate]
        if kept:
            edge = round(margin * rate)
            return slice(max(0, kept[0][0] - edge), min(len(samples), kept[-1][1] + edge))
    return slice(0, len(samples))


def _between_silences(
    samples: Samples, rate: int, hop: int, level_db: float, shortest: float
) -> list[tuple[int, int]]:
    """Stretches of samples that lie between silences."""
    length = min(len(samples), round(shortest * rate))
    if not length:
        return []
    sums = np.concatenate([[0.0], np.cumsum(samples.astype(np.float64) ** 2)])
    starts = np.arange(0, len(samples) - length + 1, hop)
    power = (sums[starts + length] - sums[starts]) / length
    silent = np.zeros(len(samples) + 1, dtype=int)
    for start in starts[power <= 10 ** (level_db / 10)]:
        silent[start] += 1
        silent[start + length] -= 1
    loud = np.cumsum(silent)[:-1] == 0
    edges = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
