"""A file or a folder is there whole, or as it was before: after an error, and after a kill."""

import os
import tempfile
from pathlib import Path

import pytest

from earmark.files import folder as folder_module
from earmark.files.folder import leftovers, recover, whole_folder, write_file, write_files
from earmark.values.errors import InputError

GONE = 999_999_999  # no process has this id: Linux stops at 2 ** 22


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"a folder"
        for path in sorted(folder.rglob("*"))
    }


def test_several_files_are_written_together_and_the_others_stay(tmp_path: Path) -> None:
    place = tmp_path / "place"
    write_files(place, {"a": "1", "b": "1", "c": "1"})
    (place / "sub").mkdir()
    (place / "sub" / "d").write_text("1")
    write_files(place, {"a": "2"}, drop=lambda name: name == "b")
    assert tree(tmp_path) == {
        "place": b"a folder",
        "place/a": b"2",
        "place/c": b"1",
        "place/sub": b"a folder",
        "place/sub/d": b"1",
    }


def test_when_the_second_of_two_files_fails_the_first_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    write_files(place, {"a": "1", "b": "1"})
    before = tree(tmp_path)
    calls = iter([None, OSError(28, "No space left on device")])

    def fsync(descriptor: int) -> None:
        problem = next(calls)
        if problem:
            raise problem

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(InputError, match="No space left on device"):
        write_files(place, {"a": "2", "b": "2"})
    assert tree(tmp_path) == before


@pytest.mark.parametrize("exchange", [True, False])
def test_a_folder_is_replaced_with_and_without_the_exchange_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    if not exchange:
        monkeypatch.setattr(folder_module, "_exchange", lambda one, other: False)
    for text in ("one", "two", "three"):
        with whole_folder(tmp_path / "place") as inside:
            (inside / "a").write_text(text)
        assert tree(tmp_path) == {"place": b"a folder", "place/a": text.encode()}


def test_the_former_folder_returns_when_the_second_rename_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "place", {"a": "1"})
    before = tree(tmp_path)
    monkeypatch.setattr(folder_module, "_exchange", lambda one, other: False)
    rename = os.rename

    def failing(source: Path, to: Path) -> None:
        if source.name.startswith(".partial-"):
            raise OSError(5, "Input/output error")
        rename(source, to)

    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(InputError, match="Input/output error"):
        write_files(tmp_path / "place", {"a": "2"})
    assert tree(tmp_path) == before


@pytest.mark.parametrize("place", [".", "deep", "deep/deeper"])
def test_what_a_kill_left_aside_returns_at_every_level(tmp_path: Path, place: str) -> None:
    parent = tmp_path / place
    write_files(parent / "aside", {"a": "1"})
    write_files(parent / "there", {"a": "new"})
    before = tree(tmp_path)
    (parent / "aside").rename(parent / ".old-aside")
    write_files(parent / ".old-there", {"a": "old"})
    (parent / f".partial-{GONE}-x").mkdir()
    (parent / f".partial-{GONE}-x" / ".old-y").write_text("")
    (parent / f".partial-{GONE}-z").write_text("")
    assert len(leftovers(tmp_path)) == 4
    recover(tmp_path)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("name", ["mkstemp", "mkdtemp"])
def test_a_place_that_cannot_be_written_is_wrong_input_and_no_folder_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def refuse(**_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, name, refuse)
    path = tmp_path / "new" / "newer" / "place"
    with pytest.raises(InputError) as error:
        if name == "mkstemp":
            write_file(path, "text")
        else:
            write_files(path, {"a": "text"})
    kind = "file" if name == "mkstemp" else "folder"
    message = f"the {kind} cannot be written\n  at:   {path}\n  got:  Read-only file system"
    assert str(error.value) == message
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_a_folder_is_wrong_input_and_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for write in (
        lambda: write_file(tmp_path / "file" / "a", "text"),
        lambda: write_files(tmp_path / "file", {"a": "text"}),
        lambda: write_files(tmp_path / "file" / "place", {"a": "text"}),
    ):
        with pytest.raises(InputError, match="cannot be written"):
            write()
        assert tree(tmp_path) == {"file": b"mine"}


def test_a_folder_that_others_use_meanwhile_is_not_removed(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), whole_folder(tmp_path / "new" / "place"):
        (tmp_path / "new" / "theirs").write_text("x")
        raise RuntimeError("stop")
    assert tree(tmp_path) == {"new": b"a folder", "new/theirs": b"x"}
