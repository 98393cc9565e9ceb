"""What measuring returns: the scores of one output, or a board of several."""

import html
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.score.build import details_of
from earmark.score.metric import Metric
from earmark.score.rank import BoardRow, row_as_json
from earmark.score.table import as_html
from earmark.score.text_table import BoardText, labels_of, score_lines
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

    def worst(self, metric: str, number: int) -> dict[str, float]:
        """Return the items with the worst values of a metric, worst first, nan left out."""
        return worst_items(
            self.per_item(metric), number, higher_is_better=self.higher_is_better[metric]
        )

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """Whether more of a metric is better."""
        return {name: metric.higher_is_better for name, metric in self.metrics.items()}

    def records(self, *, by_label: bool = False) -> list[Json]:
        """Return a row per metric: value, low, high, items, signature; one per label on request."""
        details = details_of(self.scores)
        rows: list[Json] = []
        for name, score in self.scores.items():
            label: Json = {"label": ""} if by_label else {}
            rows.append({"metric": name, **label, **score.as_json()})
            own = labels_of(details, name) if by_label else {}
            rows += [{"metric": name, "label": label, "value": v} for label, v in own.items()]
        return rows

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame, or as a list of dicts where pandas is absent."""
        return frame_of(self.records())

    def as_json(self) -> Json:
        """Return scores and details as the command line prints them."""
        return {
            "scores": {name: score.as_json() for name, score in self.scores.items()},
            "details": {**self.details, **details_of(self.scores)},
        }

    def lines(self, *, by_label: bool = False, signatures: bool = False) -> Iterator[str]:
        """Yield a table for a terminal: one row per metric, and why some have no value."""
        yield from score_lines(
            self.records(),
            details_of(self.scores),
            self.higher_is_better,
            by_label=by_label,
            signatures=signatures,
        )

    @property
    def notes(self) -> list[str]:
        """What reading the files found odd, in sentences."""
        return list(self.details.get("notes", ()))

    def __repr__(self) -> str:
        return "\n".join([*self.lines(), *self.notes])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return as_html(self.records(), self.higher_is_better) + notes


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

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """Whether more of a metric is better."""
        return next(iter(self.outputs.values())).higher_is_better

    def records(self, *, by_label: bool = False) -> list[Json]:
        """Return a row per metric and output, best first; one per label and output on request."""
        label: Json = {"label": ""} if by_label else {}
        rows: list[Json] = []
        for metric in self:
            rows += [{"metric": metric, **label, **row_as_json(row)} for row in self.rows[metric]]
            rows += self._label_records(metric) if by_label else []
        return rows

    def _label_records(self, metric: str) -> list[Json]:
        systems = [row.system for row in self.rows[metric]]
        own = {s: labels_of(details_of(self.outputs[s].scores), metric) for s in systems}
        names = dict.fromkeys(name for values in own.values() for name in values)
        sign = -1 if self.higher_is_better[metric] else 1
        return [
            {"metric": metric, "label": name, "system": system, "value": own[system].get(name)}
            for name in names
            for system in sorted(systems, key=lambda s: _last_if_none(own[s].get(name), sign))
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

    def lines(self, *, by_label: bool = False, signatures: bool = False) -> Iterator[str]:
        """Yield tables for a terminal: boards, all metrics side by side, why some have no value."""
        text = BoardText(
            board={metric: [row_as_json(row) for row in self.rows[metric]] for metric in self},
            details={name: details_of(own.scores) for name, own in self.outputs.items()},
            higher=self.higher_is_better,
        )
        yield from text.lines(by_label=by_label, signatures=signatures)

    @property
    def notes(self) -> list[str]:
        """What reading the files found odd, in sentences."""
        return [f"{name}: {note}" for name, own in self.outputs.items() for note in own.notes]

    def __repr__(self) -> str:
        return "\n".join([*self.lines(), *self.notes])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return as_html(self.records(), self.higher_is_better) + notes


def worst_items(
    values: Mapping[str, float], number: int, *, higher_is_better: bool
) -> dict[str, float]:
    """Return the items with the worst values, worst first, equal ones by name; nan is left out.

    Examples
    --------
    >>> worst_items({"a": 0.5, "b": 0.1, "c": float("nan")}, 1, higher_is_better=True)
    {'b': 0.1}
    """
    defined = [(value, item) for item, value in values.items() if not math.isnan(value)]
    sign = 1 if higher_is_better else -1
    ordered = sorted(defined, key=lambda pair: (sign * pair[0], pair[1]))
    return {item: value for value, item in ordered[:number]}


def worst_of(values: Mapping[str, float], number: int, higher_is_better: bool) -> Json:
    """Return the worst items, and how many have no value, as `details` reports them."""
    return {
        "items": worst_items(values, number, higher_is_better=higher_is_better),
        "undefined": sum(map(math.isnan, values.values())),
    }


def _last_if_none(value: float | None, sign: int) -> tuple[bool, float]:
    return (value is None, 0.0 if value is None else sign * value)


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
