"""The border of files: what text, JSON, gzip, arrays and sounds are refused for."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from earmark.files import jsonl
from earmark.files.json_text import DEEPEST, JsonError, parse_json, read_json
from earmark.files.npz import read_array, read_arrays
from earmark.files.sound import read_sound, sound_seconds, write_sound
from earmark.files.text import read_lines, read_packed_lines, read_text
from earmark.values.errors import InputError

READERS: dict[str, Callable[[Path], object]] = {
    "text": read_text,
    "lines": lambda path: list(read_lines(path)),
    "packed lines": lambda path: list(read_packed_lines(path)),
    "JSON": read_json,
    "JSON lines": lambda path: list(jsonl.read(path)),
    "header": jsonl.header,
    "arrays": lambda path: read_arrays(path, what="arrays are needed"),
    "array": lambda path: read_array(path, what="an array is needed"),
    "sound": read_sound,
    "duration": sound_seconds,
}


@pytest.mark.parametrize("name", READERS)
def test_a_named_pipe_is_refused_before_it_is_opened(name: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError) as error:
        READERS[name](pipe)
    assert str(error.value) == (
        "a regular file is needed here\n"
        f"  at:   {pipe}\n"
        "  got:  a named pipe\n"
        "  fix:  write its content to a file, and name that"
    )


@pytest.mark.parametrize("name", READERS)
def test_a_device_and_a_name_with_a_zero_byte_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="a device"):
        READERS[name](Path("/dev/zero"))
    with pytest.raises(InputError, match="there is no such file"):
        READERS[name](Path("a\0b"))


def test_json_is_refused_that_would_break_whoever_uses_it() -> None:
    for text, reason in {
        "[" * 100_000 + "]" * 100_000: "deep",
        "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2): "deep",
        "7" * 5000: "5000 digits",
        "-9223372036854775809": "64 bits",
        '"\\ud800"': "surrogate",
        '{"\\uDC00": 1}': "surrogate",
        "": "Expecting value",
    }.items():
        with pytest.raises(JsonError, match=reason):
            parse_json(text)


def test_json_up_to_the_bounds_is_read() -> None:
    assert parse_json("9223372036854775807") == 2**63 - 1
    assert parse_json('"\\ud83d\\ude00"') == "\N{GRINNING FACE}"
    assert parse_json("[[1], " * 50 + "2" + "]" * 50)
    assert parse_json("[" * DEEPEST + "]" * DEEPEST)


def test_a_line_of_json_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"made_by": {}}\n{}\n' + "7" * 20 + "\n")
    with pytest.raises(InputError, match=r"a\.jsonl:3\n"):
        list(jsonl.read(path))


def test_a_header_of_another_kind_is_refused_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"made_by": {"recipe": [5]}}\n')
    with pytest.raises(InputError, match=r"recipe in a file's first line must be an object"):
        jsonl.header(path)


def test_damaged_gzip_is_refused_wherever_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    whole = gzip.compress(b'{"id": "a", "text": "we are here"}\n' * 50, mtime=0)
    path.write_bytes(whole)
    assert len(list(read_packed_lines(path))) == 50
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        path.write_bytes(bytes(damaged[: max(place, 1)]))
        with pytest.raises(InputError, match="no gzip of UTF-8 text"):
            list(read_packed_lines(path))
        path.write_bytes(bytes(damaged))
        try:
            list(read_packed_lines(path))
        except InputError:
            continue


def test_a_gzip_bomb_is_refused_before_it_fills_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    block = gzip.compress(b"\0" * 2**24, mtime=0)  # gzip files in a row are one file
    path.write_bytes(block * 8)
    with pytest.raises(InputError, match="must not unpack to many times its size"):
        list(read_packed_lines(path))


def test_damaged_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, a=np.arange(50), b=np.array(["x", "y"]))
    whole = path.read_bytes()
    assert sorted(read_arrays(path, what="arrays are needed")) == ["a", "b"]
    for place in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        for data in (bytes(damaged), whole[:place]):
            path.write_bytes(data)
            try:
                read_arrays(path, what="arrays are needed")
            except InputError as error:
                assert "arrays are needed" in str(error) and str(path) in str(error)


def test_an_array_that_would_run_code_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="an array is needed"):
        read_array(path, what="an array is needed")


def test_a_sound_that_cannot_be_written_is_the_users_to_mend(tmp_path: Path) -> None:
    samples = np.zeros(800, dtype=np.float32)
    with pytest.raises(InputError, match="the sound file cannot be written"):
        write_sound(tmp_path / "nowhere" / "a.wav", samples, 8000)
    full = tmp_path / "full.wav"
    full.symlink_to("/dev/full")
    with pytest.raises(InputError, match="the sound file cannot be written"):
        write_sound(full, np.zeros(800_000, dtype=np.float32), 8000)


def test_the_first_line_of_a_message_shows_control_characters() -> None:
    message = str(InputError("there is no system '\x1b[31mEVIL\x07\u202e'"))
    assert message == r"there is no system '\x1b[31mEVIL\x07\x202e'"
    assert len(str(InputError("x" * 10_000))) < 1000
