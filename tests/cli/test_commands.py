"""The options of a command follow from its words, and parsing writes nothing."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in paths}


@pytest.fixture
def street(tmp_path: Path, earmark: Call) -> Path:
    study = tmp_path / "street"
    words = ("--recordings", 1, "--seconds", 20, "--quiet")
    assert earmark("make", "events", study, *words)[0] == 0
    return study


def test_help_of_reconcile_shows_the_options_of_the_method_named_and_no_others(
    street: Path, earmark: Call
) -> None:
    mace = earmark("reconcile", street, "--by", "mace", "--help")[1]
    assert "--restarts" in mace and "--trust" not in mace and "--levels" not in mace
    hmm = earmark("reconcile", street, "--by=window-hmm", "--help")[1]
    assert "\n  --levels" in hmm and "\n  --share" not in hmm
    assert "--trust" in earmark("reconcile", street, "--by", "trusted", "--help")[1]


def test_an_option_of_another_method_is_refused_with_those_of_this_one(
    street: Path, earmark: Call
) -> None:
    code, _, err = earmark("reconcile", street, "--by", "mace", "--trust", 0.6)
    assert code == 2
    assert err.startswith("reconciling by mace has no option --trust\n  want: ")
    assert "--restarts" in err and "Traceback" not in err


def test_help_of_run_shows_the_options_of_the_system_named(street: Path, earmark: Call) -> None:
    assert "--epochs" in earmark("run", street, "crnn", "--help")[1]
    assert "--epochs" not in earmark("run", street, "energy", "--help")[1]


@pytest.mark.parametrize(
    "words", [("reconcile", "--help"), ("run", "crnn", "--help"), ("ask", "--no-such-option")]
)
def test_parsing_and_help_write_nothing_even_where_a_kill_left_things_half_done(
    street: Path, earmark: Call, words: tuple[str, ...]
) -> None:
    (street / ".old-3-references").mkdir()
    before = contents(street.parent)
    earmark(words[0], street, *words[1:])
    assert contents(street.parent) == before
    assert (street / ".old-3-references").is_dir()


def test_naming_a_task_loads_that_task_alone(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from earmark.cli.main import main\n"
        "try: main(['make', 'events', sys.argv[1], '--recordings', '1', '--seconds', '20', '-q'])\n"
        "except SystemExit: pass\n"
        "print(sorted({n.split('.')[2] for n in sys.modules if n.startswith('earmark.tasks.')}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "street")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "['events']"


FILES_RUN = """
import sys
files = set()
def see(frame, event, argument):
    if event == "call" and "/earmark/" in frame.f_code.co_filename:
        files.add(frame.f_code.co_filename)
sys.setprofile(see)
from earmark.cli.main import main
try: main(sys.argv[1:])
except SystemExit: pass
sys.setprofile(None)
print(len(files))
"""


def test_making_events_runs_code_of_at_most_72_files(tmp_path: Path) -> None:
    """Bodies of imported modules count as code that runs."""
    words = ["make", "events", str(tmp_path / "street"), "--recordings", "1", "--seconds", "20"]
    done = subprocess.run(
        [sys.executable, "-c", FILES_RUN, *words, "--quiet"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout.splitlines()[-1]) <= 72
