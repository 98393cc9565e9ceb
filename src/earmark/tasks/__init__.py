"""The tasks: one folder each, found by looking in this folder."""

import importlib
from functools import cache
from pathlib import Path

from earmark.values import checks
from earmark.values.task import Task


def names() -> list[str]:
    """The tasks there are, in alphabetical order."""
    folders = {p.parent.name for root in __path__ for p in Path(root).glob("*/__init__.py")}
    return sorted(folders)


@cache
def load(name: str) -> Task:
    """The task of that name.

    Examples
    --------
    >>> load("boundaries").name
    'boundaries'
    """
    checks.one_of(name, names(), what="task")
    task = importlib.import_module(f"{__name__}.{name}").TASK
    if not isinstance(task, Task):
        raise TypeError(f"tasks/{name}/__init__.py must define TASK, a Task")
    return task
