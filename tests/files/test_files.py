"""Reading says file and line of what is wrong; writing is whole or not at all."""

import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.files import jsonl
from earmark.files.digest import digest, file_digest
from earmark.files.folder import recover, whole_folder, write_file
from earmark.files.ogg import with_serial
from earmark.files.sound import ogg_bytes, read_sound, resample, sound_seconds, write_sound
from earmark.files.text import read_bytes, read_text
from earmark.values.errors import InputError


def test_text_of_any_common_encoding_is_read(tmp_path: Path) -> None:
    for data in (b"\xef\xbb\xbfa\r\nb", b"a\rb", "a\nb".encode("utf-16")):
        (tmp_path / "t").write_bytes(data)
        assert read_text(tmp_path / "t") == "a\nb"


def test_latin_1_is_refused_with_its_line_and_read_on_request(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"ok\ncaf\xe9\n")
    with pytest.raises(InputError) as error:
        read_text(tmp_path / "t")
    assert f"{tmp_path}/t:2" in str(error.value) and "0xe9" in str(error.value)
    assert read_text(tmp_path / "t", encoding="latin-1") == "ok\ncafé\n"


def test_missing_files_and_folders_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_bytes(tmp_path / "none")
    with pytest.raises(InputError, match="not a folder"):
        read_bytes(tmp_path)


def test_jsonl_keeps_what_made_it(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    write_file(path, jsonl.lines({"verb": "make"}, [{"b": 1, "a": 2}]))
    assert path.read_text() == '{"made_by": {"verb": "make"}}\n{"a": 2, "b": 1}\n'
    assert list(jsonl.read(path)) == [(2, {"a": 2, "b": 1})]
    assert jsonl.header(path) == {"verb": "make"}
    path.write_text("no json\n")
    assert jsonl.header(path) == {}
    with pytest.raises(InputError, match="one JSON value"):
        list(jsonl.read(path))


def test_digests_follow_content_and_not_order(tmp_path: Path) -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
    values: list[object] = [1, 1.0, "1", True, None, [1], [], {}, {"a": 1}, {"is": "A", "a": 1}]
    assert len({digest({"a": value}) for value in values}) == len(values)
    assert digest({"a": ["b"], "c": []}) != digest({"a": [], "c": ["b"]})
    (tmp_path / "f").write_bytes(b"x")
    assert len(file_digest(tmp_path / "f")) == 16


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    place = tmp_path / "place"
    with pytest.raises(RuntimeError), whole_folder(place) as inside:
        (inside / "a").write_text("half")
        raise RuntimeError("stop")
    assert not place.exists()
    for text in ("one", "two"):
        with whole_folder(place) as inside:
            (inside / "a").write_text(text)
    assert (place / "a").read_text() == "two"
    assert [p.name for p in tmp_path.iterdir()] == ["place"]


def test_what_a_living_process_writes_is_left_alone(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "place") as inside:
        (inside / "a").write_text("x")
        recover(tmp_path)
        assert (inside / "a").exists()
    (tmp_path / ".partial-999999999-x").mkdir()
    (tmp_path / ".partial-odd").write_text("")
    recover(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["place"]


@pytest.mark.parametrize("ending", ["wav", "flac", "ogg"])
def test_sound_survives_a_file(tmp_path: Path, ending: str) -> None:
    tone = np.sin(np.arange(8000) / 8).astype(np.float32) * 0.5
    path = tmp_path / f"tone.{ending}"
    write_sound(path, tone, 8000)
    read, rate = read_sound(path)
    assert rate == 8000 and len(read) == 8000
    assert sound_seconds(path) == pytest.approx(1.0)
    if ending != "ogg":
        assert np.abs(read - tone).max() < 1e-4
    assert len(read_sound(path, rate=16000)[0]) == 16000
    assert resample(tone, 8000, 8000) is tone


def test_the_same_sound_is_the_same_bytes_as_ogg_and_others_can_read_it() -> None:
    samples = np.sin(np.arange(30_000) / 20).astype(np.float32)  # more than one page
    first, second = ogg_bytes(samples, 8000), ogg_bytes(samples, 8000)
    assert first == second and first.count(b"OggS") > 2
    read, rate = soundfile.read(io.BytesIO(first), dtype="float32")
    assert rate == 8000 and np.abs(read - samples).max() < 0.1


def test_the_checksums_of_ogg_pages_are_those_that_libsndfile_writes() -> None:
    out = io.BytesIO()
    soundfile.write(out, np.zeros(8000), 8000, format="OGG", subtype="VORBIS")
    written = out.getvalue()
    assert with_serial(written, int.from_bytes(written[14:18], "little")) == written
    assert with_serial(written, 7) != written


def test_what_is_no_sound_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"RIFFnothing")
    with pytest.raises(InputError, match="a sound file must be readable"):
        read_sound(tmp_path / "a.wav")
    with pytest.raises(InputError, match="a sound file must be readable"):
        sound_seconds(tmp_path / "a.wav")


def test_a_sound_that_cannot_be_written_is_wrong_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for ending in ("wav", "flac", "ogg"):
        (tmp_path / f"full.{ending}").symlink_to("/dev/full")
    for place in (tmp_path / "file" / "a.wav", *sorted(tmp_path.glob("full.*"))):
        with pytest.raises(InputError, match="the sound file cannot be written"):
            write_sound(place, np.zeros(80_000, dtype=np.float32), 8000)
