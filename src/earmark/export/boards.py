"""Boards: every metric's ranked rows, as rows of a table or as one JSON document."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from earmark.task.export import BOARDS, Exported, Exporter, Selection, file_path


def board_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield one row per reference, metric and system."""
    for reference, board in selection.boards.items():
        for metric, rows in metrics_of(board).items():
            for row in rows:
                yield {"reference": reference, "metric": metric, **{k: _cell(row[k]) for k in row}}


def metrics_of(board: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return metric to rows, without what made the board."""
    metrics: dict[str, list[dict[str, Any]]] = board["metrics"]
    return metrics


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def write_json(selection: Selection) -> Exported:
    """Return the boards as one document: reference to metric to rows."""
    boards = {name: metrics_of(board) for name, board in selection.boards.items()}
    count = sum(len(rows) for board in boards.values() for rows in board.values())
    text = json.dumps(boards, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return Exported({file_path(selection.name, ".json"): text}, count)


JSON = Exporter(write_json, (BOARDS,), "the boards as one document")
