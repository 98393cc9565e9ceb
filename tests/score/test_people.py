"""People and systems on one scale."""

import math
from typing import Any

import pytest

from earmark.score.leave_one_out import Everybody, PersonSides
from earmark.score.metric import Metric, mean
from earmark.score.people import PeopleOptions, beside_people
from earmark.values.counts import Mean


def same(reference: str, output: str) -> Mean:
    """Count a match; nan where the output says nothing."""
    return Mean.of(math.nan if output == "-" else float(reference == output))


RIGHT = Metric("test", "right", same, mean, average="macro")


def person(name: str, reference: str, output: str, machine: str) -> PersonSides:
    """Return one letter per item: what is right, what a person said, what a machine said."""
    keys = [f"i{number}" for number in range(len(reference))]
    sides = [dict(zip(keys, text, strict=True)) for text in (reference, output, machine)]
    return PersonSides(name, f"all without {name}", sides[0], sides[1], {"machine": sides[2]})


def beside(
    *people: PersonSides, resamples: int = 1000, groups: dict[str, str] | None = None
) -> dict[str, Any]:
    everybody = Everybody(len(people), people, {}, "")
    document = beside_people(everybody, PeopleOptions({"right": RIGHT}, groups or {}, resamples, 3))
    rows: dict[str, Any] = document["metrics"].get("right", {})
    return rows


ANN = person("ann", "yynn", "yyyy", "yynn")  # ann 1/2, the machine 1
BOB = person("bob", "yynn", "yynn", "ynyn")  # bob 1, the machine 1/2
CY = person("cy", "yy", "yn", "yy")  # cy 1/2, the machine 1


def test_everybody_weighs_the_same_however_much_they_answered() -> None:
    rows = beside(ANN, BOB, CY)
    assert rows["people"]["value"] == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert rows["systems"]["machine"]["value"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert rows["systems"]["machine"]["persons"] == {"ann": 1.0, "bob": 0.5, "cy": 1.0}


def test_differences_are_taken_person_by_person() -> None:
    # +1/2, -1/2, +1/2: mean 1/6; variance 1/3, standard error 1/3, Student's factor 4.303
    difference = beside(ANN, BOB, CY)["systems"]["machine"]["difference"]
    assert difference["value"] == pytest.approx(1 / 6)
    assert difference["low"] == pytest.approx(1 / 6 - 4.303 / 3, abs=1e-3)
    assert difference["high"] == pytest.approx(1 / 6 + 4.303 / 3, abs=1e-3)


def test_a_mean_stays_within_the_range_of_its_metric() -> None:
    people = beside(ANN, BOB, CY)["people"]
    assert (people["low"], people["high"]) == (0.0, 1.0)


def test_every_person_has_a_signature_that_names_the_reference_without_them() -> None:
    one = beside(ANN, BOB)["people"]["persons"]["ann"]
    assert one["items"] == 4
    assert "|ref:all without ann@" in one["signature"] and "|out:ann@" in one["signature"]


def test_one_person_or_no_resamples_or_no_spread_give_no_interval() -> None:
    assert beside(ANN)["people"]["low"] is None
    assert beside(ANN, BOB, resamples=0)["people"]["low"] is None
    assert beside(ANN, CY)["people"]["low"] is None, "both are right half of the time"


def test_few_groups_of_items_leave_an_interval_over_people_alone() -> None:
    one, two = "yyyynyyy", "yyyyyynn"
    people = [person(name, "y" * 8, said, "y" * 8) for name, said in (("ann", one), ("bob", two))]
    rows = beside(*people)
    assert rows["over"] == "people and items"
    pairs = {f"i{number}": f"g{number // 2}" for number in range(8)}
    narrow = beside(*people, groups=pairs)
    assert narrow["over"] == "people"
    wide, slim = (row["people"]["high"] - row["people"]["low"] for row in (rows, narrow))
    assert slim > 0 and wide > 0


def test_people_who_are_alike_still_vary_with_the_items() -> None:
    alike = [person(name, "y" * 8, "yyyyyynn", "y" * 8) for name in ("ann", "bob", "cy")]
    people = beside(*alike)["people"]
    assert people["value"] == 0.75 and people["low"] < 0.75 < people["high"] <= 1


def test_who_has_no_value_is_counted_and_left_out_of_the_mean() -> None:
    silent = person("di", "yy", "--", "yy")
    rows = beside(ANN, BOB, silent)
    assert rows["people"]["value"] == 0.75 and rows["people"]["n"] == 2
    assert rows["people"]["undefined"] == 1 and "di" not in rows["systems"]["machine"]["persons"]
    assert beside(silent) == {}


def test_a_system_without_a_value_for_somebody_is_compared_on_the_rest() -> None:
    mute = person("cy", "yy", "yn", "--")
    row = beside(ANN, BOB, mute)["systems"]["machine"]
    assert (row["n"], row["value"], row["difference"]["value"]) == (2, 0.75, 0.0)
    assert row["persons"]["cy"] is None
