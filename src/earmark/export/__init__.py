"""Formats that every task has: tables of anything, and questions for crowd markets."""

from earmark.task.slot import Slot

# Formats of every task; a task's own of the same name comes first.
FORMATS = Slot(
    __name__,
    {
        "csv": "tables.CSV",
        "tsv": "tables.TSV",
        "jsonl": "tables.JSONL",
        "parquet": "tables.PARQUET",
        "json": "boards.JSON",
    },
)
