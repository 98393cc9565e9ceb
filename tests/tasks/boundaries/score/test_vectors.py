"""The authors' tool, segeval, nltk and statsmodels, case by case.

`vectors/vectors.json` holds 0/1 lists over words with what the authors' functions return for them;
`vectors/peers.json` holds what segeval 2.0.11, nltk 3.10.4 and statsmodels return.
"""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from earmark.arrays import Ints
from earmark.stats.agreement import fleiss_kappa
from earmark.stats.rates import proportion
from earmark.tasks.boundaries.score import windows
from earmark.tasks.boundaries.score.agreement import kappa
from earmark.tasks.boundaries.score.edits import count_edits
from earmark.tasks.boundaries.score.probes import count_probes, probe_width
from earmark.tasks.boundaries.values import Boundaries, Panel

VECTORS = Path(__file__).parents[1] / "vectors"
TIGHT = 1e-9


def close(value: float, expected: float | None) -> bool:
    if expected is None:
        return math.isnan(value)
    return math.isclose(value, expected, abs_tol=TIGHT)


def tool_cases() -> list[dict[str, Any]]:
    cases = json.loads((VECTORS / "vectors.json").read_text(encoding="utf-8"))
    return [*cases["hand"], *cases["random"]]


def values_of(panel: Panel, output: Boundaries, *, limit: int) -> dict[str, float]:
    counts = windows.count_windows(panel, output, limit=limit, final=True)
    soft = windows.tool_soft_scores(panel, output, limit=limit, final=True)
    return {
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
        "d_ws": soft.distance,
        "s_precision": soft.s_precision,
        "s_recall": soft.s_recall,
        "s_f1": soft.s_f1,
        "s_wisebe": soft.s_wisebe,
        "kappa": kappa(panel, final=True),
        "kappa_borders": kappa(panel, final=True, marked_only=True),
    }


def test_every_case_of_the_authors_tool_is_reproduced() -> None:
    cases = tool_cases()
    assert len(cases) == 171
    for case in cases:
        panel = Panel(tuple(Boundaries.of_marks(one) for one in case["refs"]))
        output = Boundaries.of_marks(case["cand"])
        expected = case.get("definition_value", case["expected"])
        if "error" in expected:
            continue
        first, last = windows.find_windows(panel, limit=case["limit"], final=True)
        spans = [list(pair) for pair in zip(first.tolist(), last.tolist(), strict=True)]
        assert spans == expected["windows"], case["name"]
        for name, value in values_of(panel, output, limit=case["limit"]).items():
            if name in expected:
                assert close(value, expected[name]), (case["name"], name, value, expected[name])


def test_cases_where_the_tool_raises_without_a_definition_are_few() -> None:
    undefined = [
        case
        for case in tool_cases()
        if "error" in case["expected"] and "definition_value" not in case
    ]
    assert len(undefined) <= 5


@pytest.fixture(scope="module")
def peers() -> dict[str, Any]:
    values: dict[str, Any] = json.loads((VECTORS / "peers.json").read_text(encoding="utf-8"))
    return values


def inner_boundaries(case: dict[str, Any]) -> tuple[int, Ints, Ints]:
    reference, output = (Boundaries.of_marks(case[side]) for side in ("ref", "hyp"))
    return reference.length, reference.positions(final=False), output.positions(final=False)


def test_pk_and_window_diff_equal_segeval_and_nltk(peers: dict[str, Any]) -> None:
    for case in peers["pairs"]:
        length, reference, output = inner_boundaries(case)
        expected = case["expected"]
        ratios = count_probes(length, reference, output)
        assert probe_width(length, reference) == expected["segeval_window_size"]
        for ratio, name in (
            (ratios.pk, "pk"),
            (ratios.pk, "nltk_pk"),
            (ratios.window_diff, "windowdiff"),
            (ratios.lamprier, "windowdiff_lamprier"),
        ):
            assert close(proportion(ratio.part, of=ratio.whole), expected[name]), case["name"]


def test_boundary_and_segmentation_similarity_equal_segeval(peers: dict[str, Any]) -> None:
    tested = 0
    for case in peers["pairs"]:
        length, reference, output = inner_boundaries(case)
        expected = case["expected"]
        for reach in (1, 2, 3, 5):
            wanted = expected[f"B_nt{reach}"]
            part, whole = count_edits(reference, output, offset=reach - 1).similarity
            if isinstance(wanted, str):
                assert math.isnan(proportion(part, of=whole))
            else:
                assert close(proportion(part, of=whole), wanted), (case["name"], reach)
                tested += 1
        edits = count_edits(reference, output)
        if not isinstance(expected["S_nt2"], str):
            possible = length - 1
            assert close(proportion(possible - edits.cost, of=possible), expected["S_nt2"])
        assert edits.added == expected["bed"]["add_del"]
        assert edits.moved == expected["bed"]["transp"]
    assert tested > 150


def test_fleiss_kappa_of_a_table_equals_statsmodels(peers: dict[str, Any]) -> None:
    tables = [case for case in peers["fleiss"] if "table" in case]
    assert tables
    for case in tables:
        assert close(fleiss_kappa(case["table"]), case["kappa"])
