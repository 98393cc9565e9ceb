"""People drawn with replacement."""

from collections import Counter

from earmark.reconcile.panel import drawn_people


def test_as_many_people_are_drawn_and_all_from_the_panel() -> None:
    for seed in range(20):
        drawn = drawn_people(["ann", "bob", "cy"], seed=seed)
        assert len(drawn) == 3 and set(drawn) <= {"ann", "bob", "cy"}


def test_everybody_is_drawn_equally_often_and_the_seed_matters() -> None:
    """Each of three is drawn once per panel on average; all three different in 2 of 9 panels."""
    panels = [drawn_people(["ann", "bob", "cy"], seed=seed) for seed in range(900)]
    times = Counter(person for panel in panels for person in panel)
    assert all(820 < times[person] < 980 for person in ("ann", "bob", "cy"))
    assert 160 < sum(len(set(panel)) == 3 for panel in panels) < 240


def test_the_same_people_are_drawn_together_whatever_their_order() -> None:
    assert drawn_people(["b", "a", "c"], seed=4) == drawn_people(["c", "b", "a"], seed=4)


def test_one_person_stays_and_nobody_is_nobody() -> None:
    assert drawn_people(["ann"], seed=1) == ("ann",)
    assert drawn_people([], seed=1) == ()
