"""What belongs beside a score: trivial systems, people, other limits, other metrics."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from earmark.score.counting import add
from earmark.score.metric import Metric
from earmark.stats.rates import proportion
from earmark.task.task import Json
from earmark.tasks.boundaries.score.settings import Final, Preset
from earmark.tasks.boundaries.score.window_metrics import window_f1
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of
from earmark.values.score import number

# The limits that a curve shows: those of the paper (2) and of the tool (3), and far beyond.
LIMITS = tuple(range(0, 13))
Outputs = Mapping[str, Boundaries]
Panels = Mapping[str, "Panel | Boundaries"]


def value_of(metric: Metric, references: Panels, outputs: Outputs) -> float:
    """Return the metric over all texts."""
    counts = [metric.count(references[item], outputs[item]) for item in sorted(outputs)]
    return float(metric.rate(add(counts)))


def trivial_outputs(references: Panels) -> dict[str, dict[str, Boundaries]]:
    """Return the outputs of trivial systems: every word, every k words, the end only, nowhere.

    `every k words` has k the mean length of the references' units.
    """
    panels = {item: panel_of(one) for item, one in references.items()}
    words = sum(panel.length * len(panel.references) for panel in panels.values())
    ends = sum(len(one.after) for panel in panels.values() for one in panel.references)
    step = max(1, round(proportion(words, of=ends))) if ends else max(1, words)
    rules: dict[str, Callable[[int], Iterable[int]]] = {
        "every word": range,
        f"every {step} words": lambda length: range(step - 1, length, step),
        "the end only": lambda length: [length - 1],
        "nowhere": lambda length: [],
    }
    return {
        name: {
            item: Boundaries(panel.length, frozenset(rule(panel.length)))
            for item, panel in panels.items()
        }
        for name, rule in rules.items()
    }


def sanity_rows(metric: Metric, references: Panels) -> dict[str, float]:
    """Return the metric's value for each trivial system."""
    return {
        name: value_of(metric, references, outputs)
        for name, outputs in trivial_outputs(references).items()
    }


def without_each(references: Panels) -> dict[str, dict[str, Panel]]:
    """Return for each person the panels that they are part of, without them; nobody without others.

    What a system scores against these can be compared with what the person scores.
    """
    panels = {item: panel_of(one) for item, one in references.items()}
    left: dict[str, dict[str, Panel]] = {}
    for item, panel in panels.items():
        for person in panel.people if len(panel.references) > 1 else ():
            left.setdefault(person, {})[item] = panel.without(person)
    return dict(sorted(left.items()))


def human_ceiling(metric: Metric, references: Panels) -> dict[str, float]:
    """Return the score of each person against the others; empty when nobody has others."""
    return {
        person: value_of(
            metric, others, {item: panel_of(references[item]).of_person(person) for item in others}
        )
        for person, others in without_each(references).items()
    }


def beside_people(metric: Metric, references: Panels, outputs: Outputs) -> dict[str, float]:
    """Return the score of an output against the panel without each person, by person."""
    return {
        person: value_of(metric, others, {item: outputs[item] for item in others})
        for person, others in without_each(references).items()
    }


def limit_curve(
    references: Panels,
    outputs: Outputs,
    *,
    build: Callable[..., Metric] = window_f1,
    limits: Iterable[int] = LIMITS,
    **options: Any,
) -> list[tuple[int, float]]:
    """Return the score at every window limit; `options` are further options of the metric."""
    return [
        (limit, value_of(build(limit=limit, **options), references, outputs)) for limit in limits
    ]


def metric_correlations(
    metrics: Mapping[str, Metric], references: Panels, systems: Mapping[str, Outputs]
) -> dict[str, dict[str, float]]:
    """Return Pearson's correlation between metrics, with one point per text and system.

    Metrics where less is better are negated, so that agreement is positive. Points for which a
    metric is undefined are left out.
    """
    points: dict[str, list[float]] = {name: [] for name in metrics}
    for outputs in systems.values():
        for item in sorted(outputs):
            for name, metric in metrics.items():
                value = float(metric.rate(metric.count(references[item], outputs[item])))
                points[name].append(value if metric.higher_is_better else -value)
    defined = [
        index
        for index in range(len(next(iter(points.values()), [])))
        if not any(math.isnan(column[index]) for column in points.values())
    ]
    columns = {name: [column[index] for index in defined] for name, column in points.items()}
    return {
        one: {other: pearson(columns[one], columns[other]) for other in columns} for one in columns
    }


def pearson(left: list[float], right: list[float]) -> float:
    """Return Pearson's correlation; nan when a side does not vary."""
    if len(left) < 2 or len(set(left)) < 2 or len(set(right)) < 2:
        return math.nan
    return float(np.corrcoef(left, right)[0, 1])


def surveyed(
    panels: Mapping[str, Panel], outputs: Outputs, *, preset: Preset, final: Final | None
) -> Json:
    """Return F1 on windows of trivial systems, of people, and of the output at other limits.

    `people` are scored against the others; `beside_people` has the output against the same panels,
    each without the person under whose name it stands.
    """
    metric = window_f1(preset=preset, final=final)
    curve = limit_curve(panels, outputs, preset=preset, final=final)
    return {
        "metric": "window_f1",
        "trivial": {name: number(v) for name, v in sanity_rows(metric, panels).items()},
        "people": {name: number(v) for name, v in human_ceiling(metric, panels).items()},
        "beside_people": {
            name: number(v) for name, v in beside_people(metric, panels, outputs).items()
        },
        "limits": [[limit, number(value)] for limit, value in curve],
    }
