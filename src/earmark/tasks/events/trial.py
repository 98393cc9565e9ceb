"""A design tried before money is spent: made-up soundscapes, a made-up crowd, every way scored."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from earmark.reconcile.competence import trusted
from earmark.reconcile.fit import Fit
from earmark.score.evaluate import evaluate
from earmark.stats.draw import stream
from earmark.tasks.events.ask import simulate, windows
from earmark.tasks.events.clips import made_clips
from earmark.tasks.events.crowd_values import Crowd
from earmark.tasks.events.gather import gather
from earmark.tasks.events.hmm import Recipe, window_hmm
from earmark.tasks.events.plan import plan, timeline_of
from earmark.tasks.events.plan_values import Score
from earmark.tasks.events.reconcile import mace_fit
from earmark.tasks.events.score.intersections import intersection_f1
from earmark.tasks.events.score.segments import (
    segment_error_rate,
    segment_f1,
    segment_precision,
    segment_recall,
)
from earmark.tasks.events.sheet import Bools, Sheet, active, activity
from earmark.tasks.events.values import Tags, Timeline
from earmark.values.answer import Ballots
from earmark.values.item import Item
from earmark.values.reference import Reference

RATE = 22050


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What is true, what the crowd said, and the same as arrays."""

    truth: Mapping[str, Timeline]
    ballots: Ballots[Tags]
    sheet: Sheet


def trial(
    seed: int, *, crowd: Crowd | None = None, recordings: int = 20, seconds: float = 180.0
) -> Trial:
    """Soundscapes planned but not sounded, and a simulated crowd's answers to their windows."""
    truth = plans(seed, recordings, seconds)
    labels = made_clips(RATE, seed).labels
    details: dict[str, object] = {"seconds": seconds, "labels": list(labels)}
    items = tuple(Item(name, "recording", details=details) for name in truth)
    units = tuple(windows(items))
    reference = Reference("truth", truth)
    answers = tuple(simulate(units, reference, crowd=asdict(crowd or Crowd()), seed=seed))
    ballots = Ballots(units, answers, items)
    return Trial(truth, ballots, gather(ballots))


def plans(seed: int, recordings: int, seconds: float) -> dict[str, Timeline]:
    """The truth about soundscapes as the maker would lay them out."""
    clips, score = made_clips(RATE, seed), Score(seconds)
    return {
        f"soundscape-{k:02d}": timeline_of(
            plan(score, clips.labels, clips.draw, stream(seed, "soundscape", k)), seconds
        )
        for k in range(recordings)
    }


def ways(sheet: Sheet, seed: int) -> Iterator[tuple[str, dict[str, Timeline]]]:
    """The paper's three ways, MACE by EM, and the window HMM, each with its timelines."""
    ticked, asked = sheet.votes()
    yield "all", sheet.timelines(active(activity(sheet, ticked, asked), 0.8))
    fit = mace_fit(sheet, inference="vb", restarts=10, iterations=50, seed=seed)
    some = sheet.of(trusted(fit.competence, 0.6)).votes()
    yield "trusted", sheet.timelines(active(activity(sheet, *some), 0.8))
    yield "mace vb", stacked_tags(sheet, tags_of(sheet, fit))
    fit = mace_fit(sheet, inference="em", restarts=10, iterations=50, seed=seed)
    yield "mace em", stacked_tags(sheet, tags_of(sheet, fit))
    yield "window-hmm", sheet.timelines(window_hmm(sheet, Recipe()).active >= 0.5)


def tags_of(sheet: Sheet, fit: Fit) -> Bools:
    """What a model of (window, label) pairs says, windows by labels."""
    return np.asarray((fit.chosen() == 1).reshape(sheet.windows, -1))


def stacked_tags(sheet: Sheet, tags: Bools, share: float = 0.8) -> dict[str, Timeline]:
    """Tags of overlapping windows stacked; a second is active when enough of them hold it."""
    ones = np.ones(sheet.windows)
    return sheet.timelines(active(activity(sheet, tags.astype(float), ones), share))


def true_tags(found: Trial) -> Bools:
    """Which labels sound in each window at all."""
    rows = []
    for item in sorted(found.ballots.items, key=lambda i: (i.group, i.span)):
        events = found.truth[item.group].events
        span = item.span
        held = {e.label for e in events if span and e.onset < span.end and e.offset > span.start}
        rows.append([label in held for label in found.sheet.labels])
    return np.array(rows, dtype=np.bool_)


def table_row(truth: Mapping[str, Timeline], lines: Mapping[str, Timeline]) -> dict[str, float]:
    """The columns of the paper's Table 2."""
    error = evaluate(segment_error_rate(), truth, lines, resamples=0)
    metrics: dict[str, Any] = {
        "F1": segment_f1(),
        "P": segment_precision(),
        "R": segment_recall(),
        "F.7": intersection_f1(),
        "F.1": intersection_f1(detection=0.1, coverage=0.1),
    }
    parts = {name[0].upper(): error.parts[name] for name in ("substitutions", "deletions")}
    told = {"ER": error.value, **parts, "I": error.parts["insertions"]}
    for name, metric in metrics.items():
        told[name] = evaluate(metric, truth, lines, resamples=0).value
    return {name: float(str(value)) for name, value in told.items()}
