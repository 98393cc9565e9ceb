"""Study: one folder, one task, six verbs in order."""

import shutil
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from earmark import tasks
from earmark.ask.terms import Terms
from earmark.files.folder import recover, whole_folder, write_file
from earmark.report import study_page
from earmark.study import ask, make, run, score, verify
from earmark.study.places import (
    MATERIAL,
    REFERENCES,
    Places,
    header,
    read_settings,
    reference_rows,
    write_lines,
)
from earmark.task.options import call_with, must_take
from earmark.task.task import Json, Question, Task, Training
from earmark.values import checks
from earmark.values.answer import Ballots
from earmark.values.errors import StudyError
from earmark.values.reference import Reference

TERMS = tuple(field.name for field in fields(Terms))


class Study(Places):
    """One benchmark on its way from raw material to a report.

    Every verb may be repeated; it reads only what comes before it, writes only its own place, and
    leaves the study as it was when it fails or is killed. The same seed gives the same bytes.
    """

    seed: int

    def __init__(self, folder: Path | str, task: Task, seed: int) -> None:
        super().__init__(Path(folder), task)
        object.__setattr__(self, "seed", seed)

    @classmethod
    def create(cls, folder: Path | str, *, task: str, seed: int = 0) -> "Study":
        """A study that is yet to be made; nothing is written before `make` has succeeded."""
        place = Path(folder)
        if (place / "study.toml").exists():
            found = cls.open(place)
            if found.task.name != task:
                raise StudyError(
                    "a study keeps its task",
                    at=folder,
                    got=task,
                    want=found.task.name,
                    fix="make the other study in a new folder",
                )
        elif place.exists() and (not place.is_dir() or any(place.iterdir())):
            make.refuse_foreign(place)
        return cls(place, tasks.load(task), seed)

    @classmethod
    def open(cls, folder: Path | str, *, seed: int | None = None) -> "Study":
        """The study in a folder; `seed`, when given, stands in for the study's own."""
        place = Path(folder)
        if not place.is_dir():
            raise StudyError(
                "there is no such study", at=folder, fix=f"make it: earmark make TASK {place.name}"
            )
        recover(place)
        make.mend_settings(place)
        settings = read_settings(place)
        own = int(settings.get("seed", 0))
        return cls(place, tasks.load(str(settings.get("task"))), own if seed is None else seed)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    def make(self, maker: str | None = None, source: Path | None = None, **options: Any) -> Json:
        """Material by one of the task's makers, and the truth when the maker knows it."""
        name = self._choose("maker", maker, self.task.make)
        maker_named = f"the maker {name}"
        made = call_with(
            self.task.make[name], source, seed=self.seed, options=options, what=maker_named
        )
        recipe = {"task": self.task.name, "seed": self.seed, "maker": name, **options}
        if self.folder.exists():
            recover(self.folder)
        with whole_folder(self.folder / MATERIAL) as place:
            summary = make.write_material(place, made, recipe)
        make.mend_settings(self.folder)
        return summary

    def ask(self, **options: Any) -> Json:
        """Cut the material into unit questions; take or simulate answers (see `ask.ask`)."""
        own = {name: options.pop(name) for name in TERMS if name in options}
        return ask.ask(self, self.question(), terms=Terms(**own), **options)

    def question(self) -> Question:
        """The task's question to people."""
        if self.task.ask is None:
            raise StudyError(f"{self.task.name} asks people nothing yet", at=self.name)
        return self.task.ask

    def reconcile(self, by: str | None = None, name: str | None = None, **options: Any) -> Json:
        """Many answers made one reference, with doubt, kept under the method's name or `name`."""
        method = self._choose("way of reconciling", by, self.task.reconcile)
        must_take(self.task.reconcile[method], options, what=f"reconciling by {method}")
        reference = call_with(
            self.task.reconcile[method], self.need_ballots(), seed=self.seed, options=options
        )
        made_by = header(
            "reconcile",
            {"by": method, "seed": self.seed, **options},
            inputs=verify.inputs(self, MATERIAL, "2-answers"),
        )
        path = self.folder / REFERENCES / f"{verify.file_name(name or method)}.jsonl"
        write_lines(path, made_by, reference_rows(reference))
        return {
            "reference": name or method,
            "items": len(reference.values),
            "people": len(reference.people),
        }

    def need_ballots(self) -> Ballots[Any]:
        """The answers, or an error that says how to get them."""
        ballots = self.ballots()
        if ballots is None or not ballots.answers:
            raise StudyError(
                "reconcile needs answers",
                at=self.name,
                fix=f"earmark ask {self.name} --simulate, or --import FILE",
            )
        return ballots

    def run(
        self,
        system: str | Path,
        *,
        name: str | None = None,
        train_on: str | None = None,
        **options: Any,
    ) -> Json:
        """A system's outputs: a built-in system by name, or a file of outputs."""
        return run.run(self, system, name=name, train_on=train_on, **options)

    def train(self, system: str, *, out: Path, train_on: str | None = None, **options: Any) -> Json:
        """A model trained on this study, written to `out`, with its card."""
        trainer = self.task.train[self._choose("trainable system", system, self.task.train)]
        must_take(trainer, options, what=f"training {system}")
        training = Training(self.items(), self.reference(train_on))
        card: Json = call_with(trainer, training, out=out, seed=self.seed, options=options)
        return card

    def reference(self, name: str | None = None) -> Reference[Any]:
        """The reference of that name; by default the truth, or else the only one there is."""
        found = self.references()
        if name:
            return found[checks.one_of(name, found, what="reference", at=self.name)]
        if "truth" in found:
            return found["truth"]
        if len(found) == 1:
            return next(iter(found.values()))
        raise StudyError(
            "several references are there; name one" if found else "there is no reference yet",
            at=self.name,
            want=", ".join(found) or None,
            fix="pass --against NAME" if found else f"earmark reconcile {self.name}",
        )

    def score(self, against: str | None = None, **options: Any) -> Json:
        """Every system by every metric, with intervals, people beside them, and the board."""
        return score.score(self, self.reference(against), **options)

    def report(self, out: Path | None = None) -> Path:
        """One HTML page that needs nothing else."""
        page = study_page.page(self)
        path = out or self.folder / "6-report" / "index.html"
        write_file(path, page)
        return path

    def settings(self) -> Mapping[str, Any]:
        """study.toml, parsed."""
        return read_settings(self.folder)

    def forget(self, place: str) -> None:
        """Remove one of the numbered places; its verb makes it again."""
        shutil.rmtree(self.folder / place, ignore_errors=True)

    def _choose(self, what: str, name: str | None, known: Mapping[str, Any]) -> str:
        if not known:
            raise StudyError(f"{self.task.name} has no {what} yet", at=self.name)
        return checks.one_of(name or next(iter(known)), known, what=what, at=self.task.name)
