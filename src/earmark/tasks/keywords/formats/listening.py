"""Questions to listeners: is this recording of a text usable? One for every take that was sent.

Contributors' recordings cannot be made in Label Studio or MTurk's forms; whether they are usable
can be asked there. The person whose take it is goes out with the question, and comes back.
"""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from earmark.export.questions import (
    BOXES,
    QuestionForm,
    SoundUrlOptions,
    label_studio,
    mturk,
    sound_url,
)
from earmark.task.export import ANSWERS, Exported, Exporter, Selection
from earmark.tasks.keywords.values import Recording
from earmark.values.item import Item

PROMPT = "Is this a usable recording of the text?"
KEEP, DROP = "keep", "drop"
TEMPLATE = (
    f"""<p><audio controls src="${{audio_url}}"></audio></p>
<p>${{text}}</p>
<label><input type="radio" name="verdict" value="{KEEP}"> usable</label>
<label><input type="radio" name="verdict" value="{DROP}"> not usable</label>
<label>why not <input type="text" name="reason"></label>
"""
    + BOXES
)


def question_data(unit: Item, url: str = "") -> dict[str, Any]:
    """Return what a listener hears and reads, and whose take it is."""
    return {
        "item": unit.parent or unit.id,
        "person": unit.details["person"],
        "audio_url": sound_url(unit, url),
        "text": unit.text or "",
    }


def question_cells(unit: Item, url: str = "") -> dict[str, Any]:
    """Return the same for a page."""
    data = question_data(unit, url)
    return {**data, "text": escape(data["text"])}


def studio_config(units: Sequence[Item]) -> str:
    """Return the controls: the sound, the text, a choice of two, and a line for the reason."""
    return (
        '  <Audio name="audio" value="$audio_url"/>\n  <Text name="text" value="$text"/>\n'
        '  <Choices name="verdict" toName="audio" choice="single-radio" required="true">\n'
        f'    <Choice value="{KEEP}"/>\n    <Choice value="{DROP}"/>\n  </Choices>\n'
        '  <TextArea name="reason" toName="audio" maxSubmissions="1"/>\n'
    )


def takes(selection: Selection) -> tuple[Item, ...]:
    """Return a question for each recording: the unit it answers, its sound, and whose it is."""
    units = {unit.id: unit for unit in selection.units}
    return tuple(
        Item(
            f"{answer.item}-{answer.person}",
            "recording",
            media=answer.value.file,
            text=units[answer.item].text,
            parent=answer.item,
            details={"person": answer.person},
        )
        for answer in selection.answers
        if isinstance(answer.value, Recording)
    )


def _of_takes(exporter: Exporter, about: str) -> Exporter:
    def write(selection: Selection, options: SoundUrlOptions = SoundUrlOptions()) -> Exported:
        asked = replace(selection, units=takes(selection), prompt=PROMPT)
        return exporter.write(asked, options)

    return Exporter(write, (ANSWERS,), about)


FORM = QuestionForm(question_data, question_cells, TEMPLATE, studio_config)
MTURK = _of_takes(mturk(FORM), "a batch that asks listeners about the recordings")
LABEL_STUDIO = _of_takes(label_studio(FORM), "tasks that ask listeners about the recordings")
