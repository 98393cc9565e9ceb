"""Examples of what is asked about: sounds that people hear before their first question."""

import base64
import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from earmark.task.progress import notify
from earmark.values.errors import InputError
from earmark.values.names import some

FOLDER = "examples"  # in the study, unless another one is named
SUFFIXES = (".wav", ".flac", ".ogg", ".mp3", ".oga", ".opus", ".aif", ".aiff")
MOST = 4  # of one label, as many as in the paper's instructions
LONGEST = 10.0  # s; about 80 KB as MP3, which every browser plays
RATE = 32000  # a rate that MP3 has; nothing below 16 kHz is lost
LOUDEST = 0.5  # of full scale: headphones are on


def folder_examples(folder: Path, labels: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return examples of labels as data URLs: the first sounds, by name, of each label's folder.

    Raise InputError if there is no folder of any label; say which labels have none.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder of examples", at=folder, fix="check --examples")
    paths = {label: _sounds(folder, label)[:MOST] for label in labels}
    examples = {label: tuple(map(data_url, own)) for label, own in paths.items() if own}
    if not examples:
        raise InputError(
            "a folder of examples holds a folder of sounds for each label",
            at=folder,
            got=some([path.name for path in sorted(folder.iterdir())], "file"),
            want=", ".join(labels),
        )
    bare = [label for label in labels if label not in examples]
    if bare:
        notify(f"{folder.name} has no examples of {', '.join(bare)}")
    return examples


def _sounds(folder: Path, label: str) -> list[Path]:
    """Return the sound files of a label's folder, which spells it with spaces or underscores."""
    names = {label, label.replace(" ", "_"), label.replace("_", " ")}
    places = [one for one in sorted(folder.iterdir()) if one.name in names and one.is_dir()]
    return sorted(
        path for place in places for path in place.iterdir() if path.suffix.lower() in SUFFIXES
    )


@lru_cache(maxsize=1024)
def data_url(path: Path) -> str:
    """Return a sound as an address that holds it, no longer and no louder than it should be."""
    import numpy as np
    import soundfile

    from earmark.files.sound import read_sound

    samples, _ = read_sound(path, rate=RATE)
    samples = samples[: round(LONGEST * RATE)]
    peak = float(np.abs(samples).max(initial=0.0))
    if peak == 0:
        raise InputError("an example must be heard", at=path, got="silence", fix="remove it")
    out = io.BytesIO()
    soundfile.write(out, samples * min(1.0, LOUDEST / peak), RATE, format="MP3")
    return "data:audio/mpeg;base64," + base64.b64encode(out.getvalue()).decode()
