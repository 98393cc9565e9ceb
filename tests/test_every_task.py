"""The contract, run on every folder found in tasks/."""

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from earmark import tasks
from earmark.score.choices import settings_of
from earmark.score.metric import Metric
from earmark.task.options import call_with, options_of, record_of
from earmark.task.task import Task

NAMES = tasks.names()
SLOTS = ("make", "reconcile", "run", "train", "score", "report")


@pytest.fixture(params=NAMES)
def task(request: pytest.FixtureRequest) -> Task:
    return tasks.load(request.param)


def test_a_task_is_named_after_its_folder_and_says_where_it_comes_from(task: Task) -> None:
    folder = Path(str(inspect.getfile(tasks))).parent / task.name
    assert folder.is_dir() and (folder / "README.md").exists()
    assert task.title and task.asks and task.paper.title and task.paper.year > 1900


def slot_functions(task: Task) -> list[tuple[str, Callable[..., Any]]]:
    named = [(f"{slot} {n}", f) for slot in SLOTS for n, f in getattr(task, slot).items()]
    single = {"measure": task.measure, "audit": task.audit, "files": task.reconcile_files}
    units = {"units": task.ask.units} if task.ask else {}
    return [*named, *((name, f) for name, f in {**single, **units}.items() if f)]


def test_every_function_takes_its_options_as_one_record_and_the_rest_by_keyword(task: Task) -> None:
    for name, function in slot_functions(task):
        parameters = inspect.signature(function).parameters.values()
        plain = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        assert len([p for p in plain if p != "options"]) <= 2, name
        assert ("options" in plain) == (record_of(function) is not None), name


def test_every_options_record_is_frozen_and_every_option_has_a_default_and_a_line_of_help(
    task: Task,
) -> None:
    for name, function in slot_functions(task):
        record = record_of(function)
        if record is None:
            continue
        assert record.__dataclass_params__.frozen, name  # type: ignore[attr-defined]
        assert hash(record()) == hash(record()), name
        for option in options_of(function).values():
            assert option.help.endswith((".", "]")), f"{name} --{option.flag} has no help line"


def test_every_metric_builds_with_its_defaults_under_its_own_name(task: Task) -> None:
    for name, builder in task.score.items():
        metric = builder()
        assert isinstance(metric, Metric)
        assert (metric.task, metric.name) == (task.name, name)


def test_every_public_metric_says_its_definition_and_when_it_is_undefined(task: Task) -> None:
    for name, builder in task.score.items():
        text = inspect.getdoc(builder) or ""
        assert "Definition" in text and "Undefined" in text, name


def test_a_task_with_a_road_has_a_tour(task: Task) -> None:
    if task.make and task.run and task.score:
        assert task.tour is not None
        assert task.tour.about


def test_loading_all_tasks_imports_nothing_heavy() -> None:
    code = (
        "import sys, json; from earmark import tasks\n"
        "[tasks.load(n) for n in tasks.names()]\n"
        "heavy = {'torch','numba','scipy','spacy','sklearn','soundfile','transformers','rich'}\n"
        "print(json.dumps(sorted(heavy & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_help_imports_nothing_but_the_option_parser() -> None:
    code = (
        "import sys\nfrom earmark.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "assert not {'numpy','torch','rich','numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_choices_are_options_of_their_metric_and_hold_its_default(task: Task) -> None:
    for metric, options in task.choices.items():
        builder = task.score[metric]
        built = [call_with(builder, options=setting) for setting in settings_of(options, {})]
        plain = call_with(builder, options={})
        alike = [one for one in built if dict(one.options) == dict(plain.options)]
        assert len(alike) == 1, metric
        assert len(built) > 1, metric
