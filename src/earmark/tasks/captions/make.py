"""Material: sounds with reference captions and, where there are, systems' captions to compare."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from earmark.task.options import option
from earmark.task.progress import expect
from earmark.task.task import Made
from earmark.tasks.captions.files import check_caption, read_rows
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import match_names, some

LONGEST_NAME = 60  # of an item, in the name of its sound file; its number makes it the only one


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionFiles:
    """Where the material comes from."""

    captions: Path | None = option(
        None,
        "CSV, TSV or JSONL of references: item, caption, several rows per item, where a column "
        "`sound` may name an audio file; or a table of Clotho or AudioCaps.",
    )
    systems: Path | None = option(
        None,
        "The same with a column `system`: captions by machines, for pairs of the kinds HM and MM.",
    )
    sounds: Path | None = option(
        None,
        "Folder of the audio files; otherwise they lie beside the captions. Those that Clotho's "
        "`file_name` names must be there only if this is given.",
    )


def make_captions(
    source: Path | None, options: CaptionFiles = CaptionFiles(), *, seed: int = 0
) -> Iterator[Made]:
    """Yield sounds with the captions of people and of systems; the references are the truth."""
    path = options.captions or source
    if path is None:
        raise InputError("captions are made from a file", fix="add --captions F.csv")
    references = _read_references(path, needs_sounds=options.sounds is not None)
    by_system = _read_systems(options.systems, references.texts)
    folder = options.sounds or path.parent
    expect("make", len(references.texts))
    for number, (item, texts) in enumerate(references.texts.items()):
        sound = folder / references.sounds[item] if item in references.sounds else None
        if sound is not None and not sound.exists():
            raise InputError(
                "a sound that is named must be there",
                at=path,
                got=str(sound),
                fix="name the folder of the sounds: --sounds DIR",
            )
        details = {"captions": texts, "systems": by_system.get(item, {})}
        yield _captioned(item, number, sound, details)


def _captioned(item: str, number: int, sound: Path | None, details: Mapping[str, Any]) -> Made:
    """Return a sound with its captions; the study holds a copy of the sound, in mono."""
    truth = Captions(tuple(details["captions"]))
    if sound is None:
        return Made(Item(item, "sound", details=details), truth)
    from earmark.files.sound import read_sound, refuse_broken

    refuse_broken(sound)
    name = re.sub(r"[^\w-]", "-", item)[:LONGEST_NAME]
    media = f"sound/{number:04}-{name}.flac"
    return Made(Item(item, "sound", media, details=details), truth, read_sound(sound))


class _References(NamedTuple):
    """Item to captions, and item to the name of its audio file where there is one."""

    texts: dict[str, list[str]]
    sounds: dict[str, str]


def _read_references(path: Path, *, needs_sounds: bool) -> _References:
    references = _References({}, {})
    for at, cells in read_rows(path, optional=("sound", "file_name")):
        text = check_caption(cells["caption"], at=at)
        references.texts.setdefault(cells["item"].strip(), []).append(text)
        file = cells["file_name"]
        # Clotho names every sound, also for those who have its captions alone
        sound = file if needs_sounds or (file and (path.parent / file).exists()) else ""
        if cells["sound"] or sound:
            references.sounds[cells["item"].strip()] = cells["sound"] or sound
    if not references.texts:
        raise InputError("there must be at least one caption", at=path, want="item,caption")
    return references


def _read_systems(path: Path | None, known: Mapping[str, object]) -> dict[str, dict[str, str]]:
    """Read item to system to caption; raise InputError for an unknown item or a second caption."""
    captions: dict[str, dict[str, str]] = {}
    rows = list(read_rows(path, optional=("system",))) if path else []
    matches = match_names([cells["item"].strip() for _, cells in rows], known)
    for place, cells in rows:
        name, system = cells["item"].strip(), cells["system"].strip()
        if name not in matches:
            raise InputError(
                "a system's captions are of sounds that have references",
                at=place,
                got=f"{name}; {len(matches)} of {len({c['item'].strip() for _, c in rows})} items "
                f"are among {some(known)}",
            )
        own = captions.setdefault(matches[name], {})
        if not system or system in own:
            raise InputError(
                "a system has one caption per item", at=place, got=system or "no system"
            )
        own[system] = check_caption(cells["caption"], at=place, may_be_empty=True)
    return captions
