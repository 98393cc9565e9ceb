"""Material: sounds with reference captions and, where there are, systems' captions to compare."""

from collections.abc import Iterator
from pathlib import Path

from earmark.task.task import Made
from earmark.tasks.captions.files import check_caption, read_rows
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError
from earmark.values.item import Item


def make_captions(
    source: Path | None,
    *,
    seed: int = 0,
    captions: Path | None = None,
    systems: Path | None = None,
    sounds: Path | None = None,
) -> Iterator[Made]:
    """Sounds and what people say of them; the references are the truth.

    Parameters
    ----------
    captions
        CSV, TSV or JSONL of references: item, caption, several rows an item; a column `sound` may
        name an audio file.
    systems
        The same with a column `system`: what machines say, for pairs of the kinds HM and MM.
    sounds
        Folder of the audio files; otherwise they lie beside the captions.
    """
    path = captions or source
    if path is None:
        raise InputError("captions are made from a file", fix="add --captions F.csv")
    said, media = _read(path)
    machines = _machines(systems, set(said))
    for item, texts in said.items():
        sound = (sounds or path.parent) / media[item] if item in media else None
        if sound is not None and not sound.exists():
            raise InputError(
                "a sound that is named must be there",
                at=path,
                got=str(sound),
                fix="name the folder of the sounds: --sounds DIR",
            )
        details = {"captions": list(texts), "systems": machines.get(item, {})}
        made = Item(item, "sound", media=str(sound) if sound else None, details=details)
        yield Made(made, Captions(tuple(texts)))


def _read(path: Path) -> tuple[dict[str, list[str]], dict[str, str]]:
    said: dict[str, list[str]] = {}
    media: dict[str, str] = {}
    for at, cells in read_rows(path, optional=("sound",)):
        text = check_caption(cells["caption"], at=at)
        said.setdefault(cells["item"].strip(), []).append(text)
        if cells["sound"]:
            media[cells["item"].strip()] = cells["sound"]
    if not said:
        raise InputError("there must be at least one caption", at=path, want="item,caption")
    return said, media


def _machines(path: Path | None, known: set[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    if path is None:
        return found
    for at, cells in read_rows(path, optional=("system",)):
        item, system = cells["item"].strip(), cells["system"].strip()
        if item not in known:
            raise InputError("a system speaks of sounds that have references", at=at, got=item)
        if not system or system in found.get(item, {}):
            raise InputError("a system says one caption an item", at=at, got=system or "no system")
        found.setdefault(item, {})[system] = check_caption(
            cells["caption"], at=at, may_be_empty=True
        )
    return found
