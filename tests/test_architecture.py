"""docs/architecture.md and the tree agree: every room is named, every name is there."""

import ast
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
SOURCE = TOP / "src" / "earmark"
PAGE = (TOP / "docs" / "architecture.md").read_text(encoding="utf-8")
# `study/score.py` `score_files`: a file of the package, and a function or class in it
STEPS = re.findall(r"`([\w/]+\.py)` `([\w.]+)`", PAGE)


def rooms() -> set[str]:
    """Return the folders of code, to the depth that the page describes: a verb of a task."""
    folders = {path.parent.relative_to(SOURCE) for path in SOURCE.rglob("__init__.py")}
    return {folder.as_posix() for folder in folders if 1 <= len(folder.parts) <= 3}


def rooms_on_the_page() -> set[str]:
    """The rows of the table of rooms; `<task>` stands for each task that has such a folder."""
    named = set()
    for cell in re.findall(r"^\| `([\w<>/]+)/` \|", PAGE, flags=re.M):
        if "<task>" not in cell:
            if (SOURCE / cell / "__init__.py").exists() or not (SOURCE / cell).is_dir():
                named.add(cell)
            continue
        for task in (path.parent.name for path in SOURCE.glob("tasks/*/__init__.py")):
            room = cell.replace("<task>", task)
            if (SOURCE / room / "__init__.py").exists():
                named.add(room)
    return named


def test_the_page_names_every_room_and_no_other() -> None:
    assert rooms_on_the_page() == rooms()


def defined(path: Path) -> set[str]:
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            inside = (part for part in node.body if isinstance(part, ast.FunctionDef))
            names |= {f"{node.name}.{part.name}" for part in inside}
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def test_the_walk_has_steps() -> None:
    assert len(STEPS) > 20


@pytest.mark.parametrize(("file", "name"), STEPS)
def test_every_step_of_the_walk_is_there(file: str, name: str) -> None:
    assert name in defined(SOURCE / file)


def test_no_task_folder_has_more_than_twelve_modules_directly_in_it() -> None:
    for folder in SOURCE.glob("tasks/*/"):
        assert len(list(folder.glob("*.py"))) <= 12, folder.name
