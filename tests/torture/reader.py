"""A file that comes from outside, or lies in a study, and the commands that read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from earmark.study.places import SETTINGS
from earmark.study.settings import task_name

Words = tuple[str, ...]
# Verbs whose second word is a task; those whose files differ by the study's task; those whose
# third word is a system.
OF_TASKS = ("make", "measure", "audit", "train")
OF_STUDIES, OF_SYSTEMS = ("ask", "run", "reconcile"), ("train", "run")


@dataclass(frozen=True, slots=True)
class Reader:
    """A file and the words that read it; `study` is what the command may change."""

    name: str
    file: Path
    whole: bytes
    words: Words
    study: Path | None = None
    answers_no: bool = False  # exit code 1 is an answer too
    takes_seconds: bool = False  # a whole file costs a training: fewer cases
    others: tuple[Words, ...] = ()  # further commands that read the same file

    @property
    def commands(self) -> tuple[Words, ...]:
        """Every command that reads the file."""
        return (self.words, *self.others)


def options_read(reader: Reader) -> Iterator[str]:
    """Yield by which options a reader's file was named: `make events --sounds`, `score STUDY`."""
    for words in reader.commands:
        for before, word in pairwise(words):
            if reader.file == Path(word) or Path(word) in reader.file.parents:
                yield " ".join(_option(words, before, word))


def _option(words: Words, before: str, word: str) -> Iterator[str]:
    verb = words[0]
    is_study = (Path(word) / SETTINGS).is_file() and before == verb
    flag = before if before.startswith("--") else "STUDY" if is_study else "FILE"
    yield verb
    if verb in OF_TASKS:
        yield words[1]
    elif verb in OF_STUDIES and not is_study and flag != "--answers":
        yield _task(words)
    if verb in OF_SYSTEMS and flag not in ("STUDY", "FILE", "--study") and "/" not in words[2]:
        yield words[2]
    yield flag


def _task(words: Words) -> str:
    """Return the task of the study that a command names."""
    if "--task" in words:
        return words[words.index("--task") + 1]
    return task_name(Path(words[1]))
