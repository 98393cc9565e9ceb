"""A study's boards under every setting that its task declares."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from earmark.score.build import build_metric
from earmark.score.choices import choices_as_json, settings_of, under_setting
from earmark.score.metric import Metric
from earmark.task.options import options_of
from earmark.task.task import Json, Task
from earmark.values.errors import InputError
from earmark.values.score import Score

# Metrics by any name -> the scores of each system by those names, without intervals.
Evaluate = Callable[[Mapping[str, Metric]], Mapping[str, Mapping[str, Score]]]


def study_choices(
    task: Task,
    metrics: Mapping[str, Metric],
    options: Mapping[str, Any],
    evaluate: Evaluate,
    *,
    resamples: int,
    seed: int,
) -> Json:
    """Return for each metric with choices the systems under every setting, as JSON.

    `metrics` are those of the board, built with `options`; all settings are evaluated together, so
    that what metrics prepare (parsed graphs, arrays) is prepared once.
    """
    settings = {
        name: list(_settings(task, name, built, options))
        for name, built in metrics.items()
        if task.choices.get(name)
    }
    if not settings:
        raise InputError(
            "there are no choices to vary",
            at=f"{task.name}, {', '.join(metrics)}",
            want=", ".join(task.choices) or f"{task.name} declares none",
            fix="score without --choices"
            if not task.choices
            else "name one of these metrics with --metric, or none",
        )
    flat = {
        f"{name} {place}": built
        for name, rows in settings.items()
        for place, (_, built) in enumerate(rows)
    }
    scores = evaluate(flat)
    result = {}
    for name, rows in settings.items():
        tested = [
            under_setting(
                built,
                {system: own[f"{name} {place}"] for system, own in scores.items()},
                setting,
                resamples=resamples,
                seed=seed,
                as_scored=_same(built, metrics[name]),
            )
            for place, (setting, built) in enumerate(rows)
        ]
        higher = metrics[name].higher_is_better
        result[name] = choices_as_json(task.choices[name], tested, higher_is_better=higher)
    return result


def _settings(
    task: Task, name: str, board: Metric, options: Mapping[str, Any]
) -> Iterator[tuple[dict[str, object], Metric]]:
    """Yield every setting of a metric with the metric built for it; the board's is among them."""
    known = options_of(task.score[name])
    given = {key: value for key, value in options.items() if key in known}
    rows = [
        (setting, build_metric(task, name, {**given, **setting}))
        for setting in settings_of(task.choices[name], given)
    ]
    if not any(_same(built, board) for _, built in rows):
        raise AssertionError(f"the choices of {name} leave out its own setting")
    yield from rows


def _same(first: Metric, second: Metric) -> bool:
    """Return whether two metrics of one name are one metric."""
    return (dict(first.options), first.average) == (dict(second.options), second.average)
