"""Each item's own value of each metric, as a table in a file."""

import math
from collections.abc import Mapping
from pathlib import Path

from earmark.files.folder import write_file
from earmark.tables.rows import write_table

# output to metric to item to value
ItemValues = Mapping[str, Mapping[str, Mapping[str, float]]]


def write_items(path: Path, values: ItemValues) -> None:
    """Write a row per item and output with all digits; what is undefined is empty."""
    metrics = list(dict.fromkeys(metric for own in values.values() for metric in own))
    rows = []
    for output, own in values.items():
        for item in sorted({item for by_item in own.values() for item in by_item}):
            cells = {metric: _cell(own.get(metric, {}).get(item, math.nan)) for metric in metrics}
            rows.append({"item": item, "output": output, **cells})
    write_file(path, write_table(("item", "output", *metrics), rows))


def _cell(value: float) -> float | str:
    return "" if math.isnan(value) else value
