"""A small corpus: the tour's talks."""

import json
from pathlib import Path

import pytest
from tests.tasks.context.making import corrupted

from earmark.task.task import Training
from earmark.tasks.context.talks import TALKS
from earmark.values.reference import Reference


@pytest.fixture(scope="session")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("talks") / "talks.jsonl"
    lines = [json.dumps({"id": name, "text": text.strip()}) for name, text in TALKS.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def training(talks: Path) -> Training:
    made = list(corrupted(text=talks, seed=3, swaps=5, reveal=True))
    truth = Reference("truth", {m.item.id: m.truth for m in made})
    return Training(tuple(m.item for m in made), truth)
