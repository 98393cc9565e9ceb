"""PSDS, exact: the area under the curve of found events against false alarms, over all thresholds.

Bilen et al. 2020 define it; Ebbers, Serizel and Haeb-Umbach 2022 compute it from frame scores
without choosing thresholds. Here the counts change run by run while the threshold falls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from earmark.score.metric import Metric
from earmark.task.options import takes
from earmark.tasks.events.score import psd_roc
from earmark.tasks.events.score.intersections import Criteria, OverlapOptions
from earmark.tasks.events.score.psd_roc import Curve, Recipe
from earmark.tasks.events.score.tallies import rates_json
from earmark.tasks.events.values import FrameScores, as_timeline
from earmark.values.errors import InputError

Per = Literal["second", "minute", "hour"]


@dataclass(frozen=True, slots=True)
class Curves:
    """What the recordings counted so far contribute; a recording without scores is None."""

    recordings: tuple[psd_roc.Recording | None, ...] = ()

    def __add__(self, other: "Curves") -> "Curves":
        return Curves(self.recordings + other.recordings)


@dataclass(frozen=True, slots=True, kw_only=True)
class PsdsOptions(OverlapOptions):
    """How far events must overlap, and what a false alarm costs.

    Parameters
    ----------
    cross_weight
        What a cross-trigger rate adds to the false-alarm rate (alpha_CT).
    spread_weight
        How many standard deviations over labels are taken off the mean (alpha_ST).
    per
        Unit of time of the false-alarm rate.
    max_rate
        False-alarm rate up to which the area is taken (e_max).
    """

    cross_weight: float = 0.0
    spread_weight: float = 1.0
    per: Per = "hour"
    max_rate: float = 100.0

    def __post_init__(self) -> None:
        if self.cross_weight and self.cross is None:
            raise InputError(
                "cross-triggers cannot weigh without a criterion",
                got=f"cross_weight {self.cross_weight}",
                fix="give --cross, 0.3 for instance",
            )


@takes(PsdsOptions)
def psds(options: PsdsOptions) -> Metric:
    """Polyphonic sound detection score, exact, from frame scores.

    The share of reference events found, as a function of false alarms per hour, averaged over
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
    recipe = Recipe(options.cross_weight, options.spread_weight, options.per, options.max_rate)
    weighed = options if options.cross_weight else replace(options, cross=None)
    together = _count_all(weighed.criteria())
    return Metric(
        task="events",
        name="psds",
        count=lambda reference, output: together({"item": reference}, {"item": output})["item"],
        count_all=together,
        rate=lambda counts: area(counts, recipe),
        options=asdict(options),
        undefined="the output carries no frame scores, or the reference holds no event",
        parts=lambda counts: _parts(counts, recipe),
        rate_resamples=lambda counts, weights: _resampled(counts, weights, recipe),
        poolable=False,
    )


def psds_2(*, per: Per = "hour", max_rate: float = 100.0) -> Metric:
    """PSDS in DCASE's scenario 2: lenient about borders, hard on confusing one sound with another.

    Parameters
    ----------
    per
        Unit of time of the false-alarm rate.
    max_rate
        False-alarm rate up to which the area is taken (e_max).

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
    metric = psds(
        detection=0.1, coverage=0.1, cross=0.3, cross_weight=0.5, per=per, max_rate=max_rate
    )
    return replace(metric, name="psds_2")


def psd_curve(metric: Metric, references: Mapping[str, Any], outputs: Mapping[str, Any]) -> Curve:
    """The curve whose area `metric`, a PSDS, is; empty when it is undefined."""
    counted = metric.count_all(references, outputs) if metric.count_all else {}
    options = metric.options
    recipe = Recipe(*(options[k] for k in ("cross_weight", "spread_weight", "per", "max_rate")))  # type: ignore[arg-type]
    return psd_roc.curve(_known(Curves(_joined(list(counted.values())))), recipe)


def area(counts: Curves, recipe: Recipe) -> float:
    """The area under the recordings' common curve, nan when undefined."""
    recordings = _known(counts)
    if len(recordings) < len(counts.recordings):
        return float("nan")
    return psd_roc.area(psd_roc.curve(recordings, recipe), recipe.max_rate)


def _known(counts: Curves) -> tuple[psd_roc.Recording, ...]:
    return tuple(recording for recording in counts.recordings if recording is not None)


def _joined(counts: Sequence[Curves]) -> tuple[psd_roc.Recording | None, ...]:
    return tuple(recording for each in counts for recording in each.recordings)


def _parts(counts: Curves, recipe: Recipe) -> dict[str, object]:
    recordings = _known(counts)
    if len(recordings) < len(counts.recordings):
        return {"without_scores": len(counts.recordings) - len(recordings)}
    found = psd_roc.curve(recordings, recipe)
    by_label = {k: psd_roc.label_area(found, k, recipe.max_rate) for k in found.labels}
    return {"by_label": {k: rates_json(value) for k, value in by_label.items()}}


def _resampled(
    counts: Sequence[Curves], weights: NDArray[np.int64], recipe: Recipe
) -> NDArray[np.float64]:
    recordings = _joined(counts)
    if any(recording is None for recording in recordings):
        return np.full(len(weights), np.nan)
    resample = psd_roc.resampling(_known(Curves(recordings)), recipe)
    drawn, where = np.unique(weights, axis=0, return_inverse=True)
    return np.array([resample(row) for row in drawn])[where.ravel()]


def _count_all(criteria: Criteria):  # type: ignore[no-untyped-def]
    def count(references: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Curves]:
        from earmark.tasks.events.score.flat import flat

        lines = {item: as_timeline(value) for item, value in references.items()}
        given = {item: as_timeline(value) for item, value in outputs.items()}
        laid = flat(lines, {item: () for item in lines})
        labels = laid.labels
        return (
            {
                item: Curves((_recording(given[item].scores, line.duration, row, laid, criteria),))
                for row, (item, line) in enumerate(lines.items())
            }
            if labels
            else {item: Curves((None,)) for item in lines}
        )

    return count


def _recording(scores: FrameScores | None, duration: float, row: int, laid: Any, criteria: Any):  # type: ignore[no-untyped-def]
    from earmark.tasks.events.score.psds_kernel import changes

    if scores is None:
        return None
    size = len(laid.labels)
    edges = np.rint(np.asarray(scores.edges) * 1e6).astype(np.int64)
    table = np.asarray(scores.rows, dtype=np.float64).reshape(len(scores.rows), -1)
    columns = np.ascontiguousarray(table.T)
    order = np.argsort(-columns, axis=1, kind="stable")
    starts, onsets, offsets = laid.reference
    found = {}
    for k, label in enumerate(scores.labels):
        if label in laid.labels:
            group = row * size + laid.labels.index(label)
            where = (laid.reference, group)
            found[label] = changes(columns[k], order[k], edges, where, size, criteria)
    spans = [slice(starts[row * size + k], starts[row * size + k + 1]) for k in range(size)]
    return psd_roc.Recording(
        laid.labels,
        found,
        np.array([span.stop - span.start for span in spans], dtype=np.int64),
        np.array([(offsets[span] - onsets[span]).sum() for span in spans]) / 1e6,
        duration,
    )
