"""What a model made of a text is computed once, and a broken cache costs time alone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from earmark.text.embed import Reading
from earmark.text.text_cache import TextCache


def shout(texts: list[str]) -> Iterator[bytes]:
    return (text.upper().encode() for text in texts)


def refuse(texts: list[str]) -> Iterator[bytes]:
    raise AssertionError(f"asked for {texts}")


def test_a_text_is_computed_once_and_answers_come_in_order(tmp_path: Path) -> None:
    cache = TextCache("m", folder=tmp_path, most=9)
    assert list(cache.of(["b", "a", "b"], shout)) == [b"B", b"A", b"B"]
    again = TextCache("m", folder=tmp_path, most=9)
    assert list(again.of(["a", "b"], refuse)) == [b"A", b"B"]
    assert TextCache("other", folder=tmp_path, most=9).get(["a"]) == {}


def test_the_oldest_texts_go_when_there_are_too_many(tmp_path: Path) -> None:
    cache = TextCache("m", folder=tmp_path, most=2)
    for text in "abc":
        list(cache.of([text], shout))
    assert sorted(cache.get("abc")) == ["b", "c"]


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_a_damaged_file_costs_time_and_no_result(tmp_path: Path, content: bytes) -> None:
    cache = TextCache("m", folder=tmp_path, most=2)
    list(cache.of(["a"], shout))
    (path,) = tmp_path.iterdir()
    path.write_bytes(content)
    assert list(cache.of(["a"], shout)) == [b"A"]


def test_a_reading_comes_back_from_its_bytes() -> None:
    draw = np.random.default_rng(1)
    for pieces in (0, 3):
        rows = draw.random((pieces, 4)).astype(np.float32)
        spans = np.arange(2 * pieces, dtype=np.int32).reshape(-1, 2)
        reading = Reading(draw.random(4).astype(np.float32), rows, spans)
        again = Reading.from_bytes(reading.to_bytes())
        assert again.pieces.shape == rows.shape and again.spans.shape == spans.shape
        for one, two in zip(
            (reading.sentence, rows, spans),
            (again.sentence, again.pieces, again.spans),
            strict=True,
        ):
            assert np.array_equal(one, two)
