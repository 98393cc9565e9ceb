"""People beside systems on a page: everybody a dot, all on the same leave-one-out references."""

from collections.abc import Collection, Iterator, Mapping

from earmark.report.figure import Figure
from earmark.report.intervals import IntervalRow, interval_chart
from earmark.report.metric_names import MetricName, MetricNames
from earmark.report.render import render
from earmark.report.tables import score_cell, score_column
from earmark.task.task import Json


def people_figures(
    reference: str, people: Json, names: MetricNames, apart: Collection[str] = ()
) -> Iterator[Figure]:
    """Yield people beside systems by the first metric that people have a value of.

    `apart` are the names of references, which are drawn as such where they were run as systems.
    """
    for metric, rows in people["metrics"].items():
        yield _figure(reference, names[metric], people, rows, apart)
        return


def _figure(
    reference: str, metric: MetricName, people: Json, rows: Json, apart: Collection[str]
) -> Figure:
    own, title = rows["people"], f"People beside systems: {metric.title} against {reference}"
    systems = _best_first(rows["systems"], higher=metric.higher is not False)
    systems.sort(key=lambda pair: pair[0] in apart)
    persons = {name: one["value"] for name, one in own["persons"].items()}
    chart = [IntervalRow("people", own["value"], own["low"], own["high"], "people", persons)]
    chart += [
        IntervalRow(
            name,
            row["value"],
            row["low"],
            row["high"],
            "reference" if name in apart else "system",
            _defined(row["persons"]),
        )
        for name, row in systems
        if row["value"] is not None
    ]
    table: list[list[object]] = [["people", score_cell(own), ""]]
    table += [[name, score_cell(row), _signed(row["difference"])] for name, row in systems]
    axis = f"{metric.title} ({metric.better})" if metric.better else metric.title
    body = render(
        "earmark.report/beside.html",
        chart=interval_chart(chart, x_title=axis, label=title),
        columns=["", score_column(f"mean {metric.with_arrow}"), "system less people"],
        rows=table,
    )
    lines = any(row.low is not None for row in chart)
    return Figure(title, body, _caption(reference, people, rows, lines=lines), wide=True)


def _caption(reference: str, people: Json, rows: Json, *, lines: bool) -> str:
    own, drawn = rows["people"], rows["people"]["n"]
    everybody = f"all {drawn}" if drawn == people["people"] else f"{drawn} of {people['people']}"
    intervals = f", lines their 95 % intervals over {rows['over']}" if lines else ""
    undefined = f" {own['undefined']} had no value." if own["undefined"] else ""
    reasons = "".join(f" {n} left out: {why}." for why, n in people["left_out"].items())
    return (
        f"Each small dot of the first row is a person ({everybody} {people['who']}), scored "
        f"against {reference}, {people['how']}. A system has a dot for each person, too: its score "
        "against that same reference, on that person's items. Large marks are means over people"
        f"{intervals}; differences are taken person by person.{undefined}{reasons} Ranks are on "
        "the board, against the whole reference."
    )


def _best_first(systems: Mapping[str, Json], *, higher: bool) -> list[tuple[str, Json]]:
    """Return the systems from best to worst, undefined ones last."""
    sign = -1 if higher else 1

    def key(pair: tuple[str, Json]) -> tuple[bool, float]:
        value = pair[1]["value"]
        return value is None, 0.0 if value is None else sign * value

    return sorted(systems.items(), key=key)


def _defined(values: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None}


def _signed(difference: Json) -> str:
    """Return a difference and its interval with their signs, or a dash."""
    numbers = [difference[key] for key in ("value", "low", "high")]
    if numbers[0] is None:
        return "–"
    if numbers[1] is None:
        return f"{numbers[0]:+.3f}"
    return "{:+.3f} [{:+.3f}, {:+.3f}]".format(*numbers)
