"""PSDS, exact: the area under the curve of recall against false alarms, over all thresholds.

Bilen et al. 2020 define it; Ebbers, Serizel and Haeb-Umbach 2022 compute it from frame scores
without choosing thresholds. Here the counts change run by run while the threshold falls.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any, Literal

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.score.counting import Prepared
from earmark.score.metric import Metric, count_one
from earmark.task.options import changed, option
from earmark.tasks.events.score import psd_roc
from earmark.tasks.events.score.intersections import Criteria, OverlapOptions
from earmark.tasks.events.score.psd_roc import Changes, PsdRoc, RocRecipe, ScoredRecording
from earmark.tasks.events.score.sides import Group, ScoredSides, lay_out_scores
from earmark.tasks.events.table import MICRO
from earmark.tasks.events.values import FrameScores
from earmark.values.errors import InputError
from earmark.values.score import number

Per = Literal["second", "minute", "hour"]
PER = "Unit of time of the false-alarm rate."
MAX_RATE = "False-alarm rate up to which the area is taken (e_max)."


@dataclass(frozen=True, slots=True)
class Curves:
    """What the recordings counted so far contribute; a recording without scores is None."""

    recordings: tuple[ScoredRecording | None, ...] = ()

    def __add__(self, other: "Curves") -> "Curves":
        return Curves(self.recordings + other.recordings)

    @classmethod
    def sum_of(cls, counts: Iterable["Curves"], /) -> "Curves":
        """Return the recordings of all; adding one after the other would copy them each time."""
        return cls(tuple(chain.from_iterable(each.recordings for each in counts)))


UNSCORED = Curves((None,))


@dataclass(frozen=True, slots=True, kw_only=True)
class PsdsOptions(OverlapOptions):
    """How far events must overlap, and what a false positive costs."""

    cross_weight: float = option(
        0.0, "What a cross-trigger rate adds to the false-alarm rate (alpha_CT)."
    )
    spread_weight: float = option(
        1.0, "How many standard deviations over labels are taken off the mean (alpha_ST)."
    )
    per: Per = option("hour", PER)
    max_rate: float = option(100.0, MAX_RATE)

    def __post_init__(self) -> None:
        if self.cross_weight and self.cross is None:
            raise InputError(
                "cross-triggers cannot weigh without a criterion",
                got=f"cross_weight {self.cross_weight}",
                fix="give --cross, 0.3 for instance",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Psds2Options:
    """What scenario 2 leaves open."""

    per: Per = option("hour", PER)
    max_rate: float = option(100.0, MAX_RATE)


def psds(options: PsdsOptions = PsdsOptions(), **changes: Any) -> Metric:
    """Build the polyphonic sound detection score, exact, from frame scores.

    The recall of reference events, as a function of false alarms per hour, averaged over
    labels less `spread_weight` standard deviations, and then averaged from no false alarms to
    `max_rate`.

    Definition
    ----------
    Bilen, Ferroni, Tuveri, Azcarreta and Krstulovic 2020, section 3; exact thresholds as Ebbers,
    Serizel and Haeb-Umbach 2022. Defaults are DCASE's scenario 1; scenario 2 is `psds_2`. A label
    without reference events has no curve and is left out; a label without scores is never found.

    Undefined
    ---------
    nan when the output carries no frame scores, or the reference holds no event.

    Examples
    --------
    >>> from earmark.tasks.events.values import Event, Timeline
    >>> scores = FrameScores(("dog",), (0.0, 1.0, 2.0, 3.0), ((0.1,), (0.9,), (0.2,)))
    >>> psds()(Timeline(3, (Event("dog", 1, 2),)), Timeline(3, (), scores)).value
    1.0

    Notes
    -----
    Higher is better; 0 to 1. The curve itself is `psd_curve`.
    """
    chosen = changed(options, changes)
    recipe = RocRecipe(chosen.cross_weight, chosen.spread_weight, chosen.per, chosen.max_rate)
    weighed = chosen if chosen.cross_weight else replace(chosen, cross=None)
    criteria = weighed.criteria()

    def count(sides: ScoredSides) -> dict[str, Curves]:
        return _count(sides, criteria)

    return Metric(
        task="events",
        name="psds",
        count=count_one(lay_out_scores, count),
        prepare=lay_out_scores,
        count_prepared=count,
        rate=lambda counts: area(counts, recipe),
        options=asdict(chosen),
        undefined="the output carries no frame scores, or the reference holds no event",
        parts=lambda counts: _parts(counts, recipe),
        rate_resamples=lambda counts, weights: _resampled(counts, weights, recipe),
        poolable=False,
        labels=_labels,
    )


def psds_2(options: Psds2Options = Psds2Options(), **changes: Any) -> Metric:
    """Build PSDS of DCASE's scenario 2: lenient about borders, strict about confused labels.

    Definition
    ----------
    `psds` with detection 0.1, coverage 0.1, cross 0.3, cross_weight 0.5, spread_weight 1.

    Undefined
    ---------
    nan when the output carries no frame scores, or the reference holds no event.

    Examples
    --------
    >>> psds_2().options["cross_weight"]
    0.5
    """
    chosen = changed(options, changes)
    scenario = PsdsOptions(
        detection=0.1,
        coverage=0.1,
        cross=0.3,
        cross_weight=0.5,
        per=chosen.per,
        max_rate=chosen.max_rate,
    )
    return replace(psds(scenario), name="psds_2")


def psd_curve(metric: Metric, references: Mapping[str, Any], outputs: Mapping[str, Any]) -> PsdRoc:
    """Return the curve whose area `metric`, a PSDS, is; empty when it is undefined."""
    counts = metric.counts(Prepared(references, outputs, tuple(references)))
    options = metric.options
    recipe = RocRecipe(*(options[k] for k in ("cross_weight", "spread_weight", "per", "max_rate")))  # type: ignore[arg-type]
    return psd_roc.curve(_scored(Curves.sum_of(counts.values())), recipe)


def area(counts: Curves, recipe: RocRecipe) -> float:
    """Return the area under the recordings' common curve, nan when undefined."""
    recordings = _scored(counts)
    if len(recordings) < len(counts.recordings):
        return float("nan")
    return psd_roc.area(psd_roc.curve(recordings, recipe), recipe.max_rate)


def _labels(counts: Sequence[Curves]) -> tuple[tuple[str, ...], Bools]:
    """Return the labels with reference events, and which recordings have some of each."""
    recordings = _scored(Curves.sum_of(counts))
    events = np.array([recording.events for recording in recordings])  # (recordings, labels)
    rated = np.flatnonzero(events.sum(axis=0))
    return tuple(recordings[0].labels[k] for k in rated), np.asarray(events[:, rated] > 0)


def _scored(counts: Curves) -> tuple[ScoredRecording, ...]:
    return tuple(recording for recording in counts.recordings if recording is not None)


def _parts(counts: Curves, recipe: RocRecipe) -> dict[str, object]:
    recordings = _scored(counts)
    if len(recordings) < len(counts.recordings):
        return {"without_scores": len(counts.recordings) - len(recordings)}
    roc = psd_roc.curve(recordings, recipe)
    by_label = {k: psd_roc.label_area(roc, k, recipe.max_rate) for k in roc.labels}
    return {"by_label": {k: number(value) for k, value in by_label.items()}}


def _resampled(counts: Sequence[Curves], weights: Ints, recipe: RocRecipe) -> Floats:
    every = Curves.sum_of(counts)
    if None in every.recordings:
        return np.full(len(weights), np.nan)
    resample = psd_roc.resampling(_scored(every), recipe)
    drawn, where = np.unique(weights, axis=0, return_inverse=True)
    return np.array([resample(row) for row in drawn])[where.ravel()]


def _count(sides: ScoredSides, criteria: Criteria) -> dict[str, Curves]:
    """Return what each recording contributes to the curve."""
    if not sides.labels:
        return dict.fromkeys(sides.items, UNSCORED)
    return {
        item: Curves((_recording(sides, row, sides.scores[item], criteria),))
        if item in sides.scores
        else UNSCORED
        for row, item in enumerate(sides.items)
    }


def _recording(
    sides: ScoredSides, row: int, scores: FrameScores, criteria: Criteria
) -> ScoredRecording:
    from earmark.tasks.events.score.psds_kernel import changes

    size = len(sides.labels)
    edges = np.rint(scores.edges * MICRO).astype(np.int64)  # (frames + 1,)
    by_label = np.ascontiguousarray(scores.rows.T)  # (labels, frames)
    order = np.argsort(-by_label, axis=1, kind="stable")
    starts, onsets, offsets = sides.reference
    by_score = {
        label: Changes(
            *changes(
                by_label[k],
                order[k],
                edges,
                Group(sides.reference, row * size + sides.labels.index(label), size),
                criteria,
            )
        )
        for k, label in enumerate(scores.labels)
        if label in sides.labels
    }
    spans = [slice(starts[row * size + k], starts[row * size + k + 1]) for k in range(size)]
    return ScoredRecording(
        sides.labels,
        by_score,
        np.array([span.stop - span.start for span in spans], dtype=np.int64),
        np.array([(offsets[span] - onsets[span]).sum() for span in spans]) / MICRO,
        float(sides.durations[row]),
    )
