"""Zips by strangers: nothing is written outside, nothing grows wild, and each refusal says why."""

import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.files.archive import ArchiveLimits, check_name, unpack
from earmark.values.errors import InputError

Entry = tuple[str, bytes, int]  # name, content, mode


def packed(path: Path, *entries: Entry, how: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, content, mode in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = how
            archive.writestr(info, content)
    return path


FILE, LINK = stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777
TRICKS: dict[str, tuple[Entry, str]] = {
    "an absolute path": (("/etc/cron.d/x", b"x", FILE), "is absolute"),
    "a path upwards": (("../../x", b"x", FILE), "leads outside by .."),
    "a path upwards in the middle": (("a/../../x", b"x", FILE), "leads outside by .."),
    "a drive": (("C:/x", b"x", FILE), "is absolute"),
    "a backslash": (("a\\..\\x", b"x", FILE), "has the character"),
    "a link": (("x", b"/etc/passwd", LINK), "files and folders alone"),
    "a pipe": (("x", b"", stat.S_IFIFO | 0o644), "files and folders alone"),
    "a device": (("x", b"", stat.S_IFCHR | 0o644), "files and folders alone"),
    "a set user id": (("x", b"x", FILE | stat.S_ISUID), "may not set the user id"),
    "a line end in a name": (("a\nb", b"x", FILE), "has the character"),
    "a command in a name": (("$(reboot)", b"x", FILE), "has the character"),
    "an option as a name": (("a/-rf", b"x", FILE), "begins with a hyphen"),
    "a name too long": (("a" * 300, b"x", FILE), "too long"),
    "too deep": (("a/" * 30 + "x", b"x", FILE), "too deep"),
    "a bomb": (("x", bytes(50_000_000), FILE), "many times its size"),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_is_refused_with_its_reason_and_nothing_is_written(
    name: str, tmp_path: Path
) -> None:
    entry, reason = TRICKS[name]
    archive = packed(tmp_path / "trick.zip", ("predict.sh", b"true", FILE), entry)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match=reason):
        unpack(archive, tmp_path / "out" / "code")
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a", "a"), ("A", "a"), ("a/b", "a/B"), ("./a", "a")])
def test_a_name_twice_is_refused(names: tuple[str, str], tmp_path: Path) -> None:
    archive = packed(tmp_path / "twice.zip", *((name, b"x", FILE) for name in names))
    with pytest.raises(InputError, match="names a file twice"):
        unpack(archive, tmp_path / "code")


def test_a_file_where_a_folder_must_be_is_refused(tmp_path: Path) -> None:
    archive = packed(tmp_path / "both.zip", ("a", b"x", FILE), ("a/b", b"x", FILE))
    with pytest.raises(InputError, match=r"cannot be unpacked|twice"):
        unpack(archive, tmp_path / "code")


def test_sizes_are_counted_while_unpacking_and_not_believed(tmp_path: Path) -> None:
    archive = packed(tmp_path / "lie.zip", ("a", b"x" * 5000, FILE), how=zipfile.ZIP_STORED)
    data = archive.read_bytes()
    size = (5000).to_bytes(4, "little")
    archive.write_bytes(data.replace(size, (50).to_bytes(4, "little")))
    with pytest.raises(InputError):
        unpack(archive, tmp_path / "code")


def test_too_many_files_and_too_many_bytes_are_refused(tmp_path: Path) -> None:
    archive = packed(tmp_path / "many.zip", *((str(n), b"12345", FILE) for n in range(20)))
    with pytest.raises(InputError, match="too many files"):
        unpack(archive, tmp_path / "a", ArchiveLimits(entries=19))
    with pytest.raises(InputError, match="too large"):
        unpack(archive, tmp_path / "b", ArchiveLimits(total=99))
    unpack(archive, tmp_path / "c", ArchiveLimits(total=100, entries=20))
    assert len(list((tmp_path / "c").iterdir())) == 20


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04" + bytes(40)])
def test_what_is_no_zip_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(content)
    with pytest.raises(InputError, match="a folder, or a zip of one"):
        unpack(tmp_path / "no.zip", tmp_path / "code")


def test_a_folder_at_the_top_and_what_systems_leave_are_left_out(tmp_path: Path) -> None:
    archive = packed(
        tmp_path / "mac.zip",
        ("mine/predict.sh", b"true", stat.S_IFREG | 0o755),
        ("mine/.DS_Store", b"x", FILE),
        ("__MACOSX/mine/._predict.sh", b"x", FILE),
        ("mine/parts/model.txt", b"x", FILE),
    )
    unpack(archive, tmp_path / "code")
    files = [p.relative_to(tmp_path / "code").as_posix() for p in (tmp_path / "code").rglob("*.*")]
    assert sorted(files) == ["parts/model.txt", "predict.sh"]
    assert os.access(tmp_path / "code" / "predict.sh", os.X_OK)
    assert not os.access(tmp_path / "code" / "parts" / "model.txt", os.X_OK)


@pytest.mark.parametrize("name", ["a b.txt", "model_1.2+x=y@z,(1).npz", "é/ü.txt", "..a/b.."])
def test_names_that_people_use_are_taken(name: str, tmp_path: Path) -> None:
    assert str(check_name(name, at=tmp_path)) == name


def test_an_encrypted_zip_is_refused(tmp_path: Path, one_bit: Callable[[Path], None]) -> None:
    archive = packed(tmp_path / "locked.zip", ("a", b"x", FILE))
    one_bit(archive)
    with pytest.raises(InputError, match="encrypted"):
        unpack(archive, tmp_path / "code")


@pytest.fixture
def one_bit() -> Callable[[Path], None]:
    """Set the flag of encryption in the list of a zip."""

    def change(archive: Path) -> None:
        data = bytearray(archive.read_bytes())
        place = data.index(b"PK\x01\x02")
        data[place + 8] |= 1
        archive.write_bytes(bytes(data))

    return change
