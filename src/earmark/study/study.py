"""Study: one folder, one task, six verbs in order."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from earmark import tasks
from earmark.files.folder import write_file
from earmark.study import make
from earmark.study.damage import damage_named
from earmark.study.places import REPORT
from earmark.study.readings import StudyReadings
from earmark.study.settings import (
    has_settings,
    read_settings,
    refuse_other_task,
    settings_version,
)
from earmark.study.snapshot import Snapshot
from earmark.study.writing import put_right, writing
from earmark.task.options import call_with
from earmark.task.task import Json, Question, Task, Training
from earmark.values import checks
from earmark.values.errors import StudyError


class Study(StudyReadings):
    """One benchmark on its way from raw material to a report.

    Every verb may be repeated; it reads only what comes before it, writes only its own place, and
    leaves the study as it was when it fails or is killed. The same seed gives the same bytes.

    A verb's own module is imported when the verb is called, so that one verb runs no other's code.
    """

    def __init__(
        self, folder: Path | str, task: Task, seed: int, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.folder = Path(folder)
        self.task = task
        self.seed = seed
        self._settings = settings
        self._version = settings_version(self.folder)

    @classmethod
    def create(cls, folder: Path | str, *, task: str, seed: int = 0) -> "Study":
        """Return a study that is yet to be made; nothing is written before `make` succeeds."""
        place = Path(folder)
        if has_settings(place):
            refuse_other_task(place, task)
        elif place.exists() and (not place.is_dir() or any(place.iterdir())):
            make.refuse_foreign_folder(place)
        return cls(place, tasks.load(task), seed)

    @classmethod
    def open(cls, folder: Path | str, *, seed: int | None = None) -> "Study":
        """Return the study in a folder, after putting right what a kill left half done.

        `seed`, when given, replaces the study's own.
        """
        place = Path(folder)
        if not place.is_dir():
            raise StudyError(
                "there is no such study", at=folder, fix=f"make it: earmark make TASK {place.name}"
            )
        put_right(place)
        settings = read_settings(place)
        own = int(settings.get("seed", 0))
        return cls(place, tasks.load(settings["task"]), own if seed is None else seed, settings)

    def __repr__(self) -> str:
        return f"<Study {self.name}: {self.task.name}, seed {self.seed}>"

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    def snapshot(self) -> Snapshot:
        """Return the study as it is now, to read from; each of its files is parsed once."""
        return Snapshot(self.folder, self.task, self.seed, self._settings)

    @contextmanager
    def _writing(self, verb: str) -> Iterator[Snapshot]:
        """Give the block a snapshot that no other command changes before the block ends."""
        with writing(self.folder, verb), damage_named(self.folder):
            self._refresh()
            yield self.snapshot()

    def _refresh(self) -> None:
        """Take over what another `make` wrote since this study was opened; a seed given stays."""
        version = settings_version(self.folder)
        if self._settings is None or version == self._version:
            return
        refuse_other_task(self.folder, self.task.name)
        settings = read_settings(self.folder)
        if self.seed == self._settings.get("seed", 0):
            self.seed = int(settings.get("seed", 0))
        self._settings, self._version = settings, version

    def make(self, maker: str | None = None, source: Path | None = None, **options: Any) -> Json:
        """Make material by one of the task's makers, and the truth when the maker knows it.

        Without a maker's name it is the first that has the options given.
        """
        name = self._choose("maker", maker, self.task.make)
        if maker is None:
            name = make.maker_for(self.task, options)
        self._settings = None
        return make.make(self.folder, self.task, name, source, seed=self.seed, options=options)

    def question(self) -> Question:
        """Return the task's question to people."""
        if self.task.ask is None:
            raise StudyError(f"{self.task.name} asks people nothing yet", at=self.name)
        return self.task.ask

    def plan(self, **options: Any) -> Json:
        """Say how much material, answers, hours and money a difference needs (`PlanOptions`)."""
        from earmark.study import plan

        with self._writing("plan") as snapshot:
            return plan.plan(snapshot, plan.PlanOptions(**options))

    def ask(self, **options: Any) -> Json:
        """Cut the material into unit questions; take or simulate answers (see `ask.AskOptions`)."""
        from earmark.study import ask

        with self._writing("ask") as snapshot:
            return ask.ask(snapshot, self.question(), options)

    def reconcile(self, by: str | None = None, name: str | None = None, **options: Any) -> Json:
        """Make many answers one reference with doubt, stored as `name` or the method's name."""
        from earmark.study import reconcile

        method = self._choose("way of reconciling", by, self.task.reconcile)
        with self._writing("reconcile") as snapshot:
            return reconcile.reconcile(snapshot, method, name or method, options)

    def run(
        self,
        system: str | Path,
        *,
        name: str | None = None,
        train_on: str | None = None,
        phase: str | None = None,
        dry: bool = False,
        **options: Any,
    ) -> Json:
        """Store a system's outputs: of a built-in system, a file or folder, or a submission.

        A submission is a folder or zip of scripts, run in a sandbox within the budgets of
        study.toml: on the data of a `phase`, or, if `dry`, on the practice data with nothing
        stored.
        """
        from earmark.study import run
        from earmark.task.extras import missing_explained

        which = run.RunChoice(name=name, train_on=train_on, phase=phase, dry=dry)
        with damage_named(self.folder), missing_explained():
            return run.run(self.snapshot(), system, which, options=options)

    def train(self, system: str, *, out: Path, train_on: str | None = None, **options: Any) -> Json:
        """Train a model on this study, write it to `out`, and return its card."""
        from earmark.files.models import models_explained
        from earmark.task.extras import missing_explained

        trainer = self.task.train[self._choose("trainable system", system, self.task.train)]
        snapshot = self.snapshot()
        training = Training.of(snapshot.items(), snapshot.reference(train_on))
        with missing_explained(), models_explained(), damage_named(self.folder):
            card: Json = call_with(
                trainer,
                training,
                out=out,
                seed=self.seed,
                options=options,
                what=f"training {system}",
            )
        return card

    def score(
        self,
        against: str | None = None,
        *,
        resamples: int = 1000,
        draws: int = 0,
        metrics: tuple[str, ...] | None = None,
        groups: str | Path | Mapping[str, str] | None = None,
        people: int = 30,
        **options: Any,
    ) -> Json:
        """Score every system by every metric, with intervals and boards.

        `groups` says which items belong together, by default those of one parent in the material.
        At most `people` people are scored beside the systems, on references that leave them out.
        With `draws`, ranks allow for the doubt of the reference, drawn so many times. Other options
        are those of the metrics, and `choices=True`: the board is then also made under every
        setting that the task declares.
        """
        from earmark.study import score

        choices = bool(options.pop("choices", False))
        recipe = score.ScoreRecipe(resamples, metrics, options, people, groups, draws, choices)
        with self._writing("score") as snapshot:
            return score.score(snapshot, against, recipe)

    def compare_references(self, **recipe: Any) -> Json:
        """Score the same outputs against several references (see `ReferencesRecipe`).

        Options that the recipe does not have are those of the metrics.
        """
        from dataclasses import fields

        from earmark.study import references

        own = {one.name for one in fields(references.ReferencesRecipe)}
        options = {name: value for name, value in recipe.items() if name not in own}
        chosen = {name: value for name, value in recipe.items() if name in own}
        with damage_named(self.folder):
            return references.compare_references(
                self.snapshot(), references.ReferencesRecipe(**chosen, options=options)
            )

    def report(self, out: Path | None = None) -> Path:
        """Write one HTML page that needs nothing else; return its path."""
        from earmark.report import study_page
        from earmark.study import report

        path = out or self.folder / REPORT / "index.html"
        if not path.resolve().is_relative_to(self.folder.resolve()):
            with damage_named(self.folder):
                write_file(path, study_page.page(self.snapshot()))
            return path
        with self._writing("report") as snapshot:
            report.write(snapshot, path, study_page.page(snapshot))
        return path

    def export(
        self,
        out: Path | str,
        to: str,
        *,
        what: str | None = None,
        reference: str | None = None,
        system: str | None = None,
        **options: Any,
    ) -> Json:
        """Write material, questions, answers, a reference, outputs or boards in the format `to`.

        `what` is by default what the format is mostly used for; `out` is a new or empty folder.
        """
        from earmark.study import export

        request = export.ExportRequest(to, what, reference, system)
        with damage_named(self.folder):
            return export.export(self.snapshot(), Path(out), request, options)

    def forget(self, place: str) -> None:
        """Remove one of the numbered places; its verb makes it again."""
        with writing(self.folder, "forget"):
            shutil.rmtree(self.folder / place, ignore_errors=True)

    def _choose(self, what: str, name: str | None, known: Mapping[str, Any]) -> str:
        if not known:
            raise StudyError(f"{self.task.name} has no {what} yet", at=self.name)
        return checks.one_of(name or next(iter(known)), known, what=what, at=self.task.name)
