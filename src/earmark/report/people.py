"""People beside systems on a page: everybody a dot, all on the same leave-one-out references."""

from collections.abc import Iterator, Mapping

from earmark.report.charts import IntervalRow, interval_chart
from earmark.report.figure import Figure
from earmark.report.render import render
from earmark.report.tables import with_interval
from earmark.task.task import Json


def people_figures(reference: str, people: Json) -> Iterator[Figure]:
    """Yield people beside systems by the first metric that people have a value of."""
    for metric, rows in people["metrics"].items():
        yield _figure(reference, metric, people, rows)
        return


def _figure(reference: str, metric: str, people: Json, rows: Json) -> Figure:
    own, title = rows["people"], f"People beside systems: {metric} against {reference}"
    persons = {name: one["value"] for name, one in own["persons"].items()}
    chart = [IntervalRow("people", own["value"], own["low"], own["high"], True, persons)]
    chart += [
        IntervalRow(name, row["value"], row["low"], row["high"], False, _defined(row["persons"]))
        for name, row in _best_first(rows["systems"])
        if row["value"] is not None
    ]
    table = [["people", with_interval(own), ""]]
    table += [
        [name, with_interval(row), _signed(row["difference"])]
        for name, row in _best_first(rows["systems"])
    ]
    body = render(
        "earmark.report/board.html",
        chart=interval_chart(chart, x_title=metric, label=title),
        columns=["", f"mean {metric}", "system less people"],
        rows=table,
    )
    return Figure(title, body, _caption(reference, people, rows), wide=True)


def _caption(reference: str, people: Json, rows: Json) -> str:
    own, drawn = rows["people"], rows["people"]["n"]
    everybody = f"all {drawn}" if drawn == people["people"] else f"{drawn} of {people['people']}"
    undefined = f" {own['undefined']} had no value." if own["undefined"] else ""
    reasons = "".join(f" {n} left out: {why}." for why, n in people["left_out"].items())
    return (
        f"Each small dot of the first row is a person ({everybody} {people['who']}), scored "
        f"against {reference}, {people['how']}. A system has a dot for each person, too: its score "
        "against that same reference, on that person's items. Large marks are means over people, "
        f"lines their 95 % intervals over {rows['over']}; differences are taken person by "
        f"person.{undefined}{reasons} Ranks are on the board, against the whole reference."
    )


def _best_first(systems: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """Return the systems by how far they are above people, undefined ones last."""
    return sorted(systems.items(), key=lambda pair: -_number(pair[1]["value"]))


def _number(value: float | None) -> float:
    return float("-inf") if value is None else value


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
