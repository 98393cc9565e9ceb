"""Words, boundaries and panels."""

import numpy as np
import pytest

from earmark.files.digest import digest
from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.ask import PageOptions
from earmark.tasks.boundaries.make.transcripts import TranscriptOptions, make_transcripts
from earmark.tasks.boundaries.measure import measure
from earmark.tasks.boundaries.score.windows import WindowCounts
from earmark.tasks.boundaries.values import Boundaries, Panel, Transcript, transcript_of
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.pack import pack, unpack


def test_sizes_and_marks_are_two_ways_to_say_the_same():
    one = Boundaries.of_sizes([3, 1, 2])
    assert one == Boundaries.of_marks([0, 0, 1, 1, 0, 1])
    assert one.sizes == (3, 1, 2)
    assert Boundaries(0).sizes == ()
    assert Boundaries(4, {1}).sizes == (2, 2)


def test_the_end_is_put_on_and_taken_off():
    one = Boundaries(4, {1})
    assert one.with_final().after == {1, 3}
    assert one.with_final().without_final() == one
    assert Boundaries(0).with_final() == Boundaries(0)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Boundaries(3, {-1}), "got:  after word -1 of 3"),
        (lambda: Boundaries(3, {3}), "got:  after word 3 of 3"),
        (lambda: Boundaries.of_sizes([2, 0]), "a unit must have at least one word"),
        (lambda: Panel(()), "at least one reference"),
        (lambda: Panel((Boundaries(3), Boundaries(4))), "got:  3 words, 4 words"),
        (lambda: Panel((Boundaries(3),), ("ann", "bob")), "got:  2 names, 1 references"),
        (lambda: Transcript(("a", "b"), ((0, 1),)), "got:  2 words, 1 times"),
        (lambda: Panel((Boundaries(3),), ("ann",)).without("ann"), "at least one reference"),
    ],
)
def test_values_that_cannot_be_are_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()


@pytest.mark.parametrize(
    "value",
    [
        Transcript(("a", "b"), ((0.0, 1.0), (1.0, 2.0))),
        Boundaries(9, {3, 1}),
        Panel((Boundaries(3, {1}), Boundaries(3)), ("ann", "bob")),
    ],
)
def test_values_are_packed_and_unpacked(value):
    assert unpack(pack(value), b.TASK.kinds) == value


def test_counts_of_windows_add():
    both = WindowCounts(1, 2, 3, 4, 5, 6) + WindowCounts(1, 1, 1, 1, 1, 1)
    assert both.row() == (2, 3, 4, 5, 6, 7)
    assert WindowCounts.from_row(both.row()) == both


def test_windows_are_none_where_nobody_marked_anything():
    empty = Panel((Boundaries(5), Boundaries(5)))
    metric = b.tool_soft(which="s_precision")
    assert metric.rate(metric.count(empty, Boundaries(5, {2}))) == 0
    soft = b.soft_f1()
    assert soft.rate(soft.count(empty, Boundaries(5, {2}))) == 0
    assert np.isnan(soft.rate(soft.count(empty, Boundaries(5))))


def test_pooled_similarity_weighs_references_by_their_boundaries():
    panel = Panel((Boundaries(20, {3}), Boundaries(20, {3, 7, 11, 15})))
    output = Boundaries(20, {3})
    macro, micro = b.boundary_similarity(), b.boundary_similarity(average="micro")
    assert macro.rate(macro.count(panel, output)) == pytest.approx((1 + 1 / 4) / 2)
    assert micro.rate(micro.count(panel, output)) == pytest.approx(2 / 5)


def test_small_refusals(tmp_path):
    with pytest.raises(InputError, match="a reference is needed"):
        measure((), tmp_path / "a.txt")
    with pytest.raises(InputError, match="longest must be >= 1"):
        TranscriptOptions(longest=0)
    path = tmp_path / "a.txt"
    path.write_text("- -\n")
    with pytest.raises(InputError, match="a text needs at least one word"):
        list(make_transcripts(path, seed=0))
    with pytest.raises(InputError, match="a page must have at least two words"):
        PageOptions(page=1)
    (tmp_path / "a.json").write_text('{"items": {"t": {"ann": [3], "bob": [1, 2]}}}')
    reference = tmp_path / "b.json"
    reference.write_text('{"items": {"t": {"ann": [3]}}}')
    with pytest.raises(InputError, match="one answer per text"):
        measure((reference,), tmp_path / "a.json")
    twice = measure((tmp_path / "a.json", reference), reference)
    assert twice.reference["t"].people[:2] == ("ann", "bob")
    assert len(twice.reference["t"].people) == 3


def test_a_boundary_outside_the_text_is_refused():
    with pytest.raises(InputError, match="after one of the words"):
        Boundaries(5, {5})


def test_items_without_words_are_refused():
    with pytest.raises(InputError, match="at least one word"):
        transcript_of(Item("none", "transcript", text=" "))


def test_the_order_of_people_does_not_change_a_digest() -> None:
    ann, ben = Boundaries(6, {2, 5}), Boundaries(6, {5})
    named = [Panel((ann, ben), ("ann", "ben")), Panel((ben, ann), ("ben", "ann"))]
    assert digest({"talk": named[0]}) == digest({"talk": named[1]})
    assert digest({"talk": named[0]}) != digest({"talk": Panel((ann, ben), ("ben", "ann"))})
    numbered = [Panel((ann, ben)), Panel((ben, ann))]
    assert digest({"talk": numbered[0]}) == digest({"talk": numbered[1]})
    assert digest({"talk": Panel((ann, ann))}) != digest({"talk": numbered[0]})
