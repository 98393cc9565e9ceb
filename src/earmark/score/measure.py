"""Two files, no study: pair them, score them, say what differs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earmark.files.digest import digest
from earmark.score.build import build_metrics, details_of
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.task.options import call_with, merged, options_of
from earmark.task.task import Json, Task
from earmark.values.errors import InputError


def measure(  # noqa: PLR0913
    task: Task,
    references: tuple[Path, ...],
    output: Path | None,
    *,
    metrics: tuple[str, ...] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    options: Mapping[str, Any],
) -> Json:
    """Return the document that `earmark measure` prints: scores by metric, and details."""
    if task.measure is None:
        raise InputError(f"{task.name} cannot be measured from files yet")
    reading = options_of(task.measure)
    rating = merged(task.score.values())
    read_with = {name: value for name, value in options.items() if name in reading}
    rate_with = {name: value for name, value in options.items() if name in rating}
    built = build_metrics(task, metrics, rate_with)
    pairing = call_with(task.measure, references, output, options=read_with)
    names = (
        f"{pairing.reference_name}@{digest(pairing.reference)}",
        f"{pairing.output_name}@{digest(pairing.output)}",
    )
    how = EvaluateOptions(
        resamples=resamples, seed=seed, groups=pairing.groups or None, names=names
    )
    scores = evaluate_all(built, pairing.reference, pairing.output, how)
    return {
        "task": task.name,
        "scores": {name: score.as_json() for name, score in scores.items()},
        "details": {**pairing.details, **details_of(scores)},
    }
