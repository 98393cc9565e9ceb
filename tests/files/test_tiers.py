"""TextGrid and EAF: what their tiers hold, out and in."""

from pathlib import Path

import pytest

from earmark.files.one_line import one_line
from earmark.files.tiers import (
    Tier,
    TierInterval,
    read_eaf_tiers,
    read_textgrid_tiers,
    write_eaf_tiers,
    write_textgrid_tiers,
)
from earmark.values.errors import InputError

TIERS = [
    Tier('a "b"', [TierInterval(0.5, 1.0, 'say "IntervalTier"'), TierInterval(1.0, 2.5, "x")]),
    Tier("IntervalTier", [TierInterval(0.0, 3.0, "IntervalTier")]),
]


def test_names_and_texts_that_look_like_the_format_come_back(tmp_path: Path) -> None:
    path = tmp_path / "a.TextGrid"
    path.write_text(write_textgrid_tiers(TIERS, end=3.0))
    read = read_textgrid_tiers(path)
    spoken = [Tier(name, [one for one in rows if one.text]) for name, rows in read]
    assert spoken == TIERS
    assert [(one.start, one.end) for one in read[0].intervals] == [
        (0.0, 0.5),
        (0.5, 1.0),
        (1.0, 2.5),
        (2.5, 3.0),
    ]


def test_eaf_holds_tiers_of_milliseconds(tmp_path: Path) -> None:
    path = tmp_path / "a.eaf"
    path.write_text(write_eaf_tiers(TIERS), encoding="utf-8")
    assert read_eaf_tiers(path) == TIERS


def test_tiers_of_points_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.TextGrid"
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n2\n'
    points = '"TextTier"\n"clicks"\n0\n1\n2\n0.25\n"IntervalTier"\n0.5\n"b"\n'
    path.write_text(head + points + '"IntervalTier"\n"t"\n0\n1\n1\n0\n1\n"dog"\n')
    assert read_textgrid_tiers(path) == [Tier("t", [TierInterval(0.0, 1.0, "dog")])]


@pytest.mark.parametrize("text", ["", " a", "a\nb", "a\x00", "a\u2028b", "\ufffe"])
def test_what_does_not_fit_on_a_line_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="RTTM cannot hold this label"):
        one_line(text, what="label", kind="RTTM")


def test_blanks_inside_are_refused_where_a_format_has_none() -> None:
    assert one_line("dog bark", what="label", kind="x") == "dog bark"
    with pytest.raises(InputError, match="one line without blanks"):
        one_line("dog bark", what="label", kind="x", blanks=False)
