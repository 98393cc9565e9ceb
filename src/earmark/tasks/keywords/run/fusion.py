"""One decision from many numbers: a logistic fusion learned from development speakers.

A model is a table: the evidence of every development trial with its label, and the cohort of
development keywords. The fusion is fitted when it is needed, which takes milliseconds, so a
speaker who is in the table is always left out of it, as a trial's owner and as a member of the
cohort. Scores on the development speakers are therefore leave-one-speaker-out by construction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from earmark.stats.vectors import unit_rows
from earmark.tasks.keywords.run.evidence import Cohort, Enrolment, Fit
from earmark.tasks.keywords.run.utterance import Spectrum
from earmark.values.errors import InputError

Reals = NDArray[np.float64]
T = TypeVar("T")
LOOSENESS = 0.5
SAME_SOUND = 0.02
ROUNDS = 50


@dataclass(frozen=True)
class Table:
    """Development trials and the cohort. Rows of `cohort_costs` have nan for the trial's owner."""

    speakers: tuple[str, ...]
    prints: Reals
    cohort: Cohort
    owners: tuple[str, ...]
    labels: NDArray[np.bool_]
    relative: Reals
    costs: Reals
    keyword_cohort: Reals
    sound_cohort: Reals

    def known(self, enrolment: Enrolment) -> str | None:
        """The development speaker whose recordings these are, or None."""
        gaps = np.abs(self.prints - print_of(enrolment)).max(axis=1)
        nearest = int(np.argmin(gaps))
        return self.speakers[nearest] if gaps[nearest] < SAME_SOUND else None

    def joined(self, other: "Table") -> "Table":
        """Further trials, measured against the same cohort."""
        return replace(
            self,
            owners=(*self.owners, *other.owners),
            labels=np.concatenate([self.labels, other.labels]),
            relative=np.concatenate([self.relative, other.relative]),
            costs=np.concatenate([self.costs, other.costs]),
            keyword_cohort=np.concatenate([self.keyword_cohort, other.keyword_cohort]),
            sound_cohort=np.concatenate([self.sound_cohort, other.sound_cohort]),
        )


def print_of(enrolment: Enrolment) -> Reals:
    """A print of the recordings themselves: their mean spectrum, whatever their file format."""
    means = [clip.spectrum.energies.mean(axis=0) for clip in enrolment.clips]
    return np.asarray(np.mean(means, axis=0), dtype=float)


def fuse(table: Table, left_out: frozenset[str]) -> Callable[[Enrolment, Fit], float]:
    """The log likelihood ratio of a fit, learned from all speakers but those left out."""
    cohort = np.array([name not in left_out for name in table.speakers])
    rows = np.array([owner not in left_out for owner in table.owners])
    if len({o for o in table.owners if o not in left_out}) < 2 or cohort.sum() < 2:
        raise InputError(
            "a fusion needs at least two development speakers besides the one under test",
            got=f"{int(cohort.sum())} of {len(table.speakers)}",
        )
    parts = (table.relative, table.costs, table.keyword_cohort, table.sound_cohort)
    x = _columns([part[rows] for part in parts], cohort)
    labels = table.labels[rows]
    weights, shift = _logistic(x, labels)
    prior = float(np.log(labels.sum() / (~labels).sum()))

    def score(enrolment: Enrolment, fit: Fit) -> float:
        own = (enrolment.relative(fit), (fit.keyword, fit.sound))
        row = [np.array([p]) for p in (*own, fit.keyword_cohort, fit.sound_cohort)]
        return float(_columns(row, cohort)[0] @ weights) + shift - prior

    return score


def _columns(parts: Sequence[Reals], cohort: NDArray[np.bool_]) -> Reals:
    """The evidence in the order of NAMES; the owner of a trial is no member of its cohort."""
    relative, costs, keyword, sound = parts
    against = [
        costs[:, k] - np.log(np.nanmean(np.exp(part[:, cohort]), axis=1))
        for k, part in enumerate((keyword, sound))
    ]
    own = relative.T
    return np.stack([own[0], against[0], own[1], against[1], *own[2:]], axis=1)


def _logistic(x: Reals, labels: NDArray[np.bool_]) -> tuple[Reals, float]:
    """Weights and shift of a logistic regression on standardised columns, by Newton's method.

    The weights are held by a ridge of 1 / (2 x looseness); the shift is free.
    """
    mean, spread = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-9)
    z = np.column_stack([(x - mean) / spread, np.ones(len(x))])
    ridge = np.diag([1 / LOOSENESS] * x.shape[1] + [0.0])
    w = np.zeros(z.shape[1])
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(z @ w, -30, 30)))
        slope = z.T @ (p - labels) + ridge @ w
        bend = (z * (p * (1 - p) + 1e-9)[:, None]).T @ z + ridge
        step = np.linalg.solve(bend, slope)
        w = w - step
        if np.abs(step).max() < 1e-10:
            break
    weights = w[:-1] / spread
    return weights, float(w[-1] - weights @ mean)


def load(path: Path | None = None) -> Table:
    """The table in a file, or the one that Earmark ships."""
    place = path or Path(str(files("earmark.tasks.keywords").joinpath("models/auto.npz")))
    if not place.exists():
        raise InputError("there is no such model", at=place, fix="train one: earmark train")
    try:
        with np.load(place, allow_pickle=False) as kept:
            return _unpacked({name: kept[name] for name in kept.files})
    except (ValueError, KeyError, OSError) as error:
        raise InputError(
            "a keyword model is a table that Earmark wrote", at=place, got=error
        ) from error


def save(table: Table, path: Path) -> None:
    """The table as one file, without Python objects in it."""
    spectra = [one for group in table.cohort.spectra for one in group]
    sounds = [one for group in table.cohort.sounds for one in group]
    np.savez_compressed(
        path,
        speakers=np.array(table.speakers),
        prints=table.prints.astype(np.float32),
        owners=np.array(table.owners),
        labels=table.labels,
        relative=table.relative.astype(np.float32),
        costs=table.costs.astype(np.float32),
        keyword_cohort=table.keyword_cohort.astype(np.float32),
        sound_cohort=table.sound_cohort.astype(np.float32),
        groups=np.array([len(group) for group in table.cohort.spectra]),
        energies=np.concatenate([one.energies for one in spectra]).astype(np.float16),
        lengths=np.array([len(one.energies) for one in spectra]),
        spans=np.array([(one.span.start, one.span.stop) for one in spectra]),
        sounds=np.concatenate(sounds).astype(np.float16),
        sound_lengths=np.array([len(one) for one in sounds]),
    )


def _unpacked(kept: dict[str, NDArray[np.generic]]) -> Table:
    spectra = [
        Spectrum(energies.astype(np.float32), slice(int(start), int(stop)))
        for energies, (start, stop) in zip(
            _split(kept["energies"], kept["lengths"]), kept["spans"].tolist(), strict=True
        )
    ]
    sounds = [
        unit_rows(part.astype(np.float32)) for part in _split(kept["sounds"], kept["sound_lengths"])
    ]
    sizes = kept["groups"].tolist()
    return Table(
        speakers=tuple(map(str, kept["speakers"])),
        prints=kept["prints"].astype(float),
        cohort=Cohort(_grouped(spectra, sizes), _grouped(sounds, sizes)),
        owners=tuple(map(str, kept["owners"])),
        labels=kept["labels"].astype(bool),
        relative=kept["relative"].astype(float),
        costs=kept["costs"].astype(float),
        keyword_cohort=kept["keyword_cohort"].astype(float),
        sound_cohort=kept["sound_cohort"].astype(float),
    )


def _split(rows: NDArray[np.generic], lengths: NDArray[np.generic]) -> list[NDArray[np.generic]]:
    return np.split(rows, np.cumsum(lengths.astype(int))[:-1])


def _grouped(parts: Sequence[T], sizes: Sequence[int]) -> tuple[tuple[T, ...], ...]:
    edges = np.cumsum([0, *sizes]).tolist()
    return tuple(tuple(parts[a:b]) for a, b in pairwise(edges))
