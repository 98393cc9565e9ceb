"""A user without a home folder, and an install that cannot be written: everything still works."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import earmark
from earmark import kernels
from earmark.task.progress import notes_to
from earmark.text.text_cache import TextCache, cache_folder

SOURCE = Path(earmark.__file__).parent
# Compiles kernels, scores, and embeds: whatever keeps a cache.
ROAD = """
import sys
from earmark.cli.main import main
for words in (
    ["make", "events", "street", "--recordings", "1", "--seconds", "10"],
    ["ask", "street", "--simulate"],
    ["reconcile", "street", "--by", "mace"],
    ["run", "street", "labels", "--train-on", "mace"],
    ["score", "street", "--against", "truth", "--resamples", "10", "--metric", "intersection_f1"],
    ["verify", "street"],
):
    try:
        main(words)
    except SystemExit as stop:
        assert not stop.code, words
"""


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A copy of the package in which no cache can be written, not even by an administrator."""
    place = tmp_path / "site"
    shutil.copytree(SOURCE, place / "earmark", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [place / "earmark", *(place / "earmark").rglob("*")]:
        if folder.is_dir():
            (folder / "__pycache__").write_text("a file where a folder would be")
    return place


def road(site: Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    dropped = ("HOME", "XDG_CACHE_HOME", "EARMARK_CACHE", "NUMBA_CACHE_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    return subprocess.run(
        [sys.executable, "-c", ROAD],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(site), **variables},
        capture_output=True,
        text=True,
    )


def test_without_a_home_in_a_sealed_install_every_verb_works(sealed: Path, tmp_path: Path) -> None:
    """Code is compiled into the place for temporary files, with a word."""
    place = tmp_path / "temporary"
    place.mkdir()
    result = road(sealed, tmp_path, HOME="/dev/null/nobody", TMPDIR=str(place))
    assert result.returncode == 0 and "Traceback" not in result.stderr, result.stderr
    stored = place / f"{kernels.VERSION}-{os.getuid()}"
    assert f"compiled code is in {stored}" in result.stderr
    assert list(stored.rglob("*.nbi"))


def test_code_that_can_be_stored_nowhere_is_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[bool] = []

    def no_place(*, cache: bool) -> Callable[[Any], Any]:
        tries.append(cache)
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    monkeypatch.setattr("numba.njit", no_place)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "unwritable"))
    kernels.installed_cache.cache_clear()
    kernels.temporary_cache.cache_clear()
    notes: list[str] = []
    with notes_to(notes.append):
        assert kernels.njit(cache=True)(lambda number: 2 * number)(2) == 4
    kernels.installed_cache.cache_clear()
    kernels.temporary_cache.cache_clear()
    assert tries == [True, False]
    assert notes == ["compiled code can be stored nowhere: every command compiles it anew"]


def test_compiled_code_of_another_version_is_never_run(tmp_path: Path) -> None:
    """Two versions of a kernel, of one size and one time, as reproducible installs have them."""
    place = tmp_path / "twice.py"
    answers = []
    for number in (1, 2):
        place.write_text(
            "from earmark import kernels\n"
            f"kernels.VERSION = 'earmark-0.{number}.0'\n"
            "@kernels.njit(cache=True)\n"
            f"def answer():\n    return {number}\n"
            "print(answer())\n"
        )
        os.utime(place, (1_000_000_000, 1_000_000_000))
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "caches")}
        result = subprocess.run(
            [sys.executable, str(place)], env=environment, capture_output=True, text=True
        )
        answers.append(result.stdout.strip() or result.stderr)
    assert answers == ["1", "2"]
    assert sorted(path.name for path in (tmp_path / "caches").iterdir()) == [
        "earmark-0.1.0",
        "earmark-0.2.0",
    ]


@pytest.mark.parametrize("kind", ["open", "file"])
def test_what_others_could_write_is_not_trusted_with_code(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kernels.temporary_cache.cache_clear()
    open_to_all = tmp_path / f"{kernels.VERSION}-{os.getuid()}"
    if kind == "file":
        open_to_all.write_text("")
    else:
        open_to_all.mkdir()
        open_to_all.chmod(0o777)
    own = kernels.temporary_cache()
    kernels.temporary_cache.cache_clear()
    assert own is not None and own != open_to_all and own.stat().st_mode & 0o077 == 0


def test_vectors_without_a_home_are_computed_and_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "EARMARK_CACHE"):
        monkeypatch.delenv(name, raising=False)

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    assert cache_folder() is None
    monkeypatch.setenv("HOME", "/dev/null/nobody")
    monkeypatch.undo()
    cache = TextCache("m", folder=Path("/dev/null/nobody/.cache"), most=9)
    cache.put({"a": b"1"})
    assert cache.get(["a"]) == {}
