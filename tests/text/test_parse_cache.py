"""Trees are read from the cache without loading spaCy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("spacy", reason="needs the extra text")

PROGRAM = """
import sys
from earmark.text.parse import parse
print([[word.lemma for word in tree] for tree in parse(["two dogs bark", "", "two dogs bark"])])
print("spacy" in sys.modules)
"""


def test_trees_that_were_parsed_before_need_no_spacy(tmp_path: Path) -> None:
    def run() -> list[str]:
        env = {**os.environ, "EARMARK_CACHE": str(tmp_path)}
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    first, second = run(), run()
    assert first == ["[['two', 'dog', 'bark'], [], ['two', 'dog', 'bark']]", "True"]
    assert second == [first[0], "False"]
