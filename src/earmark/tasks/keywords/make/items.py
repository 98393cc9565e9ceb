"""One clip of a speaker as an item of the study."""

from typing import Any, Literal

from earmark.task.task import Made
from earmark.tasks.keywords.clips import Clip
from earmark.tasks.keywords.values import RATE, Trial
from earmark.values.item import Item

# The challenge's folder for each kind of clip.
FOLDERS = {"enrolment": "enroll", "trial": "test"}


def clip_item(
    speaker: str,
    kind: Literal["enrolment", "trial"],
    name: str,
    clip: Clip,
    truth: Trial | None = None,
    *,
    phase: str = "",
) -> Made:
    """Return a clip as an item with its sound, 16-bit as it came."""
    unique = clip_id(speaker, name)
    details: dict[str, Any] = {}
    if clip.note:
        details["converted"] = clip.note
    if phase:
        details["phase"] = phase
    media = f"sound/{speaker}/{FOLDERS[kind]}/{unique}.wav"
    item = Item(unique, kind, media=media, parent=speaker, details=details)
    return Made(item, truth, sound=(clip.samples, RATE))


def clip_id(speaker: str, name: str) -> str:
    """Return a name of a clip that no other speaker's clip has."""
    return name if name.startswith(speaker) else f"{speaker}-{name}"
