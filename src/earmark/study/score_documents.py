"""The files of 5-scores, read and checked: scores, boards, people, choices, items; the plan."""

import math
from pathlib import Path
from typing import Any

from earmark.files.json_text import read_json
from earmark.study.places import file_name
from earmark.values.errors import InputError

ItemValues = dict[str, dict[str, dict[str, float]]]  # system to metric to item to value


def _read_json(path: Path) -> dict[str, Any]:
    document = read_json(path)
    if not isinstance(document, dict):
        raise InputError("a file of scores must hold one object", at=path, got=type(document))
    return document


def read_scores(path: Path) -> dict[str, Any]:
    """Return the scores of one system against one reference."""
    document = _read_json(path)
    scores = document.get("scores")
    is_whole = isinstance(scores, dict) and all(isinstance(one, dict) for one in scores.values())
    names = (document.get("system"), document.get("reference"))
    if not is_whole or not all(isinstance(name, str) for name in names):
        raise InputError(
            "a file of scores must have a system, a reference and scores",
            at=path,
            got=", ".join(document),
            fix="score again: earmark score",
        )
    return document


def read_board(path: Path) -> dict[str, Any]:
    """Return the board of one reference, with the recipe that it was scored by."""
    document = _read_json(path)
    made_by = document.get("made_by")
    recipe = made_by.get("recipe") if isinstance(made_by, dict) else None
    recipe = recipe if isinstance(recipe, dict) else {}
    if not all(isinstance(recipe.get(name), int) for name in ("seed", "resamples")):
        raise InputError(
            "a board must say what it was made by, with a seed and a number of resamples",
            at=path,
            got=recipe,
            fix="score again: earmark score",
        )
    return document


def read_people(path: Path) -> dict[str, Any]:
    """Return people and systems on the same references, metric by metric."""
    what = "a file of people must have people and systems for each metric"
    return _by_metric(path, {"people", "systems"}, what, fix="score again: earmark score")


def read_choices(path: Path) -> dict[str, Any]:
    """Return the systems under every setting, metric by metric."""
    what = "a file of choices must have settings and pairs for each metric"
    parts = {"settings", "pairs", "sentences"}
    return _by_metric(path, parts, what, fix="score again: earmark score STUDY --choices")


def _by_metric(path: Path, parts: set[str], what: str, *, fix: str) -> dict[str, Any]:
    """Return a document whose `metrics` all have these parts; raise InputError if one lacks any."""
    document = _read_json(path)
    metrics = document.get("metrics")
    is_whole = isinstance(metrics, dict) and all(
        isinstance(rows, dict) and parts <= set(rows) for rows in metrics.values()
    )
    if not is_whole:
        raise InputError(what, at=path, got=", ".join(document), fix=fix)
    return document


def read_plan(path: Path) -> dict[str, Any] | None:
    """Return a study's plan, or None before there is one."""
    if not path.exists():
        return None
    document = _read_json(path)
    if not {"groups", "curve", "spread"} <= set(document):
        raise InputError(
            "a plan must have groups, a spread and a curve",
            at=path,
            got=", ".join(document),
            fix="plan again: earmark plan",
        )
    return document


def items_file(reference: str) -> str:
    """Return the name of the file that has the values of items against a reference."""
    return f"items-{file_name(reference)}.json"


def read_item_values(path: Path) -> ItemValues:
    """Return system to metric to item to value, nan where undefined; empty before scoring."""
    if not path.exists():
        return {}
    document = read_json(path)
    try:
        items = document["items"]
        return {
            system: {
                metric: dict(zip(items, map(_number, column), strict=True))
                for metric, column in own.items()
            }
            for system, own in document["values"].items()
        }
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            "a file of items' values must have a value for every item",
            at=path,
            got=error,
            fix="score again: earmark score",
        ) from error


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)
