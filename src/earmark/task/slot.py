"""A task's functions by name, each imported when it is first asked for.

`earmark make events` then runs the code of making events, and not that of scoring them; listing
what a task has imports nothing.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Slot(Mapping[str, Callable[..., Any]]):
    """Names and the places of their functions, relative to the task's package.

    Examples
    --------
    >>> slot = Slot("os", {"join": "path.join"})
    >>> list(slot), slot["join"]("a", "b")
    (['join'], 'a/b')
    """

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self.package = package
        self.places = dict(places)

    def __getitem__(self, key: str) -> Callable[..., Any]:
        module, _, name = self.places[key].rpartition(".")
        function: Callable[..., Any]
        function = getattr(importlib.import_module(f"{self.package}.{module}"), name)
        return function

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


class Late:
    """One function of a task, imported when it is called or when its options are asked for.

    Examples
    --------
    >>> join = Late("os", "path.join")
    >>> join("a", "b")
    'a/b'
    """

    def __init__(self, package: str, place: str) -> None:
        self._slot = Slot(package, {"": place})

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self._slot[""]

    @property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]
        return self.__wrapped__.__annotations__

    def __call__(self, *values: Any, **options: Any) -> Any:
        """Import the function and call it."""
        return self.__wrapped__(*values, **options)


def attributes(package: str, *slots: Slot, **places: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a task's package: the functions of some slots, and other names.

    So `events.segment_f1` is there without importing every metric with the task.
    """
    others = Slot(package, places)

    def get(name: str) -> Any:
        for slot in (*slots, others):
            if name in slot.places:
                return slot[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get
