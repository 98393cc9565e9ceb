"""Columns of a table: Arrow and the row reader read the same, or the row reader is asked."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from earmark.tables import arrow, columns
from earmark.tables.columns import Coder, code, columns_by_row, read_columns
from earmark.values.errors import InputError

CELLS = st.one_of(
    st.sampled_from(["", " ", "a", "é", "nan", "NA", "null", "inf", "1", " 2.5 ", "1e-7", "+3"]),
    st.sampled_from(['"x"', '"a,b"', '"a""b"', '"a\tb"', '"a"b', 'a"b', '"open', '"a\nb"', '""']),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.text(st.sampled_from('ab,"\t\r\n \x00\x0b\x85\u2028é#1.e-'), max_size=5),
)
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A table of two columns that may be odd in every way that we know of."""
    separator = draw(st.sampled_from([",", "\t"]))
    start = draw(st.sampled_from(["", "# comment\n", "#\r\n"]))
    lines = [draw(st.sampled_from(["name{}number", '"name"{} number ', "name{}number{}more"]))]
    lines[0] = lines[0].replace("{}", separator)
    width = lines[0].count(separator) + 1
    for _ in range(draw(st.integers(0, 6))):
        size = draw(st.sampled_from([width] * 12 + [width - 1, width + 1, 0]))
        lines.append(separator.join(draw(CELLS) for _ in range(size)))
    text = start + "".join(line + draw(ENDS) for line in lines)
    text = text.rstrip("\n") if draw(st.booleans()) else text
    coding = draw(st.sampled_from(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "latin-1"]))
    return text.encode(coding, "replace")


def plain(path: Path, reader: object) -> object:
    """What a reader makes of a file: its columns as lists, or the text of its error."""
    try:
        read = reader(path, names=("name",), numbers=("number",))  # type: ignore[operator]
    except InputError as error:
        return str(error)
    if read is None:
        return None
    names = [read.names["name"].names[k] for k in read.names["name"].codes]
    numbers = [repr(float(x)) for x in read.numbers["number"]]
    return read.rows, names, numbers, read.blank["number"].tolist()


@settings(max_examples=400, deadline=None)
@given(tables())
@example(b"name,number\n1,2\n")
@example(b"name,number\n\n\n")
@example(b"name,number")
@example(b"name\tnumber\n\xff\t1\n")
@example(b'name,number\n"a","1"\n')
@example(b"name,number\na,1_000\n")
def test_arrow_reads_what_the_row_reader_reads_or_leaves_it_to_it(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t"
        path.write_bytes(data)
        by_arrow, by_row = plain(path, arrow.read_columns), plain(path, columns_by_row)
    assert by_arrow in (None, by_row)


def test_plain_tables_are_read_by_arrow(tmp_path: Path) -> None:
    """A test that everything falls back would prove nothing above."""
    for number, text in enumerate(
        [
            "name\tnumber\nb\t1.5\na\t-2\n",
            '# {"by": "me"}\nname,number,more\n"a,b",3,"say ""so"""\r\n\nb,,x\n',
            "\ufeffname,number\na,1\n",
        ]
    ):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(text.encode())
        assert plain(path, arrow.read_columns) == plain(path, columns_by_row)


def test_large_files_are_read_by_arrow_and_small_ones_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("name,number\na,1\n")
    by_row: list[Path] = []
    monkeypatch.setattr(columns, "columns_by_row", lambda path, **_: by_row.append(path))
    read_columns(path, names=("name",), numbers=("number",))
    assert by_row == [path]
    monkeypatch.setattr(columns, "LARGE_BYTES", 1)
    assert read_columns(path, names=("name",), numbers=("number",)).rows == 1
    assert by_row == [path]


def test_a_row_is_named_by_file_and_line_and_its_cells_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('# made by\nname,number\n\n"a\nb",1\nc,x\n')
    read = read_columns(path, names=("name",), numbers=("number",))
    assert np.isnan(read.numbers["number"]).tolist() == [False, True]
    assert read.place(1) == f"{path}:6"
    assert read.cells(1) == {"name": "c", "number": "x"}


@given(st.lists(st.text(max_size=2)))
def test_coded_names_are_sorted_and_give_the_names_back(names: list[str]) -> None:
    coder = Coder()
    for name in names:
        coder.add(name)
    column = coder.done()
    assert list(column.names) == sorted(set(names))
    assert [column.names[k] for k in column.codes] == names
    assert column.holds(names[:1]).tolist() == [name == names[0] for name in names]


def test_spaces_around_names_make_no_new_name() -> None:
    column = code(("b ", "a", " a"), np.array([0, 1, 2, 0])).stripped()
    assert column.names == ("a", "b") and column.codes.tolist() == [1, 0, 0, 1]
    assert column.stripped() is column


def test_columns_in_another_case_are_those_columns_also_where_a_row_is_looked_up(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Name;Number\na;x\n")
    columns = read_columns(path, names=("name",), numbers=("number",))
    assert columns.names["name"].names == ("a",)
    assert columns.cells(0) == {"name": "a", "number": "x"}
