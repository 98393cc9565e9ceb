"""What `earmark score` prints beneath the scores."""

from earmark.cli.score import _lines

WHY = "3 items: no test could separate 2 systems; at least 6 are needed"


def _result(*systems):
    score = {"value": 0.5, "low": None, "high": None, "items": 3, "signature": "m|items:3"}
    rows = [{"system": name, **score, "rank": None, "why": WHY} for name in systems]
    by_system = {name: {"human": False, "scores": {"m": score}, "details": {}} for name in systems}
    return {"systems": by_system, "board": {"m": rows}, "details": {"reference": "truth"}}


def lines(result, form=None):
    values = {"by_label": False, "signatures": False, "format": form}
    return list(_lines(result, {"m": True}, values))


def test_why_nothing_is_ranked_is_said_once_where_there_are_several_systems():
    assert WHY in lines(_result("a", "b"))
    assert lines(_result("a", "b")).count(WHY) == 1
    assert WHY not in lines(_result("a"))


def test_a_board_is_printed_for_a_paper():
    text = "\n".join(lines(_result("a_1", "b"), "latex"))
    assert r"m $\uparrow$ & a\_1 & \textbf{0.500}" in text and "toprule" in text
    assert "m,a_1,0.5" in "\n".join(lines(_result("a_1", "b"), "csv"))
