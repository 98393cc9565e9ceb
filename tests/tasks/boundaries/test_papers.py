"""The paper's own tables."""

import json

import pytest

from earmark.tasks.boundaries import papers
from earmark.values.errors import InputError


@pytest.mark.shared
def test_the_papers_tables_are_asked_again(shared):
    lines = list(papers.rebuild(shared / "data"))
    assert "correlation of R_GAR and kappa 0.890 [0.594, 0.974] over 10 videos" in lines[0]
    assert "S2 - S1 by WiSeBE +0.0112" in lines[1]
    assert "p = 0.56" in lines[1] and "not shown" in lines[1]
    assert any("within 0.0008 in all 20 rows" in line for line in lines)
    odd = [line for line in lines if "table 4" in line]
    assert odd == [
        "boundaries, table 4: S1 on v10 prints a mean F1 of 0.582, but its three references give "
        "0.554"
    ]


def test_a_difference_that_is_always_there_is_shown(tmp_path):
    first = [0.1 * n for n in range(1, 9)]
    pairs = [[value, value + 0.05 + 0.001 * n] for n, value in enumerate(first)]
    assert "is shown" in papers.difference_line("F1", pairs)
    with pytest.raises(InputError, match="the paper's tables are needed"):
        list(papers.rebuild(tmp_path))
    (tmp_path / "paper_tables.json").write_text(json.dumps({"table6": {}}))
    assert papers.read_tables(tmp_path) == {"table6": {}}
