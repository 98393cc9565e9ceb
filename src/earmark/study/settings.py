"""study.toml: the task and the seed of a study, which `make` derives from its material.

Below them an organiser may write tables: budgets of submissions, phases of a challenge. They are
nobody's but the organiser's: `make` carries them over.
"""

import os
import tomllib
from pathlib import Path
from typing import Any

from earmark import __version__, tasks
from earmark.files import jsonl
from earmark.files.folder import PARTIAL, write_file
from earmark.files.text import read_text
from earmark.study.places import MATERIAL, SETTINGS
from earmark.values import checks
from earmark.values.errors import InputError, StudyError

# What a person may write there: the kinds of values, and their names in messages.
KINDS: dict[str, tuple[type, str]] = {
    "task": (str, "the name of a task, in quotes"),
    "seed": (int, "a whole number"),
    "earmark": (str, "a version, in quotes"),
    "make": (dict, "a table of options"),
    "budget": (dict, "a table of what a submission may use"),
    "phases": (dict, "a table for each phase"),
    "sandbox": (dict, "a table of how submissions are isolated"),
    "challenge": (dict, "a table of how a challenge is scored"),
}
ORGANISERS = ("challenge", "phases", "budget", "sandbox")


def has_settings(folder: Path) -> bool:
    """Return whether there is a study; its material alone tells what study.toml would say."""
    return (folder / SETTINGS).is_file() or (folder / MATERIAL / "items.jsonl").is_file()


def read_settings(folder: Path) -> dict[str, Any]:
    """Return study.toml, parsed and checked; write nothing.

    Between a new material and its study.toml there is a moment without; then the material answers.
    """
    path = folder / SETTINGS
    if not has_settings(folder):
        raise StudyError(
            "there is no study in this folder", at=folder, fix="make one: earmark make TASK STUDY"
        )
    try:
        text = read_text(path)
    except InputError as error:
        # not `path.exists()`: by the time of a second look it may have been written
        if not isinstance(error.__cause__, FileNotFoundError):
            raise
        return _checked(derived_settings(folder), folder / MATERIAL / "items.jsonl")
    try:
        return _checked(tomllib.loads(text), path)
    except tomllib.TOMLDecodeError as error:
        raise InputError("study.toml must be TOML", at=path, got=error) from error


def _checked(settings: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return the settings; raise InputError, which names the value, if one cannot be used."""
    for name, (kind, want) in KINDS.items():
        value = settings.get(name)
        absent = value is None and name != "task"
        # For Python, true is a whole number; for whoever wrote it, it is not.
        if not absent and (not isinstance(value, kind) or isinstance(value, bool)):
            raise InputError(
                f"'{name}' of a study must be {want}",
                at=path,
                got="nothing" if value is None else repr(value),
                fix=_fix(name, path),
            )
    checks.one_of(settings["task"], tasks.names(), what="task", at=str(path))
    return settings


def _fix(name: str, path: Path) -> str:
    if name in ORGANISERS:
        return f"write [{name}] on a line of its own, and its settings below"
    if path.name == SETTINGS:
        return "delete study.toml: it is derived from the material"
    return "make the study again in a new folder"


def settings_version(folder: Path) -> tuple[int, int] | None:
    """Return what changes when study.toml is written; None while there is none."""
    try:
        facts = os.stat(folder / SETTINGS)
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns


def task_name(folder: Path) -> str:
    """Return the name of a study's task; write nothing, whatever state the folder is in."""
    return str(read_settings(folder)["task"])


def refuse_other_task(folder: Path, task: str) -> None:
    """Raise StudyError if the folder holds a study of another task."""
    if has_settings(folder) and (present := task_name(folder)) != task:
        raise StudyError(
            "a study keeps its task",
            at=folder,
            got=task,
            want=present,
            fix="make the other study in a new folder",
        )


def derived_settings(folder: Path) -> dict[str, Any]:
    """Return what study.toml says after `make`, from the header of the material."""
    made_by = jsonl.header(folder / MATERIAL / "items.jsonl")
    recipe = made_by.get("recipe")
    options = dict(recipe) if isinstance(recipe, dict) else {}
    return {
        "task": options.pop("task", ""),
        "seed": options.pop("seed", 0),
        "earmark": made_by.get("earmark", __version__),
        "make": {name: value for name, value in options.items() if value is not None},
    }


def settings_text(folder: Path) -> str:
    """Return study.toml from the header of the material, with the organiser's tables."""
    import tomli_w

    source = folder / MATERIAL / "items.jsonl"
    settings = _checked(derived_settings(folder), source)
    try:
        text = tomli_w.dumps({**settings, **organisers_tables(folder)})
    except (TypeError, ValueError) as error:
        what = "the header of the material must say how it was made"
        raise InputError(what, at=source, got=error, fix="make it again") from error
    return f"# made by earmark make\n{text}"


def organisers_tables(folder: Path) -> dict[str, Any]:
    """Return the tables of study.toml that an organiser wrote; {} where there are none.

    While `make` has study.toml aside, or was killed then, they are those of the file aside.
    """
    for path in (folder / SETTINGS, *sorted(folder.glob(f"{PARTIAL}*-{SETTINGS}"))):
        try:
            settings = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return {name: settings[name] for name in ORGANISERS if name in settings}
    return {}


def write_organisers_tables(folder: Path, tables: dict[str, Any]) -> None:
    """Write study.toml with these tables in the place of the organiser's."""
    import tomli_w

    settings = {n: v for n, v in read_settings(folder).items() if n not in ORGANISERS}
    text = "# made by earmark make; tables by the organiser\n"
    write_file(folder / SETTINGS, text + tomli_w.dumps({**settings, **tables}))


def write_settings(folder: Path) -> None:
    """Write study.toml from the header of the material."""
    write_file(folder / SETTINGS, settings_text(folder))


def recover_settings(folder: Path) -> None:
    """Write study.toml if a kill came between the material and it."""
    if not (folder / SETTINGS).exists() and has_settings(folder):
        write_settings(folder)
