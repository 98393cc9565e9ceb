import gzip
import json

import pytest

from earmark.tasks.context.make.documents import document, read_documents
from earmark.values.errors import InputError


def test_a_document_is_cut_with_its_places():
    found = document("a", "We don't go.")
    assert found.tokens == ("We", "do", "n't", "go", ".")


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def test_gzip_and_folders_are_read(tmp_path):
    folder = tmp_path / "f"
    (folder / "sub").mkdir(parents=True)
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(b'{"id": "b", "text": "Two."}\n'))
    (folder / "sub" / "a.txt").write_text("One.", encoding="utf-8")
    (folder / "README").write_text("not a document", encoding="utf-8")
    assert [d.id for d in read_documents(folder)] == ["b", "sub/a"]


def test_the_same_id_twice_and_a_broken_gzip_are_refused(tmp_path):
    row = {"id": "a", "text": "x"}
    with pytest.raises(InputError, match="document id must appear once"):
        read_documents(write(tmp_path / "a.jsonl", row, row))
    (tmp_path / "b.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="no gzip"):
        read_documents(tmp_path / "b.jsonl.gz")
