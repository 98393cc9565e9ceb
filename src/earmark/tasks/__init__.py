"""The tasks: one folder each, found by looking in this folder.

Folders named in the environment variable EARMARK_TASKS are looked in too, so a task of your own
needs no change here.
"""

import importlib
import os
from functools import cache
from pathlib import Path

from earmark.task.task import Task
from earmark.values import checks


def names() -> list[str]:
    """Return the names of the tasks, in alphabetical order."""
    for root in filter(None, os.environ.get("EARMARK_TASKS", "").split(os.pathsep)):
        if root not in __path__:
            __path__.append(root)
            importlib.invalidate_caches()
    return sorted({p.parent.name for root in __path__ for p in Path(root).glob("*/__init__.py")})


@cache
def load(name: str) -> Task:
    """Return the task of that name, as its folder declares it."""
    checks.one_of(name, names(), what="task")
    task = importlib.import_module(f"{__name__}.{name}").TASK
    if not isinstance(task, Task):
        raise TypeError(f"tasks/{name}/__init__.py must define TASK, a Task")
    return task
