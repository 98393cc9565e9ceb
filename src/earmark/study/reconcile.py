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
    packed_lines,
    reference_rows,
)
from earmark.study.record import write_place
from earmark.study.snapshot import Snapshot
from earmark.task.options import call_with, reject_unknown
from earmark.task.task import Json
from earmark.values.reference import Reference


def reconcile(study: Snapshot, method: str, name: str, options: Mapping[str, Any]) -> Json:
    """Write the reference that a method makes of the answers, under a name of its own."""
    reference = reconciled(study, method, options)
    made_by = header(
        "reconcile",
        {"by": method, "seed": study.seed, **options},
        inputs=input_digests(study.folder, MATERIAL, ANSWERS),
    )
    lines = packed_lines(made_by, reference_rows(reference))
    write_place(study.folder / REFERENCES, {f"{file_name(name)}.jsonl": lines})
    return {"reference": name, "items": len(reference.values), "people": len(reference.people)}


def reconciled(study: Snapshot, method: str, options: Mapping[str, Any]) -> Reference[Any]:
    """Return the reference that a method makes of the answers."""
    function, what = study.task.reconcile[method], f"reconciling by {method}"
    reject_unknown(function, options, what=what)
    reference: Reference[Any] = call_with(
        function, study.answers(), seed=study.seed, options=options
    )
    return reference
