"""A task's functions and names, imported when they are first asked for.

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


def lazy(module: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` that imports public names from their homes when first used.

    `homes` maps each name to the module that defines it.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(importlib.import_module(homes[name]), name)

    return get
