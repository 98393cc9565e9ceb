"""The question about windows of sound, for crowd markets."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from earmark.export.questions import (
    BOXES,
    QuestionForm,
    attribute,
    label_studio,
    mturk,
    prolific,
    sound_url,
)
from earmark.task.export import Selection
from earmark.tasks.events.ask.question import DESCRIPTIONS
from earmark.tasks.events.values import NONE, labels_of
from earmark.values.item import Item

TEMPLATE = f"""<audio controls src="${{audio_url}}"></audio>
${{labels}}
{BOXES}"""


def question_data(unit: Item, url: str) -> dict[str, Any]:
    """Return what a window shows: its sound, from when to when, and the labels on offer."""
    return {
        "item": unit.id,
        "audio_url": sound_url(unit, url),
        "start": unit.span.start if unit.span else 0.0,
        "end": unit.span.end if unit.span else "",
        "labels": "|".join([*labels_of(unit), NONE]),
    }


def question_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per window."""
    return (question_data(unit, "") for unit in selection.units)


def question_cells(unit: Item, url: str) -> dict[str, Any]:
    """Return the same for a page: a box per label."""
    boxes = "".join(_box(label) for label in [*labels_of(unit), NONE])
    return {**question_data(unit, url), "labels": boxes}


def _box(label: str) -> str:
    about = "none of them" if label == NONE else DESCRIPTIONS.get(label, "")
    shown = escape(label.replace("_", " ")) + (f": {escape(about)}" if about else "")
    return f'<label><input type="checkbox" name="labels" value="{escape(label)}"> {shown}</label>'


def studio_config(units: Sequence[Item]) -> str:
    """Return the controls: the sound, and a box per label that any window offers."""
    labels = dict.fromkeys(label for unit in units for label in labels_of(unit))
    choices = "".join(f"    <Choice value={attribute(label)}/>\n" for label in [*labels, NONE])
    return (
        '  <Audio name="audio" value="$audio_url"/>\n'
        '  <Choices name="labels" toName="audio" choice="multiple" required="true">\n'
        f"{choices}  </Choices>\n"
    )


FORM = QuestionForm(question_data, question_cells, TEMPLATE, studio_config)
MTURK = mturk(FORM)
PROLIFIC = prolific(FORM)
LABEL_STUDIO = label_studio(FORM)
