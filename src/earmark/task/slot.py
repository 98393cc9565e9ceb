"""A task's functions for one verb, imported when they are first asked for.

`earmark make events` then runs the code of making events, and not that of scoring them.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Slot(Mapping[str, Callable[..., Any]]):
    """The mapping `name` of a module, which is imported at the first look into it.

    Examples
    --------
    >>> slot = Slot("math", "__dict__")
    >>> slot["sqrt"](4.0)
    2.0
    """

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    def _functions(self) -> Mapping[str, Callable[..., Any]]:
        functions: Mapping[str, Callable[..., Any]]
        functions = getattr(importlib.import_module(self.module), self.name)
        return functions

    def __getitem__(self, key: str) -> Callable[..., Any]:
        return self._functions()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions())

    def __len__(self) -> int:
        return len(self._functions())
