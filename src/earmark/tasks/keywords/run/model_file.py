"""The file of a model of `auto`: a development set as one NPZ without Python objects in it."""

import io
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.files.folder import write_file
from earmark.files.models import use_model
from earmark.files.npz import read_arrays
from earmark.tasks.keywords.run.comparison import MEASURES
from earmark.tasks.keywords.run.development import DevelopmentSet, Measurements
from earmark.tasks.keywords.run.utterance import BANDS
from earmark.values.errors import InputError

WHAT = "a keyword model is a table that Earmark wrote"


def load_model(path: Path | None = None) -> DevelopmentSet:
    """Load the development set in a file, or the one that Earmark ships."""
    place = path or Path(str(files("earmark.tasks.keywords").joinpath("models/auto.npz")))
    if not place.exists():
        raise InputError("there is no such model", at=place, fix="train one: earmark train")
    arrays = read_arrays(use_model(place), what=WHAT)
    try:
        return _unpacked(arrays)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(WHAT, at=place, got=error, fix="train it anew: earmark train") from error


def save_model(development: DevelopmentSet, path: Path) -> None:
    """Write a development set as one file."""
    names, places = np.unique(development.owners, return_inverse=True)
    # a speaker's self-trials are the same for all of the speaker's trials: one row each
    first = [int(np.flatnonzero(places == k)[0]) for k in range(len(names))]
    rows = development.measurements
    file = io.BytesIO()
    np.savez_compressed(
        file,
        measures=np.array(MEASURES),
        speakers=np.array(development.speakers),
        prints=development.mean_spectra.astype(np.float32),
        owner_names=names,
        owners=places.astype(np.int32),
        labels=development.labels,
        trials=rows.trials.astype(np.float32),
        expected=rows.expected[first].astype(np.float32),
        spread=rows.spread[first].astype(np.float32),
    )
    write_file(path, file.getvalue())


def _unpacked(stored: Mapping[str, NDArray[Any]]) -> DevelopmentSet:
    """Build the development set from the arrays of a file; it is computed with in float64."""
    if tuple(map(str, stored["measures"])) != MEASURES:
        raise ValueError("it has the measures of another version")
    owners = stored["owners"].astype(int)
    names = tuple(map(str, stored["owner_names"]))
    _check_shapes(stored)
    return DevelopmentSet(
        speakers=tuple(map(str, stored["speakers"])),
        mean_spectra=stored["prints"].astype(float),
        owners=tuple(names[k] for k in owners),
        labels=stored["labels"].astype(bool),
        measurements=Measurements(
            stored["trials"].astype(float),
            stored["expected"].astype(float)[owners],
            stored["spread"].astype(float)[owners],
        ),
    )


def _check_shapes(stored: Mapping[str, NDArray[Any]]) -> None:
    """Raise ValueError if arrays that belong together differ in length."""
    trials, people, width = len(stored["owners"]), len(stored["owner_names"]), len(MEASURES)
    wanted = {
        "owners": (trials,),
        "labels": (trials,),
        "trials": (trials, width),
        "expected": (people, width),
        "spread": (people, width),
        "prints": (len(stored["speakers"]), BANDS),
    }
    for name, shape in wanted.items():
        if stored[name].shape != shape:
            raise ValueError(f"{name} has the shape {stored[name].shape}, not {shape}")
    if trials and not 0 <= int(stored["owners"].min()) <= int(stored["owners"].max()) < people:
        raise ValueError("a trial has no owner")
    if not 0 < stored["labels"].astype(bool).sum() < trials:
        raise ValueError("there must be trials that must wake and trials that must not")
