"""Which items belong together: parts of one recording, trials of one speaker, texts of one talk.

Groups are resampled, swapped and counted whole, because their items are not independent.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files.digest import digest
from earmark.tables.rows import read_table
from earmark.task.task import Task, each_by_itself
from earmark.values.errors import InputError
from earmark.values.names import match_names, some

ITEM = "item"  # every item by itself


@dataclass(frozen=True, slots=True)
class Groups:
    """Item to group, and what a group is called."""

    name: str
    of: Mapping[str, str]


# A name of a task's groups, a table of two columns, item to group, or None for the task's default.
GroupChoice = str | Path | Mapping[str, str] | Groups | None
Grouping = Callable[[Mapping[str, Any]], Mapping[str, str]]


def choose_groups(
    task: Task,
    choice: GroupChoice,
    reference: Mapping[str, Any],
    *,
    parents: Mapping[str, str] | None = None,
) -> Groups:
    """Return the groups that were chosen for the items of a reference.

    `parents`, in a study, are the groups that its material declares (`Item.group`), which are the
    default there and have the name `task.parent`; for files it is the first of `task.groups`.
    """
    known: dict[str, Grouping] = {**task.groups}
    known.setdefault(ITEM, each_by_itself)
    if parents is not None:
        own = parents
        known.pop(task.parent, None)
        known = {task.parent: lambda side: {item: own[item] for item in side}, **known}
    if choice is None:
        choice = next(iter(known))
    if isinstance(choice, Groups):
        return Groups(choice.name, complete(choice.of, reference, at="groups"))
    if isinstance(choice, Mapping):
        return Groups("given", complete(choice, reference, at="groups"))
    if isinstance(choice, str) and choice in known:
        return Groups(choice, known[choice](reference))
    path = Path(choice)
    if not path.is_file():
        raise InputError(
            "items are grouped by a name or by a table",
            got=choice,
            want=f"{', '.join(known)}, or a file with the columns item and group",
        )
    return Groups(path.stem, complete(read_groups(path), reference, at=str(path)))


def read_groups(path: Path) -> dict[str, str]:
    """Return item to group from a table with the columns `item` and `group`."""
    groups: dict[str, str] = {}
    for line, row in read_table(path, columns=("item", "group")):
        item, group = row["item"], row["group"]
        if not item or not group:
            raise InputError("every row needs an item and a group", at=f"{path}:{line}", got=row)
        if groups.setdefault(item, group) != group:
            raise InputError(
                "an item belongs to one group",
                at=f"{path}:{line}",
                got=f"{item} in {groups[item]} and in {group}",
            )
    return groups


def complete(groups: Mapping[str, str], items: Collection[str], *, at: str) -> dict[str, str]:
    """Return the group of each item; raise InputError for missing and for unknown items.

    Names match with or without folder and extension.
    """
    matches = match_names(groups, items)
    own = {matches[name]: str(group) for name, group in groups.items() if name in matches}
    missing = [item for item in items if item not in own]
    strange = [name for name in groups if name not in matches]
    if missing or strange:
        raise InputError(
            "groups must be given for exactly the items that are scored",
            at=at,
            got=f"{some(missing)} without a group, {some(strange)} with one that are not scored",
            want=f"a group for each of {len(items)} items",
        )
    return {item: own[item] for item in items}


def groups_of(items: Sequence[str], groups: Mapping[str, str] | None) -> dict[str, str]:
    """Return the group of each item in order; each is its own where no groups are given."""
    if not groups:
        return {item: item for item in items}
    missing = [item for item in items if item not in groups]
    if missing:
        raise InputError(
            "groups must be given for all items, or not at all",
            got=f"{some(missing)} of {len(items)} without a group",
        )
    return {item: groups[item] for item in items}


def sign_groups(groups: Mapping[str, str], name: str) -> str:
    """Return what a signature says of groups: their name, and a digest unless they are items.

    Examples
    --------
    >>> sign_groups({"a": "a", "b": "b"}, "recording")
    'recording'
    >>> sign_groups({"a": "ann", "b": "ann"}, "speaker").partition("@")[0]
    'speaker'
    """
    if all(item == group for item, group in groups.items()):
        return name or ITEM
    return f"{name or 'given'}@{digest(groups)}"
