"""Everything that reads a file: formats, answers, outputs, sounds, studies, models, training."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.studies import TASKS, small_study
from tests.torture.reader import Reader
from tests.torture.readers_answers import answer_readers
from tests.torture.readers_formats import format_readers
from tests.torture.readers_models import model_readers
from tests.torture.readers_options import option_readers
from tests.torture.readers_sounds import sound_readers
from tests.torture.readers_studies import study_readers
from tests.torture.readers_training import training_readers

ASKED = 2  # verbs: made, and asked if the task simulates a crowd


def readers(folder: Path) -> Iterator[Reader]:
    """Yield every reader; what it needs is made in the folder."""
    studies = {
        task: small_study(task, folder / task, verbs=1 if task == "keywords" else ASKED)
        for task in TASKS
    }
    yield from format_readers(folder, studies)
    yield from option_readers(folder, studies)
    yield from answer_readers(folder, studies)
    yield from sound_readers(folder, studies)
    yield from study_readers(folder)
    # last: networks make a process large, and forking it slow
    yield from model_readers(folder, studies)
    yield from training_readers(folder, studies)


def made_readers(folder: Path) -> list[Reader]:
    """Return every reader; another process makes what they need, so that this one stays small.

    What an earlier run made in the folder is used again.
    """
    file = folder / "readers.pickle"
    if not file.exists():
        subprocess.run([sys.executable, "-m", "tests.torture.readers", str(folder)], check=True)
    every: list[Reader] = pickle.loads(file.read_bytes())
    return every


if __name__ == "__main__":
    place = Path(sys.argv[1])
    (place / "readers.pickle").write_bytes(pickle.dumps(list(readers(place))))
