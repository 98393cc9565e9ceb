"""The first verb: material written whole, with study.toml derived from it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from earmark import __version__
from earmark.files import jsonl
from earmark.files.folder import OLD, PARTIAL, write_file
from earmark.files.sound import write_sound
from earmark.study.places import MATERIAL, header, write_lines
from earmark.task.progress import track
from earmark.task.task import Json, Made
from earmark.values import checks
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item


def write_material(place: Path, made: Iterable[Made], recipe: Mapping[str, Any]) -> Json:
    """Everything a maker made, in a folder that nobody sees before it is complete."""
    items: list[Item] = []
    truths: dict[str, object] = {}
    for one in track(made, label="make"):
        items.append(one.item)
        if one.truth is not None:
            truths[one.item.id] = one.truth
        if one.sound is not None:
            _write_sound(place, one)
        for name, text in one.files.items():
            write_file(_inside(place, name), text)
    if not items:
        raise InputError(
            "the maker found nothing to make items from",
            got=recipe.get("maker"),
            fix="check the source and the options",
        )
    checks.unique(item.id for item in items)
    made_by = header("make", recipe)
    write_lines(place / "items.jsonl", made_by, items)
    if truths:
        rows = [{"item": item, "value": truths[item]} for item in sorted(truths)]
        write_lines(place / "truth.jsonl", made_by, rows)
    return {"items": len(items), "truth": len(truths)}


def _write_sound(place: Path, one: Made) -> None:
    if one.sound is None or one.item.media is None:
        raise TypeError("a Made with sound needs an item with media")
    path = _inside(place, one.item.media)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_sound(path, *one.sound)


def _inside(place: Path, name: str) -> Path:
    path = (place / name).resolve()
    if not path.is_relative_to(place.resolve()):
        raise InputError("a made file must stay in the material folder", got=name)
    return path


def mend_settings(folder: Path) -> None:
    """study.toml as the material says it must be; a kill between the two is mended here."""
    import tomli_w

    items = folder / MATERIAL / "items.jsonl"
    if not items.exists():
        return
    recipe = dict(jsonl.header(items).get("recipe", {}))
    if "task" not in recipe:
        return
    settings: dict[str, Any] = {
        "task": recipe.pop("task"),
        "seed": recipe.pop("seed", 0),
        "earmark": jsonl.header(items).get("earmark", __version__),
        "make": {name: value for name, value in recipe.items() if value is not None},
    }
    path = folder / "study.toml"
    text = "# made by earmark make\n" + tomli_w.dumps(settings)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_file(path, text)


def refuse_foreign(folder: Path) -> None:
    """An error when a folder holds something that is not ours to write beside."""
    if folder.is_dir():
        names = [path.name for path in folder.iterdir()]
        if all(name.startswith((PARTIAL, OLD)) or name == MATERIAL for name in names):
            return
    raise StudyError(
        "a new study needs a folder of its own",
        at=folder,
        got="a folder that holds other files" if folder.is_dir() else "a file",
        fix="name a folder that is empty or not there yet",
    )
