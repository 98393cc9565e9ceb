"""Where somebody speaks: voice activity from energy, and trimming to it."""

import numpy as np

from earmark.arrays import Bools, Samples
from earmark.audio.features import (
    FLOOR,
    FRAME_SECONDS,
    HOP_SECONDS,
    PCM_SCALE,
    Frames,
    cut_frames,
)

# Percentiles that stand for the background and for speech: robust to a few clicks at either end.
QUIET, LOUD = 10, 95
# loud_span raises a sound by this at a time, at most to here, as the challenge's baseline 2 does.
STEP_DB, MOST_DB = 5, 60


def speech_frames(log_energies: Frames, *, share: float = 0.35) -> Bools:
    """Return which frames are loud for this recording, whatever the level of its background.

    The threshold lies `share` of the way from the quiet frames (10th percentile of the loudest
    band) to the loud ones (95th percentile). `log_energies` are (frames, bands).
    """
    loudest = log_energies.max(axis=1)
    quiet, loud = np.percentile(loudest, (QUIET, LOUD))
    return np.asarray(loudest > quiet + share * (loud - quiet))


def speech_span(mask: Bools, *, margin: int = 5, smooth: int = 7) -> slice:
    """Return the frames from the first to the last stretch of speech, and `margin` either side.

    A stretch is where most of `smooth` neighbouring frames are speech, so single clicks do not
    count. All frames, if there is no such stretch.
    """
    dense = np.convolve(mask.astype(float), np.ones(smooth) / smooth, "same") > 0.5
    frames = np.flatnonzero(dense if dense.any() else mask)
    if not len(frames):
        return slice(0, len(mask))
    return slice(max(0, int(frames[0]) - margin), min(len(mask), int(frames[-1]) + 1 + margin))


def energy_voiced(
    samples: Samples,
    rate: int,
    *,
    threshold: float = 5.5,
    mean_share: float = 0.5,
    context: int = 2,
    enough: float = 0.12,
) -> Bools:
    """Return voice activity by energy as Kaldi computes it, one value for every 10 ms.

    A frame is voiced if at least `enough` of the frames up to `context` away lie above
    `threshold` plus `mean_share` times the mean log energy (16-bit scale). The defaults are those
    of Kaldi's speaker recognition recipes, which the challenge's baseline 1 uses.
    """
    length, hop = round(FRAME_SECONDS * rate), round(HOP_SECONDS * rate)
    frames = cut_frames(samples, length=length, hop=hop) * PCM_SCALE
    power = (frames - frames.mean(axis=1, keepdims=True)) ** 2
    energies = np.log(np.maximum(power.sum(axis=1), FLOOR))
    above = (energies > threshold + mean_share * energies.mean()).astype(float)
    window = np.ones(2 * context + 1)
    inside = np.convolve(np.ones(len(above)), window, "same")
    return np.asarray(np.convolve(above, window, "same") / inside >= enough)


def span_of_runs(mask: Bools, *, run: int = 30) -> slice:
    """Return the frames from the first run of `run` voiced frames to the end of the last one.

    The end follows the challenge's baseline: the frame at which the run is complete when read
    backwards, plus run - 1, exclusive. All frames, if there is no such run.
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
    """Return the samples from the first to the last loud stretch, for a template.

    Silence is `shortest_silence` seconds below `level_db` of full scale; a stretch between two
    silences counts if it is longer than `shortest_sound`. While none counts, the sound is raised
    by 5 dB and searched again, as the challenge's baseline 2 does; at most by 60 dB, and then
    all samples are returned.
    """
    hop = max(1, round(0.001 * rate))
    for gain_db in range(0, MOST_DB + STEP_DB, STEP_DB):
        spans = _between_silences(samples, rate, hop, level_db - gain_db, shortest_silence)
        long = [(start, end) for start, end in spans if end - start > shortest_sound * rate]
        if long:
            edge = round(margin * rate)
            return slice(max(0, long[0][0] - edge), min(len(samples), long[-1][1] + edge))
    return slice(0, len(samples))


def _between_silences(
    samples: Samples, rate: int, hop: int, level_db: float, shortest: float
) -> list[tuple[int, int]]:
    """Return the stretches of samples (start, end) that lie in no silence.

    A silence is any window of `shortest` seconds whose power is at most `level_db`; windows begin
    every `hop` samples. Each silent window adds 1 at its start and -1 after its end, so the running
    sum counts the silent windows over every sample.
    """
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
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
