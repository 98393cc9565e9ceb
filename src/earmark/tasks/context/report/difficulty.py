"""Which swaps are hard: the share that each system finds, by the grades of difficulty."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from earmark.report.figure import Figure
from earmark.stats.rates import proportion
from earmark.task.view import View
from earmark.tasks.context.report.passage import cut_of
from earmark.tasks.context.values import Scores, Swap, Swaps

Found = list[tuple[Swap, bool]]
GRADES: dict[str, tuple[Callable[[Swap], float | None], tuple[float, ...]]] = {
    "nouns since the last mention": (lambda s: s.nouns_back, (1, 3, 6, 10)),
    "times the original is said in the corpus": (lambda s: s.count_was, (9, 99, 999)),
    "distance by sound": (lambda s: s.phonetic, (0.2, 0.4, 0.6)),
    "distance by meaning": (lambda s: s.embedding, (0.7, 0.85, 1.0)),
}


def difficulty(view: View) -> Figure | None:
    """The share of swaps found at each system's threshold, by grade."""
    truth = view.truth()
    if truth is None:
        return None
    systems = {
        name: found
        for name, outputs in view.outputs().items()
        if (found := found_swaps({i: o.value for i, o in outputs.items()}, truth.values))
    }
    if not systems:
        return None
    head = "".join(f"<th>{escape(name)}</th>" for name in systems)
    rows = "".join(_rows(grade, systems) for grade in GRADES)
    body = (
        f'<div class="scroll"><table><thead><tr><th>grade</th><th>swaps</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    caption = (
        "Share of the swaps that each system flags at its threshold. Empty grades are left out."
    )
    return Figure("What is hard to find", body, caption)


def found_swaps(rows: Mapping[str, Any], truth: Mapping[str, Any]) -> Found:
    """Every swap, and whether the system flags it at its threshold."""
    shared = [i for i in rows if isinstance(truth.get(i), Swaps) and isinstance(rows[i], Scores)]
    if not shared:
        return []
    threshold = cut_of({i: rows[i] for i in shared}, truth)
    return [
        (swap, rows[item].scores[swap.at] >= threshold)
        for item in shared
        for swap in truth[item].swaps
    ]


def by_bin(found: Sequence[tuple[Swap, bool]], grade: str) -> dict[str, tuple[int, float]]:
    """For each bin of a grade, how many swaps it holds and the share that was found."""
    value_of, limits = GRADES[grade]
    bins: dict[str, list[bool]] = {name: [] for name in _names(limits)}
    names = list(bins)
    for swap, yes in found:
        value = value_of(swap)
        if value is not None:
            bins[names[sum(value > limit for limit in limits)]].append(yes)
    return {name: (len(hits), proportion(sum(hits), of=len(hits))) for name, hits in bins.items()}


def _rows(grade: str, systems: Mapping[str, Found]) -> str:
    columns = {name: by_bin(found, grade) for name, found in systems.items()}
    first = next(iter(columns.values()))
    lines = []
    for name, (size, _) in first.items():
        if size:
            cells = "".join(f"<td>{column[name][1]:.2f}</td>" for column in columns.values())
            lines.append(f"<tr><td>{escape(grade)}: {name}</td><td>{size}</td>{cells}</tr>")
    return "".join(lines)


def _names(limits: Sequence[float]) -> list[str]:
    lows = ["", *(f"over {limit:g}, " for limit in limits[:-1])]
    upper = [f"up to {limit:g}" for limit in limits]
    return [a + b for a, b in zip(lows, upper, strict=True)] + [f"over {limits[-1]:g}"]
