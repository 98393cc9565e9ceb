"""A trial of a design before money is spent: planned soundscapes, a simulated crowd, every method.

Soundscapes are planned as `earmark make events` would, but not synthesised: the simulated crowd
only needs to know what is true.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from earmark.score.evaluate import evaluate
from earmark.stats.draw import stream
from earmark.tasks.events import (
    intersection_f1,
    segment_error_rate,
    segment_f1,
    segment_precision,
    segment_recall,
)
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.ask.question import simulate, windows
from earmark.tasks.events.make.clips import synthesised_clips
from earmark.tasks.events.make.plan import plan, timeline_of
from earmark.tasks.events.make.soundscapes import SoundscapeOptions
from earmark.tasks.events.reconcile.methods import (
    by_mace,
    by_share,
    by_trusted,
    by_window_hmm,
)
from earmark.tasks.events.reconcile.options import WindowMaceOptions
from earmark.tasks.events.values import Tags, Timeline
from earmark.values.answer import Ballots
from earmark.values.item import Item
from earmark.values.reference import Reference

PARTS = ("substitutions", "deletions", "insertions")


@dataclass(frozen=True, slots=True, eq=False)
class DesignTrial:
    """What is true about each recording, and what the crowd answered."""

    truth: Mapping[str, Timeline]
    ballots: Ballots[Tags]


def try_design(
    seed: int, *, crowd: Crowd | None = None, recordings: int = 20, seconds: float = 180.0
) -> DesignTrial:
    """Plan soundscapes and let a simulated crowd answer about their windows."""
    options = SoundscapeOptions(seconds=seconds)
    clips = synthesised_clips(options.rate, seed)
    truth = {
        f"soundscape-{k:02d}": timeline_of(
            plan(options, clips, stream(seed, "soundscape", k)), seconds
        )
        for k in range(recordings)
    }
    details: dict[str, object] = {"seconds": seconds, "labels": list(clips.labels)}
    items = tuple(Item(name, "recording", details=details) for name in truth)
    units = tuple(windows(items))
    reference = Reference("truth", truth)
    answers = tuple(simulate(units, reference, crowd=asdict(crowd or Crowd()), seed=seed))
    return DesignTrial(truth, Ballots(units, answers, items))


def references(ballots: Ballots[Tags], seed: int) -> Iterator[tuple[str, Mapping[str, Timeline]]]:
    """Yield the timelines of the paper's three methods, of MACE by EM, and of the window HMM."""
    em = WindowMaceOptions(inference="em")
    yield "all", by_share(ballots, seed=seed).values
    yield "trusted", by_trusted(ballots, seed=seed).values
    yield "mace vb", by_mace(ballots, seed=seed).values
    yield "mace em", by_mace(ballots, em, seed=seed).values
    yield "window-hmm", by_window_hmm(ballots, seed=seed).values


def table_2_row(truth: Mapping[str, Timeline], lines: Mapping[str, Timeline]) -> dict[str, float]:
    """Return the columns of the paper's Table 2."""
    error = evaluate(segment_error_rate(), truth, lines, resamples=0)
    parts = {k: float(str(error.parts[name])) for k, name in zip("SDI", PARTS, strict=True)}
    metrics = {
        "F1": segment_f1(),
        "P": segment_precision(),
        "R": segment_recall(),
        "F.7": intersection_f1(),
        "F.1": intersection_f1(detection=0.1, coverage=0.1),
    }
    values = {
        name: evaluate(metric, truth, lines, resamples=0).value for name, metric in metrics.items()
    }
    return {"ER": error.value, **parts, **values}
