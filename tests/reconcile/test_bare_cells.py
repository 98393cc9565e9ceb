"""Tables of answers with a cell that is empty, or with two labels where one is wanted."""

import pytest


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("a,,dog", "an answer needs an item, a person and a label"),
        ("a,ann,dog|car", "an answer has one label here"),
    ],
)
def test_a_cell_that_cannot_be_meant_is_refused_with_its_line(earmark, tmp_path, row, problem):
    path = tmp_path / "answers.csv"
    path.write_text(f"item,person,label\nb,bob,dog\n{row}\n")
    words = ("reconcile", "--answers", path, "--by", "mace", "--out", tmp_path / "o")
    named = ("--columns", "item=item,person=person,label=label")
    for columns in ((), named):
        code, _, err = earmark(*words, *columns)
        assert code == 2
        assert err.startswith(problem) and "answers.csv:3" in err
