"""Earmark: from raw material to a score that can be trusted, for machine listening."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "Board",
    "InputError",
    "Interval",
    "Item",
    "Metric",
    "ReconciledLabels",
    "Reference",
    "Score",
    "ScoreSet",
    "Signature",
    "Study",
    "StudyError",
    "Task",
    "board",
    "compare",
    "compare_scores",
    "evaluate",
    "measure",
    "open",
    "reconcile",
]

_HOMES = {
    "Board": "earmark.score.results",
    "InputError": "earmark.values.errors",
    "Interval": "earmark.values.score",
    "Item": "earmark.values.item",
    "Metric": "earmark.score.metric",
    "ReconciledLabels": "earmark.reconcile.rows",
    "Reference": "earmark.values.reference",
    "Score": "earmark.values.score",
    "ScoreSet": "earmark.score.results",
    "Signature": "earmark.values.signature",
    "Study": "earmark.study",
    "StudyError": "earmark.values.errors",
    "Task": "earmark.task.task",
    "board": "earmark.score.rank",
    "compare": "earmark.calls",
    "compare_scores": "earmark.score.compare",
    "evaluate": "earmark.score.evaluate",
    "measure": "earmark.calls",
    "open": "earmark.calls",
}

if TYPE_CHECKING:
    from earmark.calls import compare, measure, open
    from earmark.reconcile.rows import ReconciledLabels
    from earmark.reconcile.rows import reconcile_rows as reconcile
    from earmark.score.compare import compare_scores
    from earmark.score.evaluate import evaluate
    from earmark.score.metric import Metric
    from earmark.score.rank import board
    from earmark.score.results import Board, ScoreSet
    from earmark.study import Study
    from earmark.task.task import Task
    from earmark.tasks import boundaries, captions, context, events, keywords  # noqa: F401
    from earmark.values.errors import InputError, StudyError
    from earmark.values.item import Item
    from earmark.values.reference import Reference
    from earmark.values.score import Interval, Score
    from earmark.values.signature import Signature


TASKS = ("boundaries", "captions", "context", "events", "keywords")


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used, so that a bare import is quick."""
    import importlib

    if name in TASKS:
        return importlib.import_module(f"earmark.tasks.{name}")
    if name == "reconcile":  # a package that can be called
        return importlib.import_module("earmark.reconcile")
    if name not in _HOMES:
        raise AttributeError(f"module 'earmark' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return the public names, for tab completion."""
    return sorted([*__all__, *TASKS, "__version__"])
