"""Tables row by row: what is wrong is named by file and line."""

from pathlib import Path

import pytest

from earmark.tables.rows import read_number, read_table, write_table
from earmark.values.errors import InputError


def test_a_table_may_be_separated_by_tabs_and_begin_with_a_comment(tmp_path: Path) -> None:
    text = write_table(("a", "b"), [{"a": 1, "b": "x"}], separator="\t", made_by={"by": "me"})
    (tmp_path / "t.tsv").write_text(text)
    assert list(read_table(tmp_path / "t.tsv", columns=("a",), optional=("c",))) == [
        (3, {"c": "", "a": "1", "b": "x"})
    ]


def test_a_column_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,a\n1,2\n")
    with pytest.raises(InputError, match="a column must appear once"):
        list(read_table(tmp_path / "t.csv", columns=("a",)))


def test_cells_that_a_spreadsheet_would_run_are_made_harmless() -> None:
    assert write_table(("a",), [{"a": "=1+1"}, {"a": None}]) == 'a\n\'=1+1\n""\n'


def test_numbers_are_read_with_their_place() -> None:
    assert read_number("1.5", what="onset", at="f:1") == 1.5
    for text in ("x", "nan", "inf", ""):
        with pytest.raises(InputError, match="onset must be a number"):
            read_number(text, what="onset", at="f:1")


def test_a_header_with_a_broken_quote_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('"a,b\n1,2\n')
    with pytest.raises(InputError, match="a row of the table cannot be read"):
        list(read_table(tmp_path / "t.csv", columns=("a",)))


def test_cells_may_be_written_as_they_are() -> None:
    assert write_table(("a",), [{"a": "-x"}], formulas=True) == "a\n-x\n"
