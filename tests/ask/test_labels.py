"""Labels that are joined by a comma, a semicolon or a space."""

import pytest

from earmark.ask.labels import labels_in, split_offered
from earmark.values.errors import InputError

OFFERED = ("car", "dog bark", "Speech, male", "none")


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ("car,dog bark", ("car", "dog bark")),
        ("car; dog bark", ("car", "dog bark")),
        ("dog bark", ("dog bark",)),
        ("Speech, male", ("Speech, male",)),
        ("car;Speech, male", ("car", "Speech, male")),
        ("car,sirn", ("car,sirn",)),
        ("car,", ("car,",)),
    ],
)
def test_offered_labels_are_split_and_nothing_else_is(cell: str, labels: tuple[str, ...]) -> None:
    assert split_offered((cell,), OFFERED) == labels


@pytest.mark.parametrize("separator", [",", ", ", ";", " "])
def test_a_separator_joins_labels_that_also_appear_alone(separator: str) -> None:
    cells = ["car", "speech", f"car{separator}speech", "none"]
    assert labels_in((f"a:{k}", (cell,)) for k, cell in enumerate(cells)) == {
        "car", "speech", "none",
    }  # fmt: skip


def test_words_that_never_appear_alone_are_one_label() -> None:
    cells = ["dog bark", "people talking", "dog bark,people talking"]
    assert labels_in(("a", (cell,)) for cell in cells) == {"dog bark", "people talking"}


@pytest.mark.parametrize("unclear", ["car,speech", "car;speech", "car speech", "car,"])
def test_a_part_that_never_appears_alone_is_refused_with_its_line(unclear: str) -> None:
    with pytest.raises(InputError, match="one label or several") as error:
        labels_in([("a.csv:2", ("car",)), ("a.csv:3", (unclear,))])
    assert "a.csv:3" in str(error.value) and "--labels" in str(error.value)
