"""What measuring returns: the scores of one output, or a board of several."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.score.build import details_of
from earmark.score.metric import Metric
from earmark.score.rank import BoardRow, row_as_json
from earmark.score.table import as_html, as_text
from earmark.task.task import Json
from earmark.values.errors import InputError
from earmark.values.score import Score


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreSet(Mapping[str, Score]):
    """The scores of one output, by metric; in a notebook, a table."""

    task: str
    scores: Mapping[str, Score]
    metrics: Mapping[str, Metric]
    details: Mapping[str, Any]  # what reading the files reported

    def __getitem__(self, metric: str) -> Score:
        return self.scores[_known(metric, self.scores)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def per_item(self, metric: str) -> dict[str, float]:
        """Return each item's own value of a metric, nan where it is undefined."""
        score, rate = self[metric], self.metrics[metric].rate
        return {item: float(rate(score.by_item[item])) for item in sorted(score.by_item)}

    def records(self) -> list[Json]:
        """Return a row per metric: value, low, high, items, signature."""
        return [{"metric": name, **score.as_json()} for name, score in self.scores.items()]

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame, or as a list of dicts where pandas is absent."""
        return frame_of(self.records())

    def as_json(self) -> Json:
        """Return scores and details as the command line prints them."""
        return {
            "scores": {name: score.as_json() for name, score in self.scores.items()},
            "details": {**self.details, **details_of(self.scores)},
        }

    def __repr__(self) -> str:
        return as_text(self.records())

    def _repr_html_(self) -> str:
        return as_html(self.records())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Board(Mapping[str, tuple[BoardRow, ...]]):
    """Several outputs against one reference: for each metric the ranked rows."""

    outputs: Mapping[str, ScoreSet]
    rows: Mapping[str, tuple[BoardRow, ...]]

    def __getitem__(self, metric: str) -> tuple[BoardRow, ...]:
        return self.rows[_known(metric, self.rows)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def records(self) -> list[Json]:
        """Return a row per metric and output, best first: value, interval, rank, p."""
        return [
            {"metric": metric, **row_as_json(row)} for metric in self for row in self.rows[metric]
        ]

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame, or as a list of dicts where pandas is absent."""
        return frame_of(self.records())

    def as_json(self) -> Json:
        """Return outputs and board as the command line prints them."""
        return {
            "outputs": {name: scores.as_json() for name, scores in self.outputs.items()},
            "board": {metric: [row_as_json(row) for row in self.rows[metric]] for metric in self},
        }

    def __repr__(self) -> str:
        return as_text(self.records())

    def _repr_html_(self) -> str:
        return as_html(self.records())


class UnknownMetricError(InputError, KeyError):
    """A metric that was not measured; a KeyError too, as `get` and `in` of a mapping expect."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show it quoted


def _known(metric: str, known: Mapping[str, object]) -> str:
    if metric in known:
        return metric
    raise UnknownMetricError(
        f"the metric '{metric}' was not measured",
        want=", ".join(known),
        fix="name it in metrics=[...], or leave metrics out",
    )


def frame_of(records: list[Json]) -> Any:
    """Return a pandas DataFrame of the records, or the records where pandas is not installed."""
    try:
        import pandas  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return records
    return pandas.DataFrame(records)
