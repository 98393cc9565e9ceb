"""A challenge: a study whose systems are strangers' submissions, in phases, through a queue.

What teams hand in is in the folder `submissions` of the study: the archives, the folders in which
they run, and what came out of each. The queue itself is in the study's database. A phase may run on
another study's material, which is how data stay private.
"""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark import __version__
from earmark.files.digest import content_digest, digest
from earmark.files.folder import STRANGERS
from earmark.run.phases import Phase, chosen_phase, read_phases
from earmark.study.places import MATERIAL, input_digests
from earmark.study.score import ScoreRecipe
from earmark.study.settings import settings_version
from earmark.study.snapshot import Snapshot
from earmark.study.study import Study
from earmark.task.extras import missing_explained
from earmark.values import checks
from earmark.values.errors import InputError, StudyError

if TYPE_CHECKING:
    pass


MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Rules:
    """How a challenge is scored, from the table `[challenge]` of study.toml.

    The board ranks by `metric`, by default the task's first; `metrics` are all that are computed,
    by default all of the task. `reference` is the name of one, in every study that a phase runs on.
    """

    title: str = ""
    metric: str = ""
    metrics: tuple[str, ...] | None = None
    reference: str | None = None
    resamples: int = 1000
    upload_megabytes: int = 300

    @classmethod
    def of(cls, study: Snapshot) -> "Rules":
        """Return the rules of a study; raise InputError if a setting is wrong."""
        table, where = study.settings().get("challenge", {}), "study.toml, [challenge]"
        kinds = {"metrics": list, "resamples": int, "upload_megabytes": int}
        for name, value in table.items():
            checks.one_of(name, cls.__dataclass_fields__, what="setting of a challenge", at=where)
            kind = kinds.get(name, str)
            if not isinstance(value, kind) or isinstance(value, bool):
                raise InputError(
                    f"'{name}' must be of the kind {kind.__name__}", at=where, got=repr(value)
                )
        values = {**table}
        if "metrics" in values:
            values["metrics"] = tuple(str(name) for name in values["metrics"])
        names = values.get("metrics") or tuple(study.task.score)
        values.setdefault("metric", names[0])
        checks.one_of(values["metric"], names, what="metric", at=where)
        return cls(**values)

    def recipe(self) -> ScoreRecipe:
        """Return what is computed of every submission."""
        return ScoreRecipe(self.resamples, self.metrics, {})


class Challenge:
    """A study, its database, its phases and its rules."""

    def __init__(self, study: Study, database: str | None = None, *, engine: Any = None) -> None:
        with missing_explained():
            from earmark.database.engine import default_url, open_database
            from earmark.run.queue import Queue

            self.url = database or default_url(study.folder)
            # SQLAlchemy's, which is no name in this room
            self.engine = open_database(self.url) if engine is None else engine
        self.queue: Queue = Queue(self.engine)
        self.study = study
        self._version = settings_version(study.folder)
        snapshot = study.snapshot()
        self.settings: Mapping[str, Any] = snapshot.settings()
        self.phases = read_phases(self.settings)
        self.rules = Rules.of(snapshot)

    @classmethod
    def open(cls, folder: Path | str, database: str | None = None) -> "Challenge":
        """Return the challenge of the study in a folder; its database is made if there is none."""
        return cls(Study.open(folder), database)

    def current(self) -> "Challenge":
        """Return the challenge by the rules of study.toml as it is now, on the same connections."""
        if settings_version(self.study.folder) == self._version:
            return self
        return Challenge(Study.open(self.study.folder), self.url, engine=self.engine)

    def close(self) -> None:
        """Close the connections to the database."""
        self.engine.dispose()

    @property
    def place(self) -> Path:
        """Where submissions are kept."""
        return self.study.folder.resolve() / STRANGERS

    def archive(self, identity: str) -> Path:
        """Return where what was handed in lies."""
        return self.place / "archives" / f"{identity}.zip"

    def job(self, identity: str) -> Path:
        """Return the folder in which a submission runs; it is removed when it has ended."""
        return self.place / "jobs" / identity

    def results(self, identity: str) -> Path:
        """Return the folder of what came out of a submission."""
        return self.place / "results" / identity

    def phase(self, name: str | None) -> Phase:
        """Return the phase of that name; without a name the one that is open now."""
        from earmark.run.queue_reads import database_time

        return chosen_phase(self.phases, name, database_time(self.engine))

    def data(self, phase: Phase) -> Snapshot:
        """Return the study whose material a phase runs on."""
        return phase_snapshot(self.study.snapshot(), phase.name)

    def key(self, data: Snapshot, content: str) -> str:
        """Return the digest of all that the scores of a submission follow from."""
        reference = data.reference(self.rules.reference)
        parts = {
            "content": content,
            "material": input_digests(data.folder, MATERIAL),
            "reference": digest(reference.values),
            "budget": self.settings.get("budget", {}),
            "sandbox": self.settings.get("sandbox", {}),
            "metrics": self.rules.metrics,
            "resamples": self.rules.resamples,
            "task": data.task.name,
            "seed": data.seed,
            "earmark": __version__,
        }
        return content_digest(json.dumps(parts, sort_keys=True, default=str))

    def submit(self, team: str, path: Path, *, phase: str | None = None) -> str:
        """Hand in a zip or a folder for a team, and return the submission's id."""
        from earmark.run.queue import new_id
        from earmark.run.tries import HandedIn

        chosen = self.phase(phase)
        if not path.exists():
            raise InputError("there is no such file or folder", at=path, want="a submission")
        identity = new_id()
        place = self.archive(identity)
        self.queue.require_room(HandedIn(team, chosen, path.name, 0))
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            _archive(path, place)
            return self.enter(team, chosen, path.name, identity)
        except BaseException:
            place.unlink(missing_ok=True)
            raise

    def enter(self, team: str, phase: Phase, file: str, identity: str) -> str:
        """Enter a submission whose archive is in its place; return its id."""
        from earmark.run.tries import HandedIn

        place = self.archive(identity)
        size = place.stat().st_size
        if size > self.rules.upload_megabytes * MEGABYTE:
            raise InputError(
                f"a submission may have {self.rules.upload_megabytes} MB",
                got=f"{size / MEGABYTE:.1f} MB",
            )
        # on disk before the queue speaks of it
        with place.open("rb") as file_on_disk:
            os.fsync(file_on_disk.fileno())
        return self.queue.submit(HandedIn(team, phase, file, size), identity)


def phase_snapshot(study: Snapshot, phase: str) -> Snapshot:
    """Return the study whose material a phase runs on: this one, or the one that `data` names."""
    phases = read_phases(study.settings())
    data = phases[checks.one_of(phase, phases, what="phase", at=study.name)].data
    if data is None:
        return study
    other = Study.open(study.folder / data)
    if other.task.name != study.task.name:
        raise StudyError(
            "a phase runs on a study of the same task",
            at=f"{study.name}, phase {phase}, data {data}",
            got=other.task.name,
            want=study.task.name,
        )
    return other.snapshot()


def _archive(path: Path, to: Path) -> None:
    """Copy a zip, or zip a folder, so that the same folder gives the same bytes."""
    if not path.is_dir():
        shutil.copyfile(path, to)
        return
    import zipfile

    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path.rglob("*")):
            if file.is_symlink() or not (file.is_file() or file.is_dir()):
                raise InputError("a submission has plain files only", at=file, got="a link")
            if file.is_file():
                name = file.relative_to(path).as_posix()
                info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
                info.external_attr = (0o100000 | (file.stat().st_mode & 0o777)) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, file.read_bytes())
