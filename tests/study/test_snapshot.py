"""A verb opens a study once and parses each of its files once."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from earmark.study import Study

pytestmark = pytest.mark.usefixtures("sixth")

# Print every file that the command opens for reading; the hook sees all opens of the interpreter.
COUNT_READS = """
import sys
def hook(event, args):
    if event == "open" and isinstance(args[0], str) and "r" in str(args[1] or "r"):
        print("READ", args[0], file=sys.stderr)
sys.addaudithook(hook)
from earmark.cli.main import main
main(sys.argv[1:])
"""


def reads(*words: object) -> Counter[str]:
    done = subprocess.run(
        [sys.executable, "-c", COUNT_READS, *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
    )
    study = str(words[1])
    lines = [line.removeprefix("READ ") for line in done.stderr.splitlines()]
    return Counter(line.removeprefix(study) for line in lines if line.startswith(study))


@pytest.fixture
def coins(tmp_path: Path) -> Study:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=6)
    study.ask(simulate=True)
    study.reconcile("majority")
    study.run("always")
    study.score("majority", resamples=10)
    study.score("truth", resamples=10)
    return study


def test_report_reads_each_file_of_the_study_once(coins: Study) -> None:
    counts = reads("report", coins.folder)
    assert "/1-material/truth.jsonl" in counts and "/5-scores/board-truth.json" in counts
    assert {name: times for name, times in counts.items() if times > 1} == {}


def test_reconcile_parses_each_file_once_and_takes_digests_of_what_it_was_made_from(
    coins: Study,
) -> None:
    """The digest reads the bytes a second time; nothing is parsed twice."""
    assert max(reads("reconcile", coins.folder).values()) <= 2


def test_two_studies_with_different_seeds_are_not_equal_and_can_be_hashed(coins: Study) -> None:
    other = Study.open(coins.folder, seed=8)
    assert other != coins
    assert len({other, coins}) == 2


def test_what_a_verb_wrote_is_seen_by_the_next_call_of_the_same_object(coins: Study) -> None:
    assert set(coins.outputs()) == {"always"}
    coins.run("always", name="tails", heads=False)
    assert set(coins.outputs()) == {"always", "tails"}


def test_a_snapshot_does_not_change_when_the_study_does(coins: Study) -> None:
    snapshot = coins.snapshot()
    before = snapshot.outputs()
    coins.run("always", name="tails", heads=False)
    assert snapshot.outputs() == before
