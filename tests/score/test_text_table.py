"""Tables for a terminal."""

from earmark.score.text_table import BoardText, score_lines, undefined_lines

HIGHER = {"f1": True, "errors": False}


def row(system, value, **more):
    ranks = {"rank": 1, "p": None} | more
    return {"system": system, "value": value, "low": None, "high": None, "items": 2} | ranks


def board_text(board, **more):
    systems = {r["system"] for rows in board.values() for r in rows}
    details = more.pop("details", {system: {} for system in systems})
    return "\n".join(BoardText(board=board, details=details, higher=HIGHER, **more).lines())


def test_ranks_are_ranges_and_letters_say_who_does_not_differ():
    rows = [
        row("one", 0.9, rank_low=1, rank_high=2, groups="a"),
        row("two", 0.8, rank_low=1, rank_high=3, groups="ab", p=0.3),
        row("six", 0.1, rank=3, rank_low=3, rank_high=3, groups="b", p=0.01),
    ]
    lines = board_text({"f1": rows}).splitlines()
    assert lines[1].split() == ["system", "value", "interval", "rank", "groups", "p"]
    assert lines[2].split() == ["one", "0.900*", "1-2", "a"]
    assert lines[3].split() == ["two", "0.800", "1-3", "ab", "0.300"]
    assert lines[4].split() == ["six", "0.100", "3", "b", "0.010"]
    assert "systems that share a letter are not shown to differ" in lines[5]


def test_where_nothing_can_be_ranked_a_dash_stands_and_one_sentence():
    rows = [row(name, value, rank=None, why="two items cannot rank") for name, value in
            (("one", 0.9), ("two", 0.8))]  # fmt: skip
    text = board_text({"f1": rows})
    assert text.count("two items cannot rank") == 1
    assert text.splitlines()[2].split() == ["one", "0.900*", "-"]


def test_many_metrics_are_side_by_side_under_the_board_of_the_first_that_is_defined():
    board = {f"m{n}": [row("one", 0.9), row("two", 0.8)] for n in range(4)}
    board = {"f1": [row("one", None), row("two", None)], **board}
    lines = board_text(board).splitlines()
    assert lines[0] == "m0   2 items"
    assert lines[5].split() == ["one", "two"]
    assert lines[6].split() == ["f1", "↑", "undefined", "undefined"]
    assert lines[7].split() == ["m0", "0.900*", "0.800"]


def test_more_systems_than_fit_follow_beneath():
    rows = [row(f"a-system-with-a-long-name-{n}", 0.5) for n in range(6)]
    board = {f"m{n}": rows for n in range(4)}
    text = board_text(board)
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("*"))
    assert all(text.count(f"name-{n}") == 2 for n in range(6))  # in the board, and side by side


def test_the_only_system_has_a_row_per_metric():
    board = {"f1": [row("one", 0.9)], "errors": [row("one", 0.2)]}
    lines = board_text(board).splitlines()
    assert lines[0] == "one"
    assert lines[2].split() == ["f1", "↑", "0.900", "2"]
    assert lines[3].split() == ["errors", "↓", "0.200", "2"]


def test_labels_are_side_by_side_where_several_systems_have_them():
    details = {"one": {"f1": {"by_label": {"car": 0.5, "dog": None}}}, "two": {}}
    board = {"f1": [row("one", 0.9), row("two", 0.8)]}
    text = BoardText(board=board, details=details, higher=HIGHER)
    lines = list(text.lines(by_label=True))
    assert [line.split() for line in lines[-2:]] == [
        ["car", "0.500", "undefined"],
        ["dog", "undefined", "undefined"],
    ]


def test_a_label_may_have_more_than_a_value():
    details = {"f1": {"speakers": {"ann": {"value": 0.25, "missed": 3}}}}
    records = [{"metric": "f1", "value": 0.5, "items": 2}]
    lines = list(score_lines(records, details, HIGHER, by_label=True))
    assert lines[2].split() == ["ann", "0.250"]


def test_each_reason_of_undefined_values_is_given_once():
    why = {"undefined": "no events"}
    details = {"one": {"f1": why, "errors": why}, "two": {"f1": why}}
    assert list(undefined_lines(details, ["f1", "errors"])) == ["undefined: f1, errors: no events"]
    details["two"] = {"f1": {"undefined": "no scores"}}
    assert list(undefined_lines(details, ["f1", "errors"])) == [
        "undefined: f1, errors of one: no events",
        "undefined: f1 of two: no scores",
    ]
