"""People beside a study's systems, on references that leave each of them out."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from earmark.score.leave_one_out import Asked, leave_each_out, recipe_of
from earmark.score.people import PeopleOptions, beside_people
from earmark.study.places import ANSWERS, MATERIAL, input_digests
from earmark.study.snapshot import Snapshot
from earmark.task.progress import notify
from earmark.task.task import Json
from earmark.values.answer import Ballots
from earmark.values.reference import Reference


def score_people(
    study: Snapshot,
    reference: Reference[Any],
    systems: Mapping[str, Mapping[str, Any]],
    options: PeopleOptions,
    *,
    most: int,
) -> Json | None:
    """Return at most so many people beside the systems, as JSON; None if there is nobody.

    `options.groups` are those of the items; a unit belongs to the group of its item.
    """
    people = study.task.people
    ballots = study.ballots() or Ballots((), (), study.items())
    if people is None or not most or not people.names(ballots):
        return None
    metrics = {
        name: metric
        for name, metric in options.metrics.items()
        if not people.metrics or name in people.metrics
    }
    if not metrics:
        notify(f"people are not scored: they are rated by {', '.join(people.metrics)}")
        return None
    if _is_stale(study, reference):
        notify(
            f"people are not scored: answers or material changed since {reference.name} was made; "
            f"earmark reconcile {study.name}"
        )
        return None
    asked = Asked(people, study.task.reconcile, ballots, reference, systems)
    everybody = leave_each_out(asked, most=most, seed=options.seed)
    units = {unit.id: options.groups.get(unit.group, unit.group) for unit in ballots.items}
    chosen = replace(options, metrics=metrics, groups={**units, **options.groups})
    return {"who": people.who, **beside_people(everybody, chosen)}


def _is_stale(study: Snapshot, reference: Reference[Any]) -> bool:
    """Return whether a reference was made from other answers or material than there are now."""
    recorded = reference.made_by.get("inputs") if recipe_of(reference) is not None else None
    now = input_digests(study.folder, MATERIAL, ANSWERS)
    return isinstance(recorded, Mapping) and any(now.get(n) != recorded[n] for n in recorded)
