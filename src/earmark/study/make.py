"""The first verb: material is written whole, and study.toml derived from it."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from earmark.files.folder import OLD, PARTIAL, whole_folder, write_file
from earmark.files.models import models_explained
from earmark.files.sound import write_sound
from earmark.files.sums import SUMS
from earmark.study.places import LOCK, MATERIAL, SETTINGS, header, write_lines
from earmark.study.record import record_folder
from earmark.study.settings import refuse_other_task, write_settings
from earmark.study.writing import writing
from earmark.task.options import call_with, options_of
from earmark.task.progress import track
from earmark.task.task import Json, Made, Task
from earmark.values import checks
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item


def maker_for(task: Task, options: Mapping[str, Any]) -> str:
    """Return the first of a task's makers that has all of the options given.

    So `make events STUDY --audio DIR` needs no name of a maker. Raise InputError if no maker has
    them all; where none has one of them, the first maker is returned, which refuses it.
    """
    owners: dict[str, list[str]] = {option: [] for option in options}
    for maker, function in task.make.items():
        own = options_of(function)
        if set(options) <= set(own):
            return maker
        for option in options:
            owners[option] += [maker] if option in own else []
    if not all(owners.values()):
        return next(iter(task.make))
    raise InputError(
        "these options belong to different makers",
        at=task.name,
        got="; ".join(
            f"--{option.replace('_', '-')} of {' and '.join(makers)}"
            for option, makers in owners.items()
        ),
        want="options of one maker",
        fix="leave out those of the others, or see --maker",
    )


def make(
    folder: Path,
    task: Task,
    maker: str,
    source: Path | None,
    *,
    seed: int,
    options: Mapping[str, Any],
) -> Json:
    """Write the material that a maker makes, and study.toml; all of it, or nothing."""
    items = call_with(
        task.make[maker], source, seed=seed, options=options, what=f"the maker {maker}"
    )
    recipe = {"task": task.name, "seed": seed, "maker": maker, **options}
    with writing(folder, "make"):
        refuse_other_task(folder, task.name)
        with (
            _settings_aside(folder),
            models_explained(),
            whole_folder(folder / MATERIAL) as place,
        ):
            summary = _write_material(place, items, recipe)
            _move(folder / SETTINGS, _aside(folder))
        write_settings(folder)
        # not before: it has the organiser's tables
        _aside(folder).unlink(missing_ok=True)
    return summary


@contextmanager
def _settings_aside(folder: Path) -> Iterator[None]:
    """Let the block set study.toml aside, and restore it if the block fails.

    While it is aside, a kill leaves no study.toml that contradicts the material; it is derived.
    """
    try:
        yield
    except BaseException:
        _move(_aside(folder), folder / SETTINGS)
        raise


def _aside(folder: Path) -> Path:
    return folder / f"{PARTIAL}{os.getpid()}-{SETTINGS}"


def _move(path: Path, to: Path) -> None:
    if path.exists():
        os.replace(path, to)


def _write_material(place: Path, source: Iterable[Made], recipe: Mapping[str, Any]) -> Json:
    """Write everything a maker made into a folder that nobody sees before it is complete."""
    items: list[Item] = []
    truths: dict[str, object] = {}
    for made_item in track(source, label="make"):
        items.append(made_item.item)
        if made_item.truth is not None:
            truths[made_item.item.id] = made_item.truth
        if made_item.sound is not None:
            _write_sound(place, made_item)
        for name, text in made_item.files.items():
            write_file(_inside(place, name), text)
    if not items:
        raise InputError(
            "the maker found nothing to make items from",
            got=recipe.get("maker"),
            fix="check the source and the options",
        )
    checks.unique(item.id for item in items)
    made_by = header("make", recipe, files=SUMS)
    write_lines(place / "items.jsonl", made_by, items)
    if truths:
        rows = [{"item": item, "value": truths[item]} for item in sorted(truths)]
        write_lines(place / "truth.jsonl", made_by, rows)
    record_folder(place)
    return {"items": len(items), "truth": len(truths)}


def _write_sound(place: Path, made_item: Made) -> None:
    if made_item.sound is None or made_item.item.media is None:
        raise TypeError("a Made with sound needs an item with media")
    path = _inside(place, made_item.item.media)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_sound(path, *made_item.sound)


def _inside(place: Path, name: str) -> Path:
    path = (place / name).resolve()
    if not path.is_relative_to(place.resolve()):
        raise InputError("a made file must stay in the material folder", got=name)
    return path


def refuse_foreign_folder(folder: Path) -> None:
    """Raise StudyError if a folder holds something that is not ours to write beside."""
    if folder.is_dir():
        names = [path.name for path in folder.iterdir()]
        if all(name.startswith((PARTIAL, OLD)) or name in (MATERIAL, LOCK) for name in names):
            return
    raise StudyError(
        "a new study needs a folder of its own",
        at=folder,
        got="a folder that holds other files" if folder.is_dir() else "a file",
        fix="name a folder that is empty or not there yet",
    )
