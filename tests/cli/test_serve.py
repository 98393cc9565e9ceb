"""earmark serve: what it refuses before it listens."""

from pathlib import Path

import pytest
from tests.hostile import refused, special_files

from earmark.study import Study

pytest.importorskip("sqlalchemy", reason="needs earmark[web]")


def test_a_password_file_that_is_damaged_empty_or_special_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Study.create(tmp_path / "street", task="events")
    study.make(recordings=1, seconds=10.0)
    words = ["serve", str(study.folder), "--port", "0", "--password-file"]
    file = tmp_path / "password.txt"
    for data in (b"", b" \n", b"caf\xe9", b"a\x00b"):
        file.write_bytes(data)
        refused([*words, str(file)], capsys, file)
    for special in (tmp_path / "absent", *special_files(tmp_path, ".txt")):
        refused([*words, str(special)], capsys, special)
