"""A task's metrics by name, built with the options that each takes, and the details of scores."""

from collections.abc import Callable, Mapping
from typing import Any

from earmark.score.metric import Metric, undefined_metric
from earmark.task.extras import MissingExtra
from earmark.task.options import call_with, merged, options_of
from earmark.task.task import Json, Task
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.score import Score

# Intervals that are not of the kind that the signature names.
UNUSUAL = ("rule of three", "expanded percentile")


def build_metrics(
    task: Task, names: tuple[str, ...] | None, options: Mapping[str, Any]
) -> dict[str, Metric]:
    """Return the metrics of those names (all by default), each built with the options it takes.

    A metric that needs an extra which is not installed is undefined unless it was named; then it
    is an error.
    """
    known = merged(task.score.values())
    for option in options:
        checks.one_of(option, known, what="option", at=f"the metrics of {task.name}")
    chosen = [
        checks.one_of(n, task.score, what="metric", at=task.name) for n in names or task.score
    ]
    built = {name: _build(task.score[name], options) for name in chosen}
    return {name: _checked(metric, named=bool(names)) for name, metric in built.items()}


def build_metric(task: Task, name: str, options: Mapping[str, Any]) -> Metric:
    """Return one metric with those of the options that it takes; undefined without its extra."""
    return _checked(_build(task.score[name], options), named=False)


def _checked(metric: Metric, *, named: bool) -> Metric:
    """Return the metric if what it needs is installed; if not, and nobody named it, undefined."""
    try:
        if metric.check_installed:
            metric.check_installed()
    except MissingExtra as error:
        why = str(error).partition("\n")[0]
        if named:
            raise MissingExtra(f"{metric.name} {why}") from error
        return undefined_metric(metric, why=why)
    except InputError:
        if named:
            raise
    return metric


def _build(builder: Callable[..., Metric], options: Mapping[str, Any]) -> Metric:
    own = options_of(builder)
    chosen = {name: value for name, value in options.items() if name in own}
    metric: Metric = call_with(builder, options=chosen)
    return metric


def details_of(scores: Mapping[str, Score]) -> Json:
    """Return what the numbers are made of, why the undefined ones are, and what of intervals."""
    details: Json = {}
    for name, score in scores.items():
        own = dict(score.parts)
        if score.why:
            own["undefined"] = score.why
        if score.undefined_items:
            own["undefined_items"] = score.undefined_items
        own.update(_about_interval(score))
        if own:
            details[name] = own
    return details


def _about_interval(score: Score) -> Json:
    """Return what is to be said of an interval, or why there is none; mostly nothing."""
    interval = score.interval
    if interval is None:
        return {"no_interval": score.no_interval} if score.no_interval else {}
    about: Json = {}
    if interval.method in UNUSUAL:
        about["interval"] = interval.method
    if interval.undefined:
        about["undefined_resamples"] = interval.undefined
    if interval.is_biased:
        about["bias"] = interval.bias
    return about
