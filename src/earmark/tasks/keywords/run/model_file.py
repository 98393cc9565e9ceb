"""The file of a model of `auto`: a development set as one NPZ without Python objects in it.

The cohort's templates have different lengths, so they are stored end to end with their lengths;
`groups` says how many templates each member of the cohort has.
"""

import io
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from earmark.files.folder import write_file
from earmark.files.models import use_model
from earmark.files.npz import read_arrays
from earmark.stats.vectors import unit_rows
from earmark.tasks.keywords.run.comparison import Cohort
from earmark.tasks.keywords.run.development import DevelopmentSet, Measurements
from earmark.tasks.keywords.run.utterance import Spectrum
from earmark.values.errors import InputError

T = TypeVar("T")
# The measurements in the columns of the arrays `relative` and `costs` of the file.
RELATIVE = (
    "mfcc_relative",
    "sound_relative",
    "voice_relative",
    "contrast",
    "tail",
    "stretch",
)
COSTS = ("mfcc_cost", "sound_cost")


def load_model(path: Path | None = None) -> DevelopmentSet:
    """Load the development set in a file, or the one that Earmark ships."""
    place = path or Path(str(files("earmark.tasks.keywords").joinpath("models/auto.npz")))
    if not place.exists():
        raise InputError("there is no such model", at=place, fix="train one: earmark train")
    arrays = read_arrays(use_model(place), what="a keyword model is a table that Earmark wrote")
    try:
        return _whole(_unpacked(arrays))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            "a keyword model is a table that Earmark wrote", at=place, got=error
        ) from error


def _whole(development: DevelopmentSet) -> DevelopmentSet:
    """Return the development set; raise ValueError if its parts do not belong together."""
    trials, members = len(development.labels), len(development.speakers)
    columns = [getattr(development.measurements, name) for name in (*RELATIVE, *COSTS)]
    if not 0 < development.labels.sum() < trials:
        raise ValueError("there must be trials that must wake and trials that must not")
    if {len(development.owners), *map(len, columns)} != {trials}:
        raise ValueError("every trial has an owner and its measurements")
    cohorts = (
        development.measurements.mfcc_cohort_costs,
        development.measurements.sound_cohort_costs,
    )
    if any(costs.shape != (trials, members) for costs in cohorts):
        raise ValueError("every trial has a cost for each member of the cohort")
    if {len(development.cohort.spectra), len(development.cohort.sounds)} != {members}:
        raise ValueError("every speaker is a member of the cohort")
    return development


def save_model(development: DevelopmentSet, path: Path) -> None:
    """Write a development set as one file."""
    spectra = [one for member in development.cohort.spectra for one in member]
    sounds = [one for member in development.cohort.sounds for one in member]
    trials = development.measurements
    file = io.BytesIO()
    np.savez_compressed(
        file,
        speakers=np.array(development.speakers),
        prints=development.mean_spectra.astype(np.float32),
        owners=np.array(development.owners),
        labels=development.labels,
        relative=_columns(trials, RELATIVE),
        costs=_columns(trials, COSTS),
        keyword_cohort=trials.mfcc_cohort_costs.astype(np.float32),
        sound_cohort=trials.sound_cohort_costs.astype(np.float32),
        groups=np.array([len(member) for member in development.cohort.spectra]),
        energies=np.concatenate([one.energies for one in spectra]).astype(np.float16),
        lengths=np.array([len(one.energies) for one in spectra]),
        spans=np.array([(one.span.start, one.span.stop) for one in spectra]),
        sounds=np.concatenate(sounds).astype(np.float16),
        sound_lengths=np.array([len(one) for one in sounds]),
    )
    write_file(path, file.getvalue())


def _columns(trials: Measurements, names: Sequence[str]) -> NDArray[np.float32]:
    return np.column_stack([getattr(trials, name) for name in names]).astype(np.float32)


def _unpacked(stored: Mapping[str, NDArray[Any]]) -> DevelopmentSet:
    """Build the development set from the arrays of a file; the trials are computed in float64."""
    relative, costs = stored["relative"].astype(float), stored["costs"].astype(float)
    return DevelopmentSet(
        speakers=tuple(map(str, stored["speakers"])),
        mean_spectra=stored["prints"].astype(float),
        cohort=_unpacked_cohort(stored),
        owners=tuple(map(str, stored["owners"])),
        labels=stored["labels"].astype(bool),
        measurements=Measurements(
            **dict(zip(RELATIVE, relative.T, strict=True)),
            **dict(zip(COSTS, costs.T, strict=True)),
            mfcc_cohort_costs=stored["keyword_cohort"].astype(float),
            sound_cohort_costs=stored["sound_cohort"].astype(float),
        ),
    )


def _unpacked_cohort(stored: Mapping[str, NDArray[Any]]) -> Cohort:
    spectra = [
        Spectrum(energies.astype(np.float32), slice(int(start), int(stop)))
        for energies, (start, stop) in zip(
            _split(stored["energies"], stored["lengths"]), stored["spans"].tolist(), strict=True
        )
    ]
    sounds = [
        unit_rows(part.astype(np.float32))
        for part in _split(stored["sounds"], stored["sound_lengths"])
    ]
    sizes = stored["groups"].tolist()
    return Cohort(_grouped(spectra, sizes), _grouped(sounds, sizes))


def _split(rows: NDArray[Any], lengths: NDArray[Any]) -> list[NDArray[Any]]:
    """Cut rows that were stored end to end into parts of the given lengths."""
    return np.split(rows, np.cumsum(lengths.astype(int))[:-1])


def _grouped(parts: Sequence[T], sizes: Sequence[int]) -> tuple[tuple[T, ...], ...]:
    edges = np.cumsum([0, *sizes]).tolist()
    return tuple(tuple(parts[a:b]) for a, b in pairwise(edges))
