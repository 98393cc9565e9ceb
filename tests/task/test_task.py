"""What a task's functions are given."""

import pytest

from earmark.task.task import Training
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

TRIALS = (Item("a", "trial"), Item("b", "trial"), Item("e", "enrolment"))


def test_a_reference_may_leave_out_items_of_a_kind_that_it_has_nothing_to_say_about() -> None:
    reference = Reference("truth", {"a": 1, "b": 0})
    assert Training.of(TRIALS, reference) == Training(TRIALS, reference)


@pytest.mark.parametrize(
    ("values", "missing"), [({"a": 1}, "1 item (b) of 2"), ({}, "3 items (a, b, e) of 3")]
)
def test_a_system_does_not_learn_from_a_reference_that_lacks_items(
    values: dict[str, int], missing: str
) -> None:
    with pytest.raises(InputError, match="a reference that has every item") as error:
        Training.of(TRIALS, Reference("mace", values))
    assert missing in str(error.value) and "reference mace" in str(error.value)
