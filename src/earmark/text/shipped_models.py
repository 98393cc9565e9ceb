"""Models that come with Earmark, and a user's own in their place.

A folder named by $EARMARK_MODELS may hold models that `earmark train` wrote, each in a folder of
the shipped one's name (`parser`, `fluency`, `listener`). What it lacks is taken from Earmark.
"""

import hashlib
import os
from pathlib import Path

SHIPPED = Path(__file__).parent / "models"
BUILTIN = "builtin"


def model_file(model: str, *parts: str) -> Path:
    """Return the path of a model, or of a file of it."""
    own = own_folder(model)
    if own is not None and own.joinpath(*parts).exists():
        return own.joinpath(*parts)
    return SHIPPED.joinpath(model, *parts)


def own_folder(model: str) -> Path | None:
    """Return the folder of the user's own model of that name; None when there is none."""
    named = os.environ.get("EARMARK_MODELS", "")
    place = Path(named) / model
    return place if named and place.is_dir() else None


def model_name(model: str) -> str:
    """Return what a signature says of a model: `builtin`, or a digest of the user's own."""
    own = own_folder(model)
    return "own-" + folder_digest(own) if own else BUILTIN


def folder_digest(folder: Path) -> str:
    """Return twelve digits that say what a folder holds."""
    sha = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        sha.update(f"{path.relative_to(folder)} {path.stat().st_size}\n".encode())
        sha.update(path.read_bytes())
    return sha.hexdigest()[:12]
