"""What stands beside a score: trivial systems, people, other limits, other metrics."""

import math
from collections.abc import Callable, Iterable, Mapping

from earmark.score.metric import Metric
from earmark.tasks.boundaries.score.pairs import mean_defined
from earmark.tasks.boundaries.score.panels import pearson
from earmark.tasks.boundaries.score.window_metrics import window_f1
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of

LIMITS = tuple(range(0, 13))
Outputs = Mapping[str, Boundaries]
Panels = Mapping[str, "Panel | Boundaries"]


def value_of(metric: Metric, references: Panels, outputs: Outputs) -> float:
    """The metric over all texts."""
    from earmark.score.evaluate import add

    counts = [metric.count(references[item], outputs[item]) for item in sorted(outputs)]
    return float(metric.rate(add(counts)))


def trivial_outputs(references: Panels) -> dict[str, dict[str, Boundaries]]:
    """Systems that know nothing: every word, every so many words, the end only, nowhere.

    `every k words` has k the mean length of the references' units.
    """
    panels = {item: panel_of(one) for item, one in references.items()}
    words = sum(panel.length * len(panel.references) for panel in panels.values())
    ends = sum(len(one.after) for panel in panels.values() for one in panel.references)
    step = max(1, round(words / ends)) if ends else max(1, words)
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
    """The metric's value for systems that know nothing."""
    return {
        name: value_of(metric, references, outputs)
        for name, outputs in trivial_outputs(references).items()
    }


def human_ceiling(metric: Metric, references: Panels) -> dict[str, float]:
    """Each person of the panels scored against the others; empty when nobody has others."""
    panels = {item: panel_of(one) for item, one in references.items()}
    people = sorted({name for panel in panels.values() for name in panel.people})
    found = {}
    for person in people:
        shared = {
            item: panel
            for item, panel in panels.items()
            if person in panel.people and len(panel.references) > 1
        }
        if shared:
            own = {i: p.references[p.people.index(person)] for i, p in shared.items()}
            others = {i: p.without(person) for i, p in shared.items()}
            found[person] = value_of(metric, others, own)
    return found


def limit_curve(
    references: Panels,
    outputs: Outputs,
    *,
    build: Callable[..., Metric] = window_f1,
    limits: Iterable[int] = LIMITS,
    **options: object,
) -> list[tuple[int, float]]:
    """The score at every window limit."""
    return [
        (limit, value_of(build(limit=limit, **options), references, outputs)) for limit in limits
    ]


def metric_correlations(
    metrics: Mapping[str, Metric], references: Panels, systems: Mapping[str, Outputs]
) -> dict[str, dict[str, float]]:
    """Pearson's correlation between metrics, each text of each system being a point.

    Metrics where less is better are turned round, so that agreement is positive.
    """
    points: dict[str, list[float]] = {name: [] for name in metrics}
    for outputs in systems.values():
        for item in sorted(outputs):
            for name, metric in metrics.items():
                value = float(metric.rate(metric.count(references[item], outputs[item])))
                points[name].append(value if metric.higher_is_better else -value)
    kept = [
        at
        for at in range(len(next(iter(points.values()), [])))
        if not any(math.isnan(column[at]) for column in points.values())
    ]
    columns = {name: [column[at] for at in kept] for name, column in points.items()}
    return {
        one: {other: pearson(columns[one], columns[other]) for other in columns} for one in columns
    }


def mean_ceiling(metric: Metric, references: Panels) -> float:
    """The mean over people of the leave-one-out scores; nan when there is no one to compare."""
    return mean_defined(list(human_ceiling(metric, references).values()))
