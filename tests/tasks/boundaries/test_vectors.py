"""The authors' tool, segeval, nltk and statsmodels, case by case."""

import json
import math

import pytest

from earmark.stats.rates import proportion
from earmark.tasks.boundaries.score import panels, windows
from earmark.tasks.boundaries.score.arrays import positions
from earmark.tasks.boundaries.score.edits import count_edits
from earmark.tasks.boundaries.score.slides import probe_width, slide
from earmark.tasks.boundaries.values import Boundaries, Panel

pytestmark = pytest.mark.shared
TIGHT = 1e-9


def close(value, expected):
    if expected is None:
        return math.isnan(value)
    return math.isclose(value, expected, abs_tol=TIGHT)


def tool_cases(shared):
    told = json.loads((shared / "data/boundaries/vectors.json").read_text())
    return told["hand"] + told["random"]


def values_of(case):
    panel = Panel(tuple(Boundaries.of_marks(one) for one in case["refs"]))
    output = Boundaries.of_marks(case["cand"])
    counts = windows.count_windows(panel, output, limit=case["limit"], final=True)
    soft = windows.tool_soft_scores(panel, output, limit=case["limit"], final=True)
    parts = panels.kappa_parts(panel, final=True)
    return panel, {
        "bs_ws": counts.inside,
        "bs_nws": counts.outside,
        "ws_bs": counts.hit,
        "ws_nbs": counts.missed,
        "n_windows": counts.hit + counts.missed,
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "r_gar": counts.agreement,
        "wisebe": counts.wisebe,
        "d_ws": soft.pop("distance"),
        **soft,
        "kappa": panels.kappa(*parts, people=len(panel.references)),
        "kappa_borders": panels.kappa_on_borders(panel, final=True),
    }


def test_every_case_of_the_authors_tool_is_reproduced(shared):
    cases = tool_cases(shared)
    assert len(cases) == 171
    for case in cases:
        panel, values = values_of(case)
        wanted = case.get("definition_value", case["expected"])
        if "error" in wanted:
            continue
        first, last = windows.find_windows(panel, limit=case["limit"], final=True)
        found = [list(pair) for pair in zip(first.tolist(), last.tolist(), strict=True)]
        assert found == wanted["windows"], case["name"]
        for name, value in values.items():
            if name in wanted:
                assert close(value, wanted[name]), (case["name"], name, value, wanted[name])


def test_cases_where_the_tool_raises_without_a_definition_are_few(shared):
    bare = [
        case
        for case in tool_cases(shared)
        if "error" in case["expected"] and "definition_value" not in case
    ]
    assert len(bare) <= 5


@pytest.fixture
def pairs(shared):
    return json.loads((shared / "data/boundaries/peers.json").read_text())["pairs"]


def test_pk_and_window_diff_equal_segeval_and_nltk(pairs):
    for case in pairs:
        reference, output = (Boundaries.of_marks(case[side]) for side in ("ref", "hyp"))
        inner = [positions(side, final=False) for side in (reference, output)]
        expected = case["expected"]
        found = slide(reference.length, *inner)
        assert probe_width(reference.length, inner[0]) == expected["segeval_window_size"]
        names = {"pk": "pk", "window_diff": "windowdiff", "lamprier": "windowdiff_lamprier"}
        for ours, theirs in names.items():
            part, whole = found[ours]
            assert close(proportion(part, of=whole), expected[theirs]), (case["name"], ours)
        assert close(proportion(found["pk"][0], of=found["pk"][1]), expected["nltk_pk"])


def test_boundary_and_segmentation_similarity_equal_segeval(pairs):
    tested = 0
    for case in pairs:
        reference, output = (Boundaries.of_marks(case[side]) for side in ("ref", "hyp"))
        inner = [positions(side, final=False) for side in (reference, output)]
        expected = case["expected"]
        for reach in (1, 2, 3, 5):
            wanted = expected[f"B_nt{reach}"]
            part, whole = count_edits(*inner, offset=reach - 1).similarity_parts()
            if isinstance(wanted, str):
                assert math.isnan(proportion(part, of=whole))
            else:
                assert close(proportion(part, of=whole), wanted), (case["name"], reach)
                tested += 1
        edits = count_edits(*inner)
        if not isinstance(expected["S_nt2"], str):
            possible = reference.length - 1
            assert close(proportion(possible - edits.cost(), of=possible), expected["S_nt2"])
        assert edits.added == expected["bed"]["add_del"]
        assert edits.moved == expected["bed"]["transp"]
    assert tested > 150


def test_agreement_of_many_people_on_boundaries_equals_segeval(shared):
    told = json.loads((shared / "data/boundaries/peers.json").read_text())["multi"]
    for case in told:
        texts = tuple(
            Panel(tuple(Boundaries.of_sizes(people[name]) for name in people), tuple(people))
            for people in case["dataset"].values()
        )
        found = panels.boundary_agreement(texts)
        expected = case["expected_segeval"]
        assert close(found["observed"], expected["actual"])
        assert close(found["pi"], expected["fleiss_pi"])
        assert close(found["kappa"], expected["fleiss_kappa"])
        assert close(found["bias"], expected["bias"])
