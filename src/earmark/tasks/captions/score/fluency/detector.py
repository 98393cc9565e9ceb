"""A small detector of disfluent captions, which Earmark ships: logistic regression."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats
from earmark.files.folder import write_file
from earmark.files.json_text import read_json
from earmark.files.npz import read_arrays
from earmark.tasks.captions.score.fluency.features import (
    NAMES,
    CaptionModel,
    features,
    words_and_commas,
)
from earmark.tasks.captions.score.fluency.trigrams import TrigramModel
from earmark.text.shipped_models import model_file
from earmark.values.errors import InputError

MODEL = "fluency"


@dataclass(frozen=True, slots=True, eq=False)
class FluencyDetector:
    """A logistic regression over the features of a disfluent caption."""

    model: CaptionModel
    weights: Floats  # (features,)
    bias: float

    def logits(self, captions: Sequence[str]) -> Floats:
        """Return the log odds that each caption is disfluent, of shape (captions,)."""
        known: dict[str, float] = {}
        for text in dict.fromkeys(captions):
            row = np.asarray(features(words_and_commas(text), self.model))
            known[text] = float(row @ self.weights + self.bias)
        return np.array([known[text] for text in captions])

    def probabilities(self, captions: Sequence[str]) -> Floats:
        """Return the probability that each caption is disfluent, of shape (captions,)."""
        probabilities: Floats = 1 / (1 + np.exp(-self.logits(captions)))
        return probabilities


def detector(folder: Path | None = None) -> FluencyDetector:
    """Return the shipped detector, or one that `earmark train captions fluency` wrote."""
    return load(folder or model_file(MODEL))


def save(detector: FluencyDetector, folder: Path, card: Mapping[str, object]) -> None:
    """Write a detector and its card."""
    arrays: dict[str, NDArray[np.generic]] = {
        "weights": detector.weights,
        "bias": np.array([detector.bias]),
        **_arrays("words", detector.model.words),
        **_arrays("shapes", detector.model.shapes),
    }
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    content = {**card, "signs": NAMES, "known": sorted(detector.model.vocabulary)}
    write_file(folder / "detector.npz", file.getvalue())
    write_file(folder / "card.json", json.dumps(content, indent=1))


def _arrays(name: str, trigrams: TrigramModel) -> dict[str, NDArray[np.generic]]:
    keys = np.array(sorted(trigrams.times), dtype=np.uint64)
    followers = [trigrams.followers.get(int(key), 0) for key in keys]
    return {
        f"{name}_keys": keys,
        f"{name}_times": np.array([trigrams.times[int(key)] for key in keys], dtype=np.uint32),
        f"{name}_followers": np.array(followers, dtype=np.uint16),
        f"{name}_sizes": np.array([trigrams.total, trigrams.vocabulary]),
    }


@cache
def load(folder: Path) -> FluencyDetector:
    """Read a detector; raise InputError if the folder holds none, or one with other features."""
    try:
        card = read_json(folder / "card.json")
        arrays = read_arrays(folder / "detector.npz", what="a detector is a file of arrays")
        words, shapes = _trigrams(arrays, "words"), _trigrams(arrays, "shapes")
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
    return FluencyDetector(CaptionModel(words, shapes, frozenset(card["known"])), weights, bias)


def _trigrams(arrays: Mapping[str, NDArray[np.generic]], name: str) -> TrigramModel:
    keys = arrays[f"{name}_keys"].tolist()
    followers = arrays[f"{name}_followers"].tolist()
    total, vocabulary = arrays[f"{name}_sizes"].tolist()
    return TrigramModel(
        dict(zip(keys, arrays[f"{name}_times"].tolist(), strict=True)),
        {key: count for key, count in zip(keys, followers, strict=True) if count},
        total,
        vocabulary,
    )
