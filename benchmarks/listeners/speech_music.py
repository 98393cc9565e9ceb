"""Two judges of speech and music.

pyAudioAnalysis 0.3.14 carries a support vector machine that tells speech, music, silence and other
apart from means and deviations of 68 features; Silero VAD is a net that marks speech.
"""

import pickle
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

RATE = 16_000
HEAD = ["speech", "music", "other", "silent", "VAD"]


@cache
def machine() -> tuple[Any, Any, Any, list[str]]:
    """The machine, mean and deviation of its features, and its four names."""
    found = find_spec("pyAudioAnalysis")
    path = Path(next(iter(found.submodule_search_locations or ()))) if found else Path()
    path = path / "data" / "models" / "svm_rbf_4class"
    with warnings.catch_warnings(), path.open("rb") as file:
        warnings.simplefilter("ignore")
        net = pickle.load(file, encoding="latin1")
    with path.with_name(path.name + "MEANS").open("rb") as file:
        mean, spread, names = (pickle.load(file, encoding="latin1") for _ in range(3))
    return net, np.array(mean), np.array(spread), list(names)


def heard_as(sound: Any) -> str:
    """speech, music, other or silence, of a whole clip, averaged as the package averages."""
    from pyAudioAnalysis.ShortTermFeatures import feature_extraction

    net, mean, spread, names = machine()
    step = round(0.05 * RATE)
    rows, _ = feature_extraction(sound.astype(np.float64) * 32768, RATE, step, step)
    seconds = [rows[:, k : k + 20] for k in range(0, max(1, rows.shape[1] - 19), 20)]
    parts = [np.concatenate([part.mean(axis=1), part.std(axis=1)]) for part in seconds]
    return names[int(net.predict([(np.mean(parts, axis=0) - mean) / spread])[0])]


@cache
def vad() -> Any:
    """Silero's net."""
    import torch
    from silero_vad import load_silero_vad

    torch.set_num_threads(1)
    return load_silero_vad()


def spoken(sound: Any) -> float:
    """The share of a clip that Silero holds to be speech."""
    import torch
    from silero_vad import get_speech_timestamps

    parts = get_speech_timestamps(torch.from_numpy(sound / np.abs(sound).max()), vad())
    return float(sum(part["end"] - part["start"] for part in parts) / len(sound))


def row(clips: list[Any], rate: int) -> list[str]:
    """The share of clips heard as each of four, and the median share of a clip that is speech."""
    from scipy.signal import resample_poly

    sounds = [resample_poly(clip, RATE, rate).astype(np.float32) for clip in clips]
    heard = [heard_as(sound) for sound in sounds]
    shares = [heard.count(name) / len(heard) for name in ("speech", "music", "other", "silence")]
    return [f"{value:.2f}" for value in (*shares, np.median([spoken(s) for s in sounds]))]
