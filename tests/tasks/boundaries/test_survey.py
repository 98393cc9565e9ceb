"""Trivial systems, people, other limits and other metrics beside a score."""

import math

import pytest

from earmark.tasks import boundaries as b
from earmark.tasks.boundaries import survey
from earmark.tasks.boundaries.values import Boundaries, Panel

PANEL = Panel(
    (Boundaries(20, {4, 9, 19}), Boundaries(20, {4, 10, 19}), Boundaries(20, {9, 19})),
    ("ann", "bob", "cy"),
)


REFERENCES = {"talk": PANEL}


def test_trivial_systems_mark_every_word_every_so_many_and_the_end():
    found = survey.trivial_outputs(REFERENCES)
    # 60 words and 8 ends: a unit has 8 words.
    assert list(found) == ["every word", "every 8 words", "the end only", "nowhere"]
    assert found["every 8 words"]["talk"].after == {7, 15}
    assert found["the end only"]["talk"].after == {19}
    assert found["nowhere"]["talk"].after == frozenset()


def test_sanity_rows_are_scores_of_trivial_systems():
    rows = survey.sanity_rows(b.window_recall(), REFERENCES)
    assert rows["every word"] == 1
    assert rows["every 8 words"] == 0
    precise = survey.sanity_rows(b.window_precision(), REFERENCES)
    assert math.isnan(precise["the end only"])


def test_each_person_is_scored_against_the_others():
    found = survey.human_ceiling(b.mean_f1(), REFERENCES)
    # Ann with Bob: one of {4, 9} and {4, 10}, F1 .5; with Cy: {9}, F1 2/3.
    assert found["ann"] == pytest.approx((0.5 + 2 / 3) / 2)
    assert survey.human_ceiling(b.mean_f1(), {"a": PANEL.references[0]}) == {}


def test_an_output_is_scored_against_the_panels_that_people_are_scored_against():
    # without the end: Ann 4 9, Bob 4 10, Cy 9; the output is Ann's, so without Bob it has F1 1
    # with Ann and 2/3 with Cy
    found = survey.beside_people(b.mean_f1(), REFERENCES, {"talk": PANEL.references[0]})
    assert list(found) == ["ann", "bob", "cy"]
    assert found["bob"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["ann"] == survey.human_ceiling(b.mean_f1(), REFERENCES)["ann"]


@pytest.mark.shared
def test_leave_one_out_on_the_sixth_video(shared):
    from earmark.tasks.boundaries.measure import measure

    folder = shared / "data/boundaries/v6"
    found = measure(tuple(sorted(folder.glob("reference_*.txt"))), folder / "candidate_A.txt")
    ceiling = survey.human_ceiling(b.window_f1(preset="tool-1.0"), found.reference)
    assert [round(value, 3) for value in ceiling.values()] == [0.774, 0.795, 0.531]
    scaled = survey.human_ceiling(b.wisebe(preset="tool-1.0"), found.reference)
    assert [round(value, 3) for value in scaled.values()] == [0.339, 0.288, 0.332]
    blind = survey.trivial_outputs(found.reference)["every word"]
    curve = dict(survey.limit_curve(found.reference, blind, preset="tool-1.0"))
    assert [round(curve[at], 3) for at in (0, 3, 6, 10)] == [0.134, 0.142, 0.202, 0.381]


def test_the_curve_rises_where_windows_join():
    output = {"talk": Boundaries(20, {4, 7, 9})}
    curve = survey.limit_curve(REFERENCES, output, build=b.window_f1, limits=(0, 1, 5))
    assert [limit for limit, _ in curve] == [0, 1, 5]
    # Limit 0: windows 4, 9, 10; P 2/3, R 2/3. Limit 1: [4] [9,10]: P 2/3, R 1. Limit 5: [4,10].
    assert [value for _, value in curve] == pytest.approx([2 / 3, 0.8, 1.0])


def test_metrics_are_correlated_over_texts_and_systems():
    length = 40
    references = {f"t{n}": Boundaries(length, {5 + n, 15, 25}) for n in range(4)}
    systems = {
        "good": {item: one for item, one in references.items()},
        "poor": {item: Boundaries(length, {5, 16, 30 + n}) for n, item in enumerate(references)},
    }
    metrics = {"mean_f1": b.mean_f1(), "slot_error_rate": b.slot_error_rate()}
    found = survey.metric_correlations(metrics, references, systems)
    assert found["mean_f1"]["mean_f1"] == pytest.approx(1)
    assert found["mean_f1"]["slot_error_rate"] > 0.9
