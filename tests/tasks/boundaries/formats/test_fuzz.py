"""Whatever a file holds, it is read or refused with a message of our shape."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.tasks.boundaries.formats import READERS, read_file
from earmark.values.errors import InputError

pieces = st.sampled_from(
    [
        "a", "word.", "\t", "\n", "O", "PERIOD", "0", "1", "1.5", "-3", "-->", "00:00:01,000",
        "00:00:02.5", "SU", "LEXEME", "talk", "<NA>", '"', "<x>", "</x>", "<TIER>", ";;",
        '"IntervalTier"', 'Object class = "TextGrid"', "File type", "nan", "inf", "é", "…", " ",
    ]
)  # fmt: skip
keys = st.sampled_from(
    "segments words word text start end results items type alternatives content result "
    "start_time end_time".split()
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)
calm = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def read_or_refused(path):
    try:
        for people in read_file(path).values():
            for marked in people.values():
                marked.boundaries(), marked.boundaries(units="marks"), marked.transcript
                marked.only_words()
    except InputError as error:
        assert str(error)


@pytest.mark.parametrize("suffix", [".txt", *READERS])
@calm
@given(parts=st.lists(pieces, max_size=25), space=st.sampled_from(["", " ", "\n", "\t"]))
def test_any_text_is_read_or_refused(tmp_path, suffix, parts, space):
    path = tmp_path / f"a{suffix}"
    path.write_text(space.join(parts), encoding="utf-8")
    read_or_refused(path)


@pytest.mark.parametrize("suffix", [".txt", ".json", *READERS])
@calm
@given(data=st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(tmp_path, suffix, data):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data)
    read_or_refused(path)


@calm
@given(told=values)
def test_any_json_is_read_or_refused(tmp_path, told):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    read_or_refused(path)
