"""Each tutorial runs from its files to its end, and prints the lines that it shows."""

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import tutorial_files

Call = Callable[..., tuple[int, str, str]]
TOP = Path(__file__).parents[1]
TUTORIALS = sorted((TOP / "docs/tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what people start from."""
    folder = tmp_path_factory.mktemp("tutorials")
    tutorial_files.write_all(folder)
    return folder


def steps(page: Path) -> list[tuple[str, str, list[str]]]:
    """Return what a page does, in order: a language, a command or code, and the lines shown."""
    result: list[tuple[str, str, list[str]]] = []
    text = page.read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S):
        if language == "python":
            result.append((language, block, []))
            continue
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                result.append(("shell", line.removeprefix("$ "), []))
            elif result and line.strip() not in ("", "..."):
                result[-1][2].append(line)
    return result


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_ends_in_the_result_and_prints_what_it_shows(
    page: Path, desk: Path, tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    shutil.copytree(desk, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    for kind, what, lines in steps(page):
        if kind == "python":
            capsys.readouterr()
            exec(compile(what, page.name, "exec"), names)
            printed = capsys.readouterr().out
            shown = re.findall(r"^# (.*)$", what, re.M)
        else:
            words = shlex.split(what)
            if words[0] == "earmark":
                code, out, err = earmark(*words[1:])
                printed, shown = out + err, lines
                assert code == (
                    2 if any(line.startswith(("  fix:", "  want:")) for line in lines) else 0
                ), err
            else:
                assert words[0] in ("head", "cat"), what
                printed, shown = Path(words[-1]).read_text(encoding="utf-8"), lines
        missing = [line for line in shown if line.rstrip() not in printed]
        assert not missing, f"{what}\n{printed}"


def test_there_is_a_tutorial_for_each_of_the_seven_users() -> None:
    nav = (TOP / "mkdocs.yml").read_text(encoding="utf-8")
    assert len(TUTORIALS) == 7
    assert not [page.name for page in TUTORIALS if f"tutorials/{page.name}" not in nav]
