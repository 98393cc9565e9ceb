"""What a metric worked out about captions, remembered while it scores one system after another."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class RecentTexts(Generic[T]):
    """Values of texts, each worked out once while it is among the last `size` new ones.

    `work_out` gets the texts that are not known yet, each once, and returns their values in order.
    A metric that parses or encodes captions owns one of these, so that the references are read
    once for all systems that it scores; it ends with the metric.

    Examples
    --------
    >>> lengths = RecentTexts(lambda texts: [len(text) for text in texts], size=2)
    >>> lengths.of(["dog", "bell", "dog"])
    {'dog': 3, 'bell': 4}
    """

    def __init__(self, work_out: Callable[[Sequence[str]], Iterable[T]], *, size: int) -> None:
        self._work_out, self._size = work_out, size
        self._values: dict[str, T] = {}  # oldest first

    def of(self, texts: Iterable[str]) -> dict[str, T]:
        """Return the value of each different text, in the order of first appearance."""
        distinct = list(dict.fromkeys(texts))
        new = [text for text in distinct if text not in self._values]
        if new:
            self._values.update(zip(new, self._work_out(new), strict=True))
        values = {text: self._values[text] for text in distinct}
        for text in list(self._values)[: max(0, len(self._values) - self._size)]:
            del self._values[text]
        return values
