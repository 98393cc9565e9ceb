"""Published figures asked again."""

import pytest

from earmark.tasks.captions.papers import detector_line, parser_lines, rebuild

pytest.importorskip("spacy")


def test_without_data_nothing_is_told(tmp_path):
    assert list(rebuild(tmp_path / "captions")) == []


def test_the_detector_is_held_against_annotations(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "caption,fluency_issue\na dog barks,0\nrain falls on a roof,0\na dog and a dog and a,1\n"
    )
    told = "AUC 1.000; at 0.9 F1 1.000 P 1.000 R 1.000"
    assert detector_line(path) == f"fluency: 3 captions, {told}"


@pytest.mark.shared
@pytest.mark.slow
def test_the_parser_is_told_both_ways(shared):
    lines = list(parser_lines(shared / "data/text/ud_ewt/ewt_test.conllu"))
    assert [line.partition(":")[0] for line in lines] == [
        "parser, as written",
        "parser, lower case, no marks",
    ]
    assert all(float(line.split("las ")[1].split()[0]) >= 79 for line in lines)
