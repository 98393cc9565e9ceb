"""People beside systems on a page."""

from typing import Any

from earmark import tasks
from earmark.report.metric_names import MetricNames
from earmark.report.people import people_figures

NAMES = MetricNames(tasks.load("events"))


def document(people: int) -> dict[str, Any]:
    """Return people who are all right half of the time, and a system that always is."""
    names = [f"p{number}" for number in range(people)]
    half = {"value": 0.5, "low": 0.4, "high": 0.6, "n": people}
    gap = {"value": 0.5, "low": 0.4, "high": 0.6, "n": people}
    nothing = {"value": None, "low": None, "high": None, "n": 0}
    own = {name: {"value": 0.5, "items": 3, "signature": "s"} for name in names}
    good = {**half, "value": 1.0, "difference": gap, "persons": dict.fromkeys(names, 1.0)}
    mute = {**nothing, "difference": nothing, "persons": dict.fromkeys(names)}
    lone = {**good, "difference": {**gap, "low": None}}
    return {
        "who": "people who answered",
        "people": people + 3,
        "scored": people,
        "left_out": {"nobody else answered": 2},
        "how": "reconciled again by majority from the answers of all others",
        "metrics": {
            "f1": {
                "over": "people",
                "people": {**half, "undefined": 1, "persons": own},
                "systems": {"mute": mute, "good": good, "lone": lone},
            },
            "other": {},
        },
    }


def test_everybody_is_drawn_beside_every_system_on_the_same_references() -> None:
    (figure,) = people_figures("majority", document(40), NAMES)
    assert figure.title == "People beside systems: F1 against majority"
    for name in ("p0", "p39"):
        assert f"<title>{name}: 0.500</title>" in figure.body, "the person"
        assert figure.body.count(f"<title>{name}: 1.000</title>") == 2, "the two systems"
    assert figure.body.count('class="one"') == 3 * 40
    assert "+0.500 [+0.400, +0.600]" in figure.body and "mute" in figure.body


def test_the_caption_says_exactly_what_was_done() -> None:
    (figure,) = people_figures("majority", document(4), NAMES)
    assert "(4 of 7 people who answered)" in figure.caption
    assert "against majority, reconciled again by majority from the answers" in figure.caption
    assert "intervals over people;" in figure.caption
    assert "1 had no value." in figure.caption
    assert "2 left out: nobody else answered." in figure.caption


def test_people_without_any_value_have_no_picture() -> None:
    assert list(people_figures("majority", {**document(2), "metrics": {}}, NAMES)) == []


def test_references_are_drawn_apart_from_systems() -> None:
    (figure,) = people_figures("majority", document(4), NAMES, apart={"good"})
    assert figure.body.count("<path") == 1, "a diamond"
    assert figure.body.index(">lone</text>") < figure.body.index(">good</text>")


def test_intervals_are_spoken_of_only_where_there_are_some() -> None:
    without = document(1)
    rows = without["metrics"]["f1"]
    for row in (rows["people"], *rows["systems"].values()):
        row["low"] = row["high"] = None
    (figure,) = people_figures("majority", without, NAMES)
    assert "95 %" not in figure.caption
