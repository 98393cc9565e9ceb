"""Which swaps are hard: each system's recall by grades of difficulty."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from earmark.report.figure import Figure
from earmark.report.tables import digits, table
from earmark.stats.rates import proportion
from earmark.task.view import View
from earmark.tasks.context.report.passage import threshold_of
from earmark.tasks.context.values import Flags, Scores, Swap, Swaps


@dataclass(frozen=True, slots=True)
class Grade:
    """A property of swaps, and the upper limits of its bins; the last bin is open."""

    value: Callable[[Swap], float | None]
    limits: tuple[float, ...]


# limits chosen by hand so that bins of the tour's corpus are filled; not tuned
GRADES = {
    "nouns since the last mention": Grade(lambda swap: swap.nouns_back, (1, 3, 6, 10)),
    "occurrences of the original in the corpus": Grade(lambda swap: swap.count_was, (9, 99, 999)),
    "phonetic distance": Grade(lambda swap: swap.phonetic, (0.2, 0.4, 0.6)),
    "embedding distance": Grade(lambda swap: swap.embedding, (0.7, 0.85, 1.0)),
}


@dataclass(frozen=True, slots=True)
class JudgedSwap:
    """A swap, and whether a system flags it at its threshold."""

    swap: Swap
    flagged: bool


@dataclass(frozen=True, slots=True)
class GradeBin:
    """How many swaps a bin has, and the share of them that a system flags."""

    swaps: int
    recall: float


def draw_difficulty(view: View) -> Figure | None:
    """Return a table of each system's recall at its threshold, by grade."""
    truth = view.truth()
    if truth is None:
        return None
    systems = {
        name: judged
        for name, outputs in view.outputs().items()
        if (judged := judged_swaps({i: o.value for i, o in outputs.items()}, truth.values))
    }
    if not systems:
        return None
    rows = [row for grade in GRADES for row in _rows(grade, systems)]
    caption = f"Recall of swaps {_cuts(view, list(systems))}. Empty grades are left out."
    return Figure("What is hard to detect", table(["grade", "swaps", *systems], rows), caption)


def _cuts(view: View, systems: list[str]) -> str:
    """Return at which threshold swaps were flagged; what a system did not bring is not its own."""
    outputs = view.outputs()
    without = [
        name for name in systems if next(iter(outputs[name].values())).value.threshold is None
    ]
    if not without:
        return "at each system's threshold"
    named = ", ".join(without)
    return f"at each system's threshold, or, where it brings none ({named}), that of its best F"


def judged_swaps(
    values: Mapping[str, Scores | Flags], truth: Mapping[str, Swaps | Flags]
) -> list[JudgedSwap]:
    """Return every swap of a system's items; none when it gives no scores."""
    shared = {
        item: (value, swaps)
        for item, value in values.items()
        if isinstance(value, Scores) and isinstance(swaps := truth.get(item), Swaps)
    }
    if not shared:
        return []
    threshold = threshold_of({item: value for item, (value, _) in shared.items()}, truth)
    return [
        JudgedSwap(swap, value.scores[swap.at] >= threshold)
        for value, swaps in shared.values()
        for swap in swaps.swaps
    ]


def by_bin(judged: Sequence[JudgedSwap], grade: str) -> dict[str, GradeBin]:
    """Return the bins of a grade by name; swaps of which it is unknown are in none."""
    names = _bin_names(GRADES[grade].limits)
    bins: dict[str, list[bool]] = {name: [] for name in names}
    for one in judged:
        value = GRADES[grade].value(one.swap)
        if value is not None:
            number = sum(value > limit for limit in GRADES[grade].limits)
            bins[names[number]].append(one.flagged)
    return {
        name: GradeBin(len(flagged), proportion(sum(flagged), of=len(flagged)))
        for name, flagged in bins.items()
    }


def _rows(grade: str, systems: Mapping[str, list[JudgedSwap]]) -> Iterator[list[str]]:
    columns = [by_bin(judged, grade) for judged in systems.values()]
    for name, first in columns[0].items():
        if first.swaps:
            recalls = [digits(column[name].recall, 2) for column in columns]
            yield [f"{grade}: {name}", str(first.swaps), *recalls]


def _bin_names(limits: Sequence[float]) -> list[str]:
    lows = ["", *(f"over {limit:g}, " for limit in limits[:-1])]
    highs = [f"up to {limit:g}" for limit in limits]
    return [a + b for a, b in zip(lows, highs, strict=True)] + [f"over {limits[-1]:g}"]
