"""What a page gets of a study and of a unit: what the task shows, addresses in place of files."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from earmark.ask.examples import FOLDER, folder_examples
from earmark.values.errors import InputError
from earmark.web.live import Live

# Units whose documents are remembered, so that they are not made again for every person.
REMEMBERED = 4096
DATA = "data:"
QUESTION_MODULE = "/task/question.js"  # the task's page/question.js, see `app.py`


@lru_cache(maxsize=REMEMBERED)
def shown(live: Live, unit: str) -> dict[str, Any]:
    """Return the document of one unit: what the task shows, and `clip`, where its sound is."""
    item = live.units[unit]
    paths = (item.media, None)
    document = {
        name: value
        for name, value in live.question.show(item).items()
        # no path of this machine; examples are the same for all units
        if value not in paths and name != "examples"
    }
    return {
        "kind": live.study.task.name,
        "prompt": prompt(live),
        "language": live.texts["language"],
        **document,
        "clip": media_address(unit) if item.media else None,
    }


@lru_cache(maxsize=REMEMBERED)
def shown_text(live: Live, unit: str) -> str:
    """Return the document of one unit as JSON text."""
    return json.dumps(shown(live, unit), ensure_ascii=False, allow_nan=False)


@lru_cache(maxsize=REMEMBERED)
def takes_recordings(live: Live) -> bool:
    """Return whether the answers of a study are recordings."""
    return "format" in first_shown(live)


def first_shown(live: Live) -> Mapping[str, Any]:
    """Return what the task shows of the first unit; nothing where nobody is asked."""
    first = next(iter(live.units.values()), None)
    return {} if first is None else live.question.show(first)


def prompt(live: Live) -> str:
    """Return the question in the study's words."""
    return live.texts.get("prompt") or live.question.prompt


def media_address(unit: str) -> str:
    """Return where the sound of a unit is."""
    return f"/api/media/{quote(unit, safe='')}"


def study_document(live: Live) -> dict[str, Any]:
    """Return what is the same for all units and everybody: what pages start with."""
    options, document = live.terms.options, first_shown(live)
    guide = {name: document[name] for name in ("labels", "descriptions") if name in document}
    sounds = {
        label: [f"/api/examples/{quote(label, safe='')}/{n}" for n in range(len(own))]
        for label, own in examples(live).items()
    }
    return {
        "id": live.identity,
        "name": live.study.name,
        "title": live.texts.get("title") or live.study.name,
        "heading": live.texts.get("heading"),
        "kind": live.study.task.name,
        "question": QUESTION_MODULE,
        "prompt": prompt(live),
        "language": live.texts["language"],
        "consent": {"version": live.options.consent, "text": live.texts.get("consent.own")},
        "takes_recordings": takes_recordings(live),
        "has_sound": any(unit.media for unit in live.units.values()),
        "guide": {**guide, "examples": sounds},
        "spectrogram": live.options.spectrogram,
        "seconds": live.question.seconds,
        "pay": options.pay,
        "currency": options.currency,
        "opinions": options.people,
        "cap": options.cap,
        "trials": live.terms.trials,
        "lease_seconds": live.terms.lease_seconds,
    }


@lru_cache(maxsize=REMEMBERED)
def examples(live: Live) -> dict[str, list[str]]:
    """Return the example sounds of each label, as data URLs: the study's own, or else the task's.

    The study's own are in the folder that `--examples` names, or in its folder `examples`.
    """
    document = first_shown(live)
    given = document.get("examples")
    of_task = given if isinstance(given, Mapping) else {}
    lists = {label: [one] if isinstance(one, str) else one for label, one in of_task.items()}
    lists |= _own_examples(live, tuple(document.get("descriptions", ())))
    return {label: [one for one in own if one.startswith(DATA)] for label, own in lists.items()}


def _own_examples(live: Live, labels: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    """Return the examples of the study's own folder; a path is looked for in the study too."""
    named = live.options.examples
    folder = Path(named or FOLDER)
    folder = folder if named and folder.exists() else live.folder / folder
    if not named and not (folder.is_dir() and labels):
        return {}
    if not labels:
        raise InputError(
            f"the question of {live.study.task.name} has no labels to give examples of",
            fix="leave out --examples",
        )
    return folder_examples(folder, labels)
