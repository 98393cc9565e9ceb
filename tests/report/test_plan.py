"""The plan on a page: one that was edited into something else is refused by name."""

from typing import Any

import pytest

from earmark.report.plan import plan_figure
from earmark.values.errors import InputError


@pytest.mark.parametrize("plan", [{"curve": []}, {"curve": 5}, {"curve": [5], "unit": "item"}])
def test_a_plan_that_is_none_is_refused_by_name(plan: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"as Earmark wrote it\n  at:   plan\.json"):
        plan_figure(plan, None)
