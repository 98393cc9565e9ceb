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


def test_a_cell_that_a_spreadsheet_would_run_gets_a_quote_before_it() -> None:
    assert write_table(("a",), [{"a": "-x"}, {"a": "-7.5"}]) == "a\n'-x\n-7.5\n"


def test_a_parquet_table_is_read_like_any_other(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    from earmark.tables.columns import read_columns

    path = tmp_path / "a.parquet"
    table = pyarrow.table({"name": ["a", 'b,\n"c"'], "number": [1.5, None], "count": [1, 2]})
    parquet.write_table(table, path)
    assert list(read_table(path, columns=("name",))) == [
        (2, {"name": "a", "number": "1.5", "count": "1"}),
        (3, {"name": 'b,\n"c"', "number": "", "count": "2"}),
    ]
    columns = read_columns(path, names=("name",), numbers=("number",))
    assert columns.blank["number"].tolist() == [False, True]
    with pytest.raises(InputError, match="the table lacks a column"):
        read_table(path, columns=("other",)).__next__()


def test_what_only_claims_to_be_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and nothing else PAR1")
    with pytest.raises(InputError, match="no Parquet that can be read"):
        list(read_table(path, columns=("name",)))


def test_a_spreadsheet_with_semicolons_and_names_in_capitals_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("\ufeffItem;Caption\r\na;rain, then wind\r\n".encode())
    rows = list(read_table(path, columns=("item",), optional=("caption",)))
    assert rows == [(2, {"caption": "rain, then wind", "item": "a"})]


def test_a_column_in_two_cases_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Item,ITEM\na,b\n")
    with pytest.raises(InputError, match="the table lacks a column"):
        list(read_table(tmp_path / "t.csv", columns=("item",)))


def test_a_table_without_a_header_gets_the_line_to_add(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a.wav\t0.5\t1.5\tdog\n")
    with pytest.raises(InputError, match="fix:  add a first line with them: filename, onset"):
        list(read_table(tmp_path / "t.tsv", columns=("filename", "onset")))


def test_a_decimal_comma_is_refused_with_what_to_write() -> None:
    with pytest.raises(InputError, match="fix:  write a point for the comma"):
        read_number("0,5", what="onset", at="f:1")
