"""Which items belong together: chosen by name, by a table or by a dict, and signed."""

from pathlib import Path

import pytest

import earmark
from earmark.score.groups import choose_groups, groups_of, read_groups, sign_groups
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError

ROWS = [(f"{name}.wav", 0.0, 2.0, "dog") for name in "abcdef"]
SAID = [(f"{name}.wav", 0.0, 1.0 + k % 2, "dog") for k, name in enumerate("abcdef")]
PAIRS = {"a": "ann", "b": "ann", "c": "ben", "d": "ben", "e": "cleo", "f": "cleo"}


def measured(**options):
    scores = earmark.measure(
        "events", reference=ROWS, output=SAID, metrics=["segment_f1"], **options
    )
    return scores["segment_f1"]


def test_groups_change_the_interval_and_the_signature_but_not_the_number() -> None:
    alone, grouped = measured(), measured(groups=PAIRS)
    assert alone.value == grouped.value
    assert alone.interval and grouped.interval and alone.interval != grouped.interval
    assert "|groups:recording|" in str(alone.signature)
    assert "|groups:given@" in str(grouped.signature)
    other = measured(groups={**PAIRS, "a": "ben"})
    assert other.signature != grouped.signature


def test_a_table_of_groups_does_what_a_dict_does(tmp_path: Path) -> None:
    table = tmp_path / "speakers.csv"
    table.write_text("item,group\n" + "".join(f"{k},{v}\n" for k, v in PAIRS.items()))
    from_table = measured(groups=str(table))
    assert from_table.interval == measured(groups=PAIRS).interval
    assert "|groups:speakers@" in str(from_table.signature)
    assert measured(groups=table).signature == from_table.signature


def test_items_without_a_group_and_groups_of_unknown_items_are_refused_with_counts() -> None:
    wrong = {key: group for key, group in PAIRS.items() if key not in "ab"} | {"x": "ann"}
    with pytest.raises(InputError) as error:
        measured(groups=wrong)
    assert str(error.value) == (
        "groups must be given for exactly the items that are scored\n"
        "  at:   groups\n"
        "  got:  2 items (a.wav, b.wav) without a group, 1 item (x) with one that are not scored\n"
        "  want: a group for each of 6 items"
    )


def test_a_name_that_is_no_group_and_no_file_is_refused() -> None:
    with pytest.raises(InputError) as error:
        measured(groups="spaeker")
    assert str(error.value) == (
        "items are grouped by a name or by a table\n"
        "  got:  spaeker\n"
        "  want: recording, item, or a file with the columns item and group"
    )


def test_what_is_no_groups_is_refused_with_the_right_form() -> None:
    with pytest.raises(InputError, match="groups are a name, a path, or a dict of item to group"):
        measured(groups=["a", "b"])


def test_a_table_with_one_item_in_two_groups_or_an_empty_cell_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "g.csv"
    table.write_text("item,group\na,x\na,x\na,y\n")
    with pytest.raises(InputError, match="an item belongs to one group") as error:
        read_groups(table)
    assert "g.csv:4" in str(error.value)
    table.write_text("item,group\na,\n")
    with pytest.raises(InputError, match="every row needs an item and a group"):
        read_groups(table)


def test_trials_are_grouped_by_speaker_unless_items_are_asked_for() -> None:
    task = earmark.keywords.TASK
    reference = {"a": Trial("ann", is_target=True), "b": Trial("ann", is_target=False)}
    assert choose_groups(task, None, reference).of == {"a": "ann", "b": "ann"}
    assert choose_groups(task, "item", reference).of == {"a": "a", "b": "b"}


def test_in_a_study_the_parents_of_items_are_the_default() -> None:
    task = earmark.boundaries.TASK
    reference = {"monday-001": None, "monday-002": None}
    parents = dict.fromkeys(reference, "week")
    by_parent = choose_groups(task, None, reference, parents=parents)
    assert (by_parent.name, by_parent.of) == ("talk", parents)
    assert choose_groups(task, "talk", reference, parents=parents) == by_parent
    assert choose_groups(task, None, reference).name == "text"
    assert set(choose_groups(task, "talk", reference).of.values()) == {"monday"}


def test_a_passage_belongs_to_its_talk() -> None:
    groups = choose_groups(earmark.context.TASK, "talk", {"x (clean)": None, "x (paper)": None})
    assert set(groups.of.values()) == {"x"}


def test_evaluate_refuses_groups_that_leave_items_out() -> None:
    assert groups_of(["a", "b"], None) == {"a": "a", "b": "b"}
    with pytest.raises(InputError, match="groups must be given for all items, or not at all"):
        groups_of(["a", "b"], {"a": "x"})


def test_groups_are_signed_by_content() -> None:
    assert sign_groups({"a": "a"}, "") == "item"
    assert sign_groups({"a": "x"}, "") != sign_groups({"a": "y"}, "")
