"""What a page calls a metric, which way is better, and what it is, in a sentence."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.task.options import call_with
from earmark.task.task import Task
from earmark.values.errors import InputError

UP, DOWN = "↑", "↓"
SHORT_WORDS = re.compile(r"\bf(\d?)\b")  # F, F1: written in capitals wherever they are


@dataclass(frozen=True, slots=True)
class MetricName:
    """A metric as a page shows it; `higher` is None where nobody knows which way is better."""

    name: str
    title: str
    higher: bool | None = None
    about: str = ""
    low: float = 0.0
    high: float = math.inf

    @property
    def arrow(self) -> str:
        """An arrow that points to better values; nothing where that is unknown."""
        return "" if self.higher is None else UP if self.higher else DOWN

    @property
    def better(self) -> str:
        """Which way is better, in words; nothing where that is unknown."""
        return "" if self.higher is None else f"{'higher' if self.higher else 'lower'} is better"

    @property
    def with_arrow(self) -> str:
        """The title and the arrow."""
        return f"{self.title} {self.arrow}".strip()


class MetricNames(Mapping[str, MetricName]):
    """The names of a task's metrics; each is made when it is first asked for.

    A name that is no metric of the task (of an older study) has its words and no direction.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._known: dict[str, MetricName] = {}

    def __getitem__(self, name: str) -> MetricName:
        if name not in self._known:
            self._known[name] = _named(self._task, name)
        return self._known[name]

    def __iter__(self) -> Any:
        return iter(self._task.score)

    def __len__(self) -> int:
        return len(self._task.score)


def readable(identifier: str) -> str:
    """Return an identifier as words.

    Examples
    --------
    >>> readable("segment_f1"), readable("no_sound_alike")
    ('segment F1', 'no sound alike')
    """
    return SHORT_WORDS.sub(r"F\1", identifier.replace("_", " "))


def _named(task: Task, name: str) -> MetricName:
    words = readable(name)
    title = task.titles.get(name, words[:1].upper() + words[1:])
    if name not in task.score:
        return MetricName(name, title)
    try:
        builder = task.score[name]
        metric = call_with(builder, options={})
    except (ImportError, InputError):  # an extra that is not here: the page goes without
        return MetricName(name, title)
    return MetricName(
        name, title, metric.higher_is_better, first_sentence(builder), metric.low, metric.high
    )


def first_sentence(builder: Callable[..., Any]) -> str:
    """Return what a builder builds, from the first line of its docstring.

    Examples
    --------
    >>> def f1():
    ...     '''Build the F1 of segments.'''
    >>> first_sentence(f1)
    'The F1 of segments.'
    """
    line = (builder.__doc__ or "").strip().partition("\n")[0].replace("`", "")
    line = line.removeprefix("Build ")
    return line[:1].upper() + line[1:]
