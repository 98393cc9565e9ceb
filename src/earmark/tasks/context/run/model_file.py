"""A trained model in one file: arrays and a card, without anything that could run."""

import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from earmark.files.folder import write_file
from earmark.files.json_text import parse_json
from earmark.files.models import use_model
from earmark.files.npz import read_arrays
from earmark.task.task import Json
from earmark.values.errors import InputError

# The card travels as one more array, of the bytes of its JSON: an .npz holds nothing but arrays.
CARD = "card.json"


def save(path: Path, card: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write a model, whole or not at all."""
    text = json.dumps(dict(card), sort_keys=True, ensure_ascii=False)
    named: dict[str, Any] = {CARD: np.frombuffer(text.encode(), np.uint8), **arrays}
    content = io.BytesIO()
    np.savez_compressed(content, **named)
    write_file(path, content.getvalue())


def load(path: Path, *, system: str) -> tuple[Json, dict[str, Any]]:
    """Return the card and the arrays of a model.

    Raises
    ------
    InputError
        If there is no file, it is no model, or it is a model of another system.
    """
    if not path.is_file():
        raise InputError(
            "there is no model here",
            at=path,
            fix=f"train one: earmark train context {system} --study STUDY --out {os.fspath(path)}",
        )
    arrays = read_arrays(use_model(path), what="the file is no model of this task")
    try:
        card = dict(parse_json(arrays.pop(CARD).tobytes().decode()))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("the file is no model of this task", at=path, got=error) from error
    if card.get("system") != system:
        raise InputError(
            "the model belongs to another system", at=path, got=card.get("system"), want=system
        )
    return card, arrays


def needed(path: Path | None, system: str) -> Path:
    """Return the path; raise InputError, which says how to get a model, if there is none."""
    if path is None:
        raise InputError(
            f"{system} needs a trained model",
            fix=f"earmark train context {system} --study STUDY --out MODEL, then --model MODEL",
        )
    return path
