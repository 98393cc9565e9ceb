"""Elements, scales and drawings."""

from earmark.report.svg import Scale, drawing, element, rounded_out, shortened


def test_an_element_escapes_text_and_attributes_but_not_elements() -> None:
    inner = element("title", '<b>"')
    outer = element("g", inner, "&", data_x='"><img>', y=None, width=1.50)
    assert inner == "<title>&lt;b&gt;&#34;</title>"
    assert outer == f'<g data-x="&#34;&gt;&lt;img&gt;" width="1.5">{inner}&amp;</g>'
    assert element("g", data_x=inner).count("<") == 1, "no element inside an attribute"


def test_a_scale_has_round_ticks_and_survives_a_single_value() -> None:
    assert Scale((0, 1), (0, 100)).ticks() == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert Scale((3, 3), (0, 100))(3) == 50


def test_a_range_is_rounded_out_to_the_next_ticks() -> None:
    assert rounded_out([0.0, 0.83]) == (0.0, 1.0)
    assert rounded_out([-0.31, 0.4]) == (-0.4, 0.4)
    assert rounded_out([0.0, 1.0]) == (0.0, 1.0), "what ends in a tick stays"
    assert rounded_out([0.0, 0.0]) == (0.0, 1.0) and rounded_out([7.0]) == (0.0, 8.0)


def test_a_wide_drawing_scrolls_before_its_letters_become_illegible() -> None:
    wide = drawing(width=960, height=100, label="wide")
    assert wide.startswith('<div class="scroll" tabindex="0"><svg') and "min-width:883px" in wide
    assert "min-width" not in drawing(width=460, height=100, label="one column")


def test_a_long_name_is_cut_with_an_ellipsis() -> None:
    assert shortened("abcdef", 4) == "abc…" and shortened("abcd", 4) == "abcd"
