"""Benchmarks import Earmark inside functions: a name that has moved shows only when they run."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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
