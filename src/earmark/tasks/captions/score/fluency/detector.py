"""Is this caption broken? A small detector that Earmark ships, and the penalty of FENSE."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.score.metric import Metric
from earmark.tasks.captions.score.fluency.features import NAMES, Wording, signs, spoken
from earmark.tasks.captions.score.fluency.trigrams import Runs
from earmark.text.shipped import BUILTIN, model_file, model_name
from earmark.values.counts import Mean
from earmark.values.errors import InputError

Floats = NDArray[np.float64]
MODEL = "fluency"
ERROR_ABOVE = 0.9
KEPT = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Detector:
    """A logistic regression over the signs of a broken sentence."""

    wording: Wording
    weights: Floats
    bias: float

    def logits(self, captions: Sequence[str]) -> Floats:
        """The log odds that each caption is broken; equal captions are looked at once."""
        known: dict[str, float] = {}
        for text in dict.fromkeys(captions):
            row = np.asarray(signs(spoken(text), self.wording))
            known[text] = float(row @ self.weights + self.bias)
        return np.array([known[text] for text in captions])

    def errors(self, captions: Sequence[str]) -> Floats:
        """The probability that each caption is broken."""
        chance: Floats = 1 / (1 + np.exp(-self.logits(captions)))
        return chance


def detector(folder: Path | None = None) -> Detector:
    """The shipped detector, or the one in a folder that `earmark train captions fluency` wrote."""
    return load(folder or model_file(MODEL))


def save(made: Detector, folder: Path, card: dict[str, object]) -> None:
    """Write a detector and its card."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {"weights": made.weights, "bias": np.array([made.bias])}
    for name, runs in (("words", made.wording.words), ("shapes", made.wording.shapes)):
        keys = np.array(sorted(runs.times), dtype=np.uint64)
        arrays[f"{name}_keys"] = keys
        arrays[f"{name}_times"] = np.array([runs.times[int(k)] for k in keys], dtype=np.uint32)
        arrays[f"{name}_followers"] = np.array(
            [runs.followers.get(int(k), 0) for k in keys], dtype=np.uint16
        )
        arrays[f"{name}_sizes"] = np.array([runs.total, runs.kinds])
    np.savez_compressed(folder / "detector.npz", **arrays)
    told = {**card, "signs": NAMES, "known": sorted(made.wording.known)}
    (folder / "card.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


@cache
def load(folder: Path) -> Detector:
    """Read a detector."""
    try:
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        with np.load(folder / "detector.npz", allow_pickle=False) as arrays:
            words, shapes = _runs(arrays, "words"), _runs(arrays, "shapes")
            weights, bias = arrays["weights"], float(arrays["bias"][0])
    except (OSError, KeyError, ValueError) as error:
        raise InputError(
            "there is no fluency detector here",
            at=folder,
            got=str(error),
            fix="earmark train captions fluency --captions F.csv --out FOLDER",
        ) from error
    if tuple(card["signs"]) != NAMES:
        raise InputError(
            "this detector was trained by another version", at=folder, fix="train anew"
        )
    return Detector(Wording(words, shapes, frozenset(card["known"])), weights, bias)


def _runs(arrays: Any, name: str) -> Runs:
    keys = arrays[f"{name}_keys"].tolist()
    followers = arrays[f"{name}_followers"].tolist()
    total, kinds = arrays[f"{name}_sizes"].tolist()
    return Runs(
        dict(zip(keys, arrays[f"{name}_times"].tolist(), strict=True)),
        {key: count for key, count in zip(keys, followers, strict=True) if count},
        total,
        kinds,
    )


def penalised(metric: Metric, *, fluency: str) -> Metric:
    """The metric with a tenth of its value for captions that are probably broken.

    The penalty of FENSE (Zhou et al. 2022): above a probability of .9 a score counts .1.
    """
    if fluency not in {"none", BUILTIN}:
        raise InputError("fluency is none or builtin", got=fluency)
    name = model_name(MODEL) if fluency == BUILTIN else fluency
    told = replace(metric, options={**metric.options, "fluency": name})
    if fluency == "none":
        return told
    return replace(told, count_all=_Penalty(metric), count=_one(_Penalty(metric)))


@dataclass(frozen=True, slots=True)
class _Penalty:
    metric: Metric

    def __call__(self, references: Any, outputs: Any) -> dict[str, Mean]:
        plain = (
            self.metric.count_all(references, outputs)
            if self.metric.count_all
            else {name: self.metric.count(references[name], outputs[name]) for name in references}
        )
        names = list(plain)
        firsts = [outputs[name].texts[0] for name in names]
        broken = detector().errors(firsts) > ERROR_ABOVE
        factors = np.where(broken, KEPT, 1.0).tolist()
        return {
            name: Mean.of(max(0.0, self.metric.rate(plain[name])) * factor)
            for name, factor in zip(names, factors, strict=True)
        }


def _one(count_all: _Penalty) -> Any:
    return lambda reference, output: count_all({"item": reference}, {"item": output})["item"]
