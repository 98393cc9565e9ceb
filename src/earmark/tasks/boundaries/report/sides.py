"""The reference and the systems that this task's pictures compare."""

from collections.abc import Mapping
from dataclasses import dataclass

from earmark.task.view import View
from earmark.tasks.boundaries.values import Boundaries, Panel


@dataclass(frozen=True, slots=True)
class Sides:
    """A reference, by name and by item, and the outputs of systems by system and item."""

    name: str
    reference: Mapping[str, Panel | Boundaries]
    systems: Mapping[str, Mapping[str, Boundaries]]


def sides_of(view: View) -> Sides | None:
    """Return the reference to draw and the systems that segmented all its items; None without one.

    A panel of people comes before a reconciled reference, and that before the truth.
    """
    references = view.references()
    if not references:
        return None
    name = min(
        references,
        key=lambda name: (
            not any(isinstance(value, Panel) for value in references[name].values.values()),
            name == "truth",
            name,
        ),
    )
    reference = references[name].values
    systems = {
        system: {item: outputs[item].value for item in sorted(reference)}
        for system, outputs in view.outputs().items()
        if set(reference) <= set(outputs)
    }
    return Sides(name, reference, systems)
