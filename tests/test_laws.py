"""Laws that hold for every metric of every task, on random material of the task's own kind.

A task says in `tests/tasks/<task>/laws.py` how to draw one item: `pairs()` is a hypothesis
strategy of (reference, output), and `perfect(reference)` is the output that is right everywhere.
Metrics that look at all items at once are given several.

Optional: `sure()`, a strategy of references for which a perfect output exists; `LEFT_OUT` and
`NO_BEST` (metric to reason), `INERT` ((metric, option) to reason), `OTHER` ((metric, option) to a
value that is not the default).
"""

import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from earmark import tasks
from earmark.score.counting import add
from earmark.score.evaluate import count_items, evaluate
from earmark.score.metric import Metric
from earmark.task.options import Option, options_of
from earmark.values.counts import RowCounts
from earmark.values.signature import Signature

HERE = Path(__file__).parent


def laws_of(task: str) -> ModuleType | None:
    """The task's own material for these laws."""
    path = HERE / "tasks" / task / "laws.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"laws_of_{task}", path)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LAWS = {name: found for name in tasks.names() if (found := laws_of(name))}
CASES = [
    (name, metric)
    for name, laws in LAWS.items()
    for metric in tasks.load(name).score
    if metric not in getattr(laws, "LEFT_OUT", {})
]
law = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def same(first: float, second: float) -> bool:
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9)


def built(task: str, metric: str) -> Metric:
    found = tasks.load(task).score[metric]()
    assert isinstance(found, Metric)
    return found


def items_of(
    data: st.DataObject, task: str, size: int = 4
) -> tuple[dict[str, Any], dict[str, Any]]:
    pairs = data.draw(st.lists(LAWS[task].pairs(), min_size=2, max_size=size))
    named = {f"item-{index}": pair for index, pair in enumerate(pairs)}
    return {k: p[0] for k, p in named.items()}, {k: p[1] for k, p in named.items()}


def every_metric(function: Callable[..., None]) -> Callable[..., None]:
    each = pytest.mark.parametrize(("task", "metric"), CASES)
    lawful: Callable[..., None] = each(law(given(data=st.data())(function)))
    return lawful


def test_every_task_with_metrics_brings_material_for_the_laws() -> None:
    assert set(LAWS) == {name for name in tasks.names() if tasks.load(name).score}


def test_every_exception_from_the_laws_has_a_reason() -> None:
    for laws in LAWS.values():
        for exceptions in ("LEFT_OUT", "NO_BEST", "INERT"):
            reasons = getattr(laws, exceptions, {}).values()
            assert all(isinstance(why, str) and why for why in reasons)


@every_metric
def test_the_reference_against_itself_is_best_or_undefined(
    data: st.DataObject, task: str, metric: str
) -> None:
    found = built(task, metric)
    if metric in getattr(LAWS[task], "NO_BEST", {}):
        return
    if hasattr(LAWS[task], "sure"):
        drawn = data.draw(st.lists(LAWS[task].sure(), min_size=1, max_size=3))
        reference = {f"item-{index}": value for index, value in enumerate(drawn)}
    else:
        reference, _ = items_of(data, task)
    perfect = {item: LAWS[task].perfect(value) for item, value in reference.items()}
    value = evaluate(found, reference, perfect, resamples=0).value
    assert math.isnan(value) or same(value, found.best)


@every_metric
def test_the_order_of_items_does_not_matter(data: st.DataObject, task: str, metric: str) -> None:
    reference, output = items_of(data, task)
    found = built(task, metric)
    backwards = dict(reversed(reference.items())), dict(reversed(output.items()))
    first = evaluate(found, reference, output, resamples=20, seed=3)
    second = evaluate(found, *backwards, resamples=20, seed=3)
    assert same(first.value, second.value)
    assert first.interval == second.interval


@every_metric
def test_counting_parts_and_adding_is_counting_all(
    data: st.DataObject, task: str, metric: str
) -> None:
    reference, output = items_of(data, task)
    found = built(task, metric)
    counts = count_items(found, reference, output, sorted(reference))
    rows = [counts[item] for item in sorted(counts)]
    whole, parts = add(rows), add([add(rows[:1]), add(rows[1:])])
    if isinstance(whole, RowCounts):
        pairs = zip(whole.row(), parts.row(), strict=True)
        assert all(same(a, b) for a, b in pairs)
    assert same(found.rate(whole), found.rate(parts))


@every_metric
def test_an_items_counts_depend_on_no_other_item_unless_the_metric_says_so(
    data: st.DataObject, task: str, metric: str
) -> None:
    reference, output = items_of(data, task)
    found = built(task, metric)
    if not found.separable:
        return
    together = count_items(found, reference, output, list(reference))
    for item in reference:
        alone = count_items(found, {"x": reference[item]}, {"x": output[item]}, ["x"])
        assert same(found.rate(together[item]), found.rate(alone["x"]))


@every_metric
def test_a_value_stays_in_its_range(data: st.DataObject, task: str, metric: str) -> None:
    reference, output = items_of(data, task)
    found = built(task, metric)
    score = evaluate(found, reference, output, resamples=10)
    assert math.isnan(score.value) or found.low - 1e-9 <= score.value <= found.high + 1e-9
    assert bool(score.why) == math.isnan(score.value)


@every_metric
def test_the_signature_reads_back_and_names_the_seed(
    data: st.DataObject, task: str, metric: str
) -> None:
    reference, output = items_of(data, task, size=2)
    found = built(task, metric)
    lines = [str(evaluate(found, reference, output, resamples=0, seed=s).signature) for s in (1, 2)]
    assert lines[0] != lines[1]
    assert str(Signature.parse(lines[0])) == lines[0]
    assert lines[0].startswith(f"{task}.{metric}|")


@every_metric
def test_the_same_seed_gives_the_same_interval(data: st.DataObject, task: str, metric: str) -> None:
    reference, output = items_of(data, task)
    found = built(task, metric)
    scores = [evaluate(found, reference, output, resamples=15, seed=5) for _ in range(2)]
    assert scores[0].interval == scores[1].interval


@every_metric
def test_sides_are_paired_by_id_and_not_by_place(
    data: st.DataObject, task: str, metric: str
) -> None:
    reference, output = items_of(data, task)
    lost = dict(list(output.items())[1:])
    with pytest.raises(ValueError, match="must name the same items"):
        evaluate(built(task, metric), reference, lost)


def other_value(task: str, metric: str, option: Option) -> Any:
    """A value that is not the default: what the task's laws name, or the next one that fits."""
    named = getattr(LAWS[task], "OTHER", {})
    if (metric, option.name) in named:
        return named[metric, option.name]
    if option.choices:
        return next(choice for choice in option.choices if choice != option.default)
    if option.kind is bool:
        return not option.default
    if option.kind is int:
        return (option.default or 0) + 1
    return 0.5 * option.default if option.default else 0.5


OPTIONS = [
    (task, metric, option)
    for task, metric in CASES
    for option in options_of(tasks.load(task).score[metric]).values()
    if (metric, option.name) not in getattr(LAWS[task], "INERT", {})
]


@pytest.mark.parametrize(("task", "metric", "option"), OPTIONS, ids=lambda x: getattr(x, "name", x))
def test_every_option_of_a_metric_can_change_its_number_and_its_signature(
    task: str, metric: str, option: Option
) -> None:
    """An option that never matters would be a promise that is not kept."""
    builder = tasks.load(task).score[metric]
    plain, changed = builder(), builder(**{option.name: other_value(task, metric, option)})
    pairs = st.lists(LAWS[task].pairs(), min_size=1, max_size=3)

    def matters(drawn: list[Any]) -> bool:
        reference = {str(n): pair[0] for n, pair in enumerate(drawn)}
        output = {str(n): pair[1] for n, pair in enumerate(drawn)}
        values = [evaluate(m, reference, output, resamples=0).value for m in (plain, changed)]
        return not same(values[0], values[1])

    searching = settings(max_examples=2000, deadline=None, phases=[Phase.generate])
    find(pairs, matters, settings=searching)
    assert plain.options != changed.options or plain.average != changed.average
