"""What a page gets of a study and of a unit: what the task shows, addresses in place of files."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

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


def examples(live: Live) -> dict[str, list[str]]:
    """Return the example sounds of each label, as data URLs; one or several from the task."""
    own = first_shown(live).get("examples")
    if not isinstance(own, Mapping):
        return {}
    lists = {label: [one] if isinstance(one, str) else list(one) for label, one in own.items()}
    return {label: [one for one in some if one.startswith(DATA)] for label, some in lists.items()}
