"""The folders of one run: what each step sees is laid out here, and cleared away after it.

Below the run's folder: `code` as it came, `ready` as initialize.sh left it, `parts/NNN` with what
a part is given, has learned and wrote, `logs`. Names are numbers: no path tells whose turn it is.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.run.trees import copy_tree, give, remove_tree

# Every file that a step is given has this time, the first second of 2020: times could tell which
# clips were made together.
ONE_TIME = 1577836800
ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Stage:
    """The folders of a run, and the user that its steps run as (None: ourselves)."""

    folder: Path
    owner: int | None

    @property
    def code(self) -> Path:
        """The submission as it came."""
        return self.folder / "code"

    @property
    def ready(self) -> Path:
        """The submission as initialize.sh left it."""
        return self.folder / "ready"

    def part(self, number: int) -> Path:
        """Return the folder of a part."""
        return self.folder / "parts" / f"{number:03d}"

    def log(self, number: int, step: str, kind: str) -> Path:
        """Return the file for a step's log (`txt`) or telemetry (`jsonl`)."""
        return self.folder / "logs" / f"{number:03d}-{step}.{kind}"

    def begin_code(self) -> Path:
        """Return a fresh copy of the code that initialize.sh may write."""
        remove_tree(self.ready)
        copy_tree(self.code, self.ready)
        return self.owned(self.ready)

    def lay_out(self, number: int, name: str, files: Mapping[str, Path | bytes]) -> Path:
        """Return a folder with these files, in this order, all of one time, to be read alone."""
        place = self.part(number) / "input" / name
        remove_tree(place)
        place.mkdir(parents=True)
        for file, content in files.items():
            path = place / file
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                shutil.copyfile(content, path)
            path.chmod(0o444)
            os.utime(path, (ONE_TIME, ONE_TIME))
        for above, _, _ in os.walk(place, topdown=False):
            os.chmod(above, 0o755)
            os.utime(above, (ONE_TIME, ONE_TIME))
        return place

    def empty(self, *names: str) -> Path:
        """Return a new empty folder that the step may write."""
        place = self.folder.joinpath(*names)
        remove_tree(place)
        place.mkdir(parents=True, mode=0o700)
        return self.owned(place)

    def owned(self, place: Path) -> Path:
        """Return a folder after giving it to the user that steps run as, if it is not theirs."""
        if self.owner is not None and place.lstat().st_uid != self.owner:
            give(place, self.owner)
        return place

    def work(self, number: int) -> Path:
        """Return a work folder for prediction: a copy of what enrolment left, or an empty one.

        A copy, so that a prediction that is cut off can be repeated from the same state.
        """
        place, enrolled = self.part(number) / "work", self.part(number) / "enrolled"
        if not enrolled.is_dir():
            return self.empty("parts", f"{number:03d}", "work")
        remove_tree(place)
        copy_tree(enrolled, place)
        return self.owned(place)

    def keep_enrolled(self, number: int) -> None:
        """Put the work folder of an enrolment aside for prediction."""
        enrolled = self.part(number) / "enrolled"
        remove_tree(enrolled)
        os.rename(self.part(number) / "work", enrolled)

    def is_enrolled(self, number: int) -> bool:
        """Return whether an enrolment has left its work folder."""
        return (self.part(number) / "enrolled").is_dir()

    def accepted(self, number: int, name: str) -> Path:
        """Return where a file that a prediction wrote is kept, as a file of ours."""
        return self.part(number) / ACCEPTED / name

    def clear(self, number: int) -> None:
        """Remove all of a part but what was accepted."""
        place = self.part(number)
        if place.is_dir():
            for entry in place.iterdir():
                if entry.name != ACCEPTED:
                    remove_tree(entry)
