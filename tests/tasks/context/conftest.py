"""A small corpus: the tour's talks."""

import json
from pathlib import Path

import pytest

from earmark.tasks.context.talks import TALKS


@pytest.fixture(scope="session")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("talks") / "talks.jsonl"
    lines = [json.dumps({"id": name, "text": text.strip()}) for name, text in TALKS.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
