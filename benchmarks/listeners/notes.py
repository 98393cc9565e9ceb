"""Basic Pitch 0.4 (ICASSP 2022): a net that writes down the notes of real instruments."""

from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

WINDOW, ROWS = 43_844, 86.0
HEAD = ["at once", "new a s", "two held"]


@cache
def model() -> Any:
    """The net, as a function of two seconds of sound."""
    from ai_edge_litert.interpreter import Interpreter

    found = find_spec("basic_pitch")
    folder = Path(str(found.origin)).parent if found else Path()
    net = Interpreter(str(folder / "saved_models/icassp_2022/nmp.tflite"), num_threads=1)
    return net.get_signature_runner()


def notes(sound: Any) -> Any:
    """Which of 88 notes sound, row by row."""
    found = []
    for start in range(0, max(1, len(sound) - WINDOW // 2), WINDOW):
        part = sound[start : start + WINDOW]
        padded = np.pad(part, (0, WINDOW - len(part))).astype(np.float32)
        found.append(model()(input_2=padded[None, :, None])["note"][0] > 0.5)
    return np.concatenate(found)[: max(1, round(len(sound) / 22_050 * ROWS))]


def two_held(found: Any) -> bool:
    """Whether the two commonest notes lie a third apart and sound together half of the time."""
    both = Counter({k: int(n) for k, n in enumerate(found.sum(axis=0))}).most_common(2)
    apart = abs(both[0][0] - both[1][0])
    together = (found[:, both[0][0]] & found[:, both[1][0]]).mean()
    return apart in (3, 4) and bool(together > 0.5)


def row(clips: list[Any], rate: int) -> list[str]:
    """Medians of notes at once and new notes a second; the share with a third held throughout."""
    from scipy.signal import resample_poly

    every = [notes(resample_poly(clip, 22_050, rate)) for clip in clips]
    once = np.median([found.sum(axis=1).mean() for found in every])
    new = [(np.diff(found.astype(int), axis=0) > 0).sum() / len(found) * ROWS for found in every]
    held = np.mean([two_held(found) for found in every])
    return [f"{once:.1f}", f"{np.median(new):.1f}", f"{held:.2f}"]
