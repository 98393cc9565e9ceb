"""The third verb: a study's answers, made one reference."""

from collections.abc import Mapping
from typing import Any

from earmark.study.places import (
    ANSWERS,
    MATERIAL,
    REFERENCES,
    file_name,
    header,
    input_digests,
    reference_rows,
    write_lines,
)
from earmark.study.snapshot import Snapshot
from earmark.task.options import call_with, reject_unknown
from earmark.task.task import Json
from earmark.values.reference import Reference


def reconcile(study: Snapshot, method: str, name: str, options: Mapping[str, Any]) -> Json:
    """Write the reference that a method makes of the answers, under a name of its own."""
    function, what = study.task.reconcile[method], f"reconciling by {method}"
    reject_unknown(function, options, what=what)
    reference: Reference[Any] = call_with(
        function, study.answers(), seed=study.seed, options=options
    )
    made_by = header(
        "reconcile",
        {"by": method, "seed": study.seed, **options},
        inputs=input_digests(study.folder, MATERIAL, ANSWERS),
    )
    path = study.folder / REFERENCES / f"{file_name(name)}.jsonl"
    write_lines(path, made_by, reference_rows(reference))
    return {"reference": name, "items": len(reference.values), "people": len(reference.people)}
