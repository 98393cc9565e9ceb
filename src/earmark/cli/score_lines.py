"""Scores as lines for a terminal."""

from collections.abc import Iterator

from earmark.task.task import Json


def score_lines(task: str, scores: Json, details: Json) -> Iterator[str]:
    """Yield two lines per metric, the number and its signature, and why there is none."""
    for name, score in scores.items():
        value = "undefined" if score["value"] is None else f"{score['value']:.3f}"
        interval = "" if score["low"] is None else f" [{score['low']:.3f}, {score['high']:.3f}]"
        items = "1 item" if score["items"] == 1 else f"{score['items']} items"
        yield f"{task}.{name} = {value}{interval}   {items}"
        yield score["signature"]
        if score["value"] is None and details.get(name, {}).get("undefined"):
            yield f"  {details[name]['undefined']}"
