"""What a study holds, in the field's own formats: chosen here, written whole or not at all."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from earmark.export import FORMATS
from earmark.files.folder import whole_folder
from earmark.study.places import ANSWERS as ANSWERS_PLACE
from earmark.study.snapshot import Snapshot
from earmark.task.export import (
    ANSWERS,
    BOARDS,
    EVERYTHING,
    MATERIAL,
    NOUNS,
    OUTPUTS,
    QUESTIONS,
    REFERENCES,
    Exported,
    Exporter,
    Selection,
)
from earmark.task.options import call_with
from earmark.task.task import Json, Task
from earmark.values import checks
from earmark.values.errors import InputError, StudyError


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What is wanted: a format, and what of the study; None is the usual."""

    to: str
    what: str | None = None
    reference: str | None = None
    system: str | None = None


def exporter(task: Task, name: str) -> Exporter:
    """Return a format by its name: the task's own, or one that every task has."""
    formats = {**dict.fromkeys(task.export), **dict.fromkeys(FORMATS)}
    checks.one_of(name, formats, what="format", at=task.name)
    return cast(Exporter, task.export[name] if name in task.export else FORMATS[name])


def export(study: Snapshot, out: Path, request: ExportRequest, options: Mapping[str, Any]) -> Json:
    """Write what was asked for to a new folder; return its files and how much they hold."""
    one = exporter(study.task, request.to)
    what = _what(one, request)
    _refuse_full(out, study)
    selection = _select(study, what, request)
    exported: Exported = call_with(
        one.write, selection, options=options, what=f"the format {request.to}"
    )
    if not exported.count or not exported.files:
        raise StudyError(
            "there is nothing to export",
            at=study.name,
            got=f"0 {NOUNS[what][1]}",
            fix=f"earmark show {study.name} says what there is",
        )
    _write(out, exported)
    return {
        "out": str(out),
        "format": request.to,
        "what": what,
        "name": selection.name,
        "count": exported.count,
        "files": sorted(exported.files),
        "notes": list(exported.notes),
    }


def _what(one: Exporter, request: ExportRequest) -> str:
    """Return what is exported: as asked for, or what the format is mostly used for."""
    named = [OUTPUTS] if request.system else []
    named += [REFERENCES, BOARDS] if request.reference else []
    if request.what is None:
        usual = (what for what in one.what if not named or what in named)
        what = next(usual, named[0] if named else one.what[0])
    else:
        what = checks.one_of(request.what, EVERYTHING, what="part of a study")
    if what not in one.what:
        raise InputError(
            f"{request.to} holds no {what}",
            want=", ".join(one.what),
            fix="choose another format or another --what",
        )
    wrong = (request.system and what != OUTPUTS) or (
        request.reference and what not in (REFERENCES, BOARDS)
    )
    if wrong:
        raise InputError(
            "a system is named for outputs, a reference for references and boards",
            got=f"{what} of {request.system or request.reference}",
            fix="leave one of them out",
        )
    return what


def _refuse_full(out: Path, study: Snapshot) -> None:
    """Raise InputError if a folder has files already, or is part of the study."""
    if out.resolve().is_relative_to(study.folder.resolve()):
        raise InputError("an export goes to a folder outside of its study", at=out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(
            "an export goes to a new or empty folder",
            at=out,
            got=f"{len(list(out.iterdir()))} files" if out.is_dir() else "a file",
            fix="name another folder, or empty this one",
        )


def _select(study: Snapshot, what: str, request: ExportRequest) -> Selection:
    """Return what is exported, with what it is about."""
    truth = study.truth()
    question = study.task.ask
    parts: dict[str, Any] = {
        "what": what,
        "study": study.name,
        "name": what,
        "items": study.items(),
        "folder": study.material,
        "rows": study.task.rows,
        "truth": truth.values if truth else {},
        "prompt": question.prompt if question else "",
    }
    if what in (QUESTIONS, ANSWERS):
        parts["units"] = _needed(study, study.units(), "questions", f"earmark ask {study.name}")
        ballots = study.ballots()
        parts["answers"] = ballots.answers if ballots else ()
        parts["answers_folder"] = study.folder / ANSWERS_PLACE
    elif what == REFERENCES:
        one = _reference(study, request.reference)
        parts.update(name=one.name, values=one.values, doubt=one.doubt)
    elif what == OUTPUTS:
        name = _system(study, request.system)
        outputs = study.outputs()[name]
        parts.update(name=name, values={item: one.value for item, one in outputs.items()})
    elif what == BOARDS:
        boards = _needed(study, study.boards(), "boards", f"earmark score {study.name}")
        against = request.reference
        if against:
            own = boards[checks.one_of(against, boards, what="board", at=study.name)]
            boards = {against: own}
        parts.update(boards=boards, name=f"board-{against}" if against else "boards")
    elif what == MATERIAL:
        _needed(study, study.items(), "material", f"earmark make {study.task.name} {study.name}")
    return Selection(**parts)


def _needed(study: Snapshot, value: Any, what: str, command: str) -> Any:
    if not value:
        raise StudyError(f"there are no {what} yet", at=study.name, fix=command)
    return value


def _reference(study: Snapshot, name: str | None) -> Any:
    references = study.references()
    if name is None and len(references) > 1 and "truth" not in references:
        raise StudyError(
            "several references are there; name one",
            at=study.name,
            want=", ".join(references),
            fix="pass --reference NAME",
        )
    return study.reference(name)


def _system(study: Snapshot, name: str | None) -> str:
    systems = _needed(study, study.outputs(), "outputs", f"earmark run {study.name} SYSTEM")
    if name is None and len(systems) > 1:
        raise StudyError(
            "several systems are there; name one",
            at=study.name,
            want=", ".join(systems),
            fix="pass --system NAME",
        )
    return checks.one_of(name or next(iter(systems)), systems, what="system", at=study.name)


def _write(out: Path, exported: Exported) -> None:
    """Write all files, or none: an export that fails leaves no folder."""
    with whole_folder(out) as place:
        for name, content in exported.files.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                shutil.copyfile(content, path)
            else:
                path.write_bytes(content.encode() if isinstance(content, str) else content)
