"""Benchmarks import Earmark inside functions: a name that has moved shows only when they run."""

import ast
import importlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from benchmarks.simulate.frame import Part, Row, as_markdown, simulate, with_tables

ROOT = Path(__file__).parents[1]
SUBJECTS = ("agreement", "draws", "intervals", "people", "plan", "ranks")
SCRIPTS = sorted(path for room in ("benchmarks", "scripts") for path in (ROOT / room).rglob("*.py"))


def our_imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "earmark":
            yield from ((node.module or "", name.name) for name in node.names)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_name_that_a_benchmark_imports_exists(path):
    missing = []
    for module, name in our_imports(path):
        if not hasattr(importlib.import_module(module), name):
            try:
                importlib.import_module(f"{module}.{name}")
            except ModuleNotFoundError:
                missing.append(f"{module}.{name}")
    assert not missing


class Run(NamedTuple):
    """Two numbers of one simulation."""

    right: float
    wrong: float


def run_once(log: Path) -> Run:
    with log.open("a", encoding="utf-8") as file:
        file.write("run\n")
    return Run(0.8, 0.2)


def test_cells_that_are_parts_of_one_simulation_share_its_run(tmp_path: Path) -> None:
    log = tmp_path / "log"
    rows = [
        Row("t", "right", {"10": Part(partial(run_once, log), "right")}, low=0.7),
        Row("t", "wrong", {"10": Part(partial(run_once, log), "wrong")}, high=0.1),
        Row("t", "plain", {"10": partial(float, 15)}, low=15),
    ]
    results = simulate(rows)
    assert log.read_text(encoding="utf-8") == "run\n"
    assert [values for _, values in results] == [{"10": 0.8}, {"10": 0.2}, {"10": 15.0}]
    table = as_markdown(results)
    assert "| wrong | 0.200 (!) | at most 0.1 |" in table and "| right | 0.800 | at least" in table


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_page_about_numbers_has_every_table_that_the_simulation_prints(subject: str) -> None:
    """The numbers themselves need the simulation, `make simulate`; names, columns, targets do not.

    A table whose rows or promises changed cannot stay on the page as it was.
    """
    module = importlib.import_module(f"benchmarks.simulate.{subject}")
    lines = (ROOT / "docs/numbers.md").read_text(encoding="utf-8").splitlines()
    blank = as_markdown([(row, {c: 0.0 for c in row.cells}) for row in module.rows()])
    for line in filter(None, blank.splitlines()):
        cells = line.replace(" (!)", "").split(" | ")
        if line.startswith("|---"):
            continue
        alike = [own for own in lines if own.startswith(f"{cells[0]} | ")]
        assert len(alike) >= 1, line
        if cells[1] == "0.000" or cells[1] == "":
            ends = [(len(own.split(" | ")), own.split(" | ")[-1]) for own in alike]
            assert (len(cells), cells[-1]) in ends, line
        else:
            assert line in alike


def test_every_subject_of_the_simulation_is_known() -> None:
    places = (ROOT / "benchmarks/simulate").glob("*.py")
    with_rows = {path.stem for path in places if "def rows(" in path.read_text(encoding="utf-8")}
    assert with_rows == set(SUBJECTS)


def test_printed_tables_take_the_place_of_those_on_a_page() -> None:
    page = "# Page\n\n| t | 5 | must be |\n|---|---|---|\n| old | 1 |  |\n\nWords.\n"
    printed = "| t | 5 | 10 | must be |\n|---|---|---|---|\n| new | 0.1 | 0.2 |  |\n"
    assert with_tables(page, printed) == f"# Page\n\n{printed}\nWords.\n"
    with pytest.raises(KeyError):
        with_tables(page, printed.replace("| t |", "| other |"))


def test_marks_of_recognised_words_stay_with_the_words_that_are_aligned():
    from benchmarks.talks.recognised import carried

    words = "we saw it then they sat down why".split()
    labels = ["O", "O", "PERIOD", "O", "O", "O", "PERIOD", "QUESTION"]
    recognised = "we saw then they sat down wine why".split()  # "it" is lost, "wine" is added
    after, alignment = carried(words, labels, recognised)
    assert after == ["O", "PERIOD", "O", "O", "O", "O", "PERIOD", "QUESTION"]
    assert alignment.errors == 2


def test_what_is_spoken_in_one_go_ends_with_a_sentence_unless_that_is_too_long():
    from benchmarks.talks.recognised import ENOUGH, MOST, pieces

    labels = ["O"] * 200
    labels[9] = labels[ENOUGH + 1] = labels[-1] = "PERIOD"
    parts = list(pieces(labels, labels))
    assert parts[0] == (0, ENOUGH + 2)
    assert parts[1] == (ENOUGH + 2, ENOUGH + 2 + MOST)
    assert [start for start, _ in parts[1:]] == [stop for _, stop in parts[:-1]]
    assert parts[-1][1] == 200
