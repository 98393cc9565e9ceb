"""What a report says besides its pictures."""

from earmark.report.study_page import _undefined


def test_a_dash_is_explained_once_with_all_its_metrics() -> None:
    why = {"undefined": "needs <b>Java</b>"}
    rows = [{"details": {"meteor": why, "spice": why, "system": "x"}}, {"details": {"spice": why}}]
    assert "meteor, spice: needs &lt;b&gt;Java&lt;/b&gt;." in _undefined(rows)
    assert _undefined([{"details": {}}]) == ""
