"""What leaves a study of captions: Clotho's and DCASE's tables, answers, and questions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from earmark.export.questions import (
    BOXES,
    QuestionForm,
    label_studio,
    mturk,
    prolific,
    sound_url,
)
from earmark.tables.rows import write_table
from earmark.task.export import (
    OUTPUTS,
    REFERENCES,
    Exported,
    Exporter,
    Selection,
    answer_row,
    file_path,
)
from earmark.task.options import option
from earmark.tasks.captions.ask import pair_of
from earmark.tasks.captions.values import FIRST, NEITHER, SECOND, single_caption
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import ending_in


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNameOptions:
    """How sounds are named."""

    suffix: str = option("", "What is added to the name of every sound, such as .wav.")


def write_clotho(selection: Selection, options: FileNameOptions = FileNameOptions()) -> Exported:
    """Return Clotho's table: file_name, caption_1 to caption_5; every sound has equally many."""
    sizes = {name: len(value.texts) for name, value in selection.values.items()}
    most = max(sizes.values(), default=0)
    short = [name for name, size in sizes.items() if size < most]
    if short:
        raise InputError(
            "Clotho's table has equally many captions for every sound",
            at=f"item {short[0]}",
            got=f"{sizes[short[0]]} captions, {most} elsewhere",
            fix="--to csv has a row per caption",
        )
    names = [f"caption_{number}" for number in range(1, most + 1)]
    rows = [
        {"file_name": ending_in(name, options.suffix), **dict(zip(names, value.texts, strict=True))}
        for name, value in selection.values.items()
    ]
    text = write_table(("file_name", *names), rows)
    return Exported({file_path(selection.name, ".csv"): text}, len(rows))


def write_dcase(selection: Selection, options: FileNameOptions = FileNameOptions()) -> Exported:
    """Return a submission's table: file_name, caption_predicted."""
    rows = [
        {
            "file_name": ending_in(name, options.suffix),
            "caption_predicted": single_caption(value, name),
        }
        for name, value in selection.values.items()
    ]
    text = write_table(("file_name", "caption_predicted"), rows)
    return Exported({file_path(selection.name, ".csv"): text}, len(rows))


CLOTHO = Exporter(write_clotho, (REFERENCES,), "Clotho's table of captions")
DCASE = Exporter(write_dcase, (OUTPUTS,), "the table of a DCASE submission")


def caption_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per caption."""
    for name, value in selection.values.items():
        texts = getattr(value, "texts", None)
        if texts is None:
            raise InputError(
                "these are no captions",
                at=f"item {name}",
                got=type(value).__name__,
                fix="choose another reference: --reference NAME",
            )
        yield from ({"item": name, "caption": text} for text in texts)


def answer_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per answer, in the form that `ask --import` reads."""
    for answer in selection.answers:
        yield answer_row(answer, winner=answer.value.winner)


def question_data(unit: Item, url: str = "") -> dict[str, Any]:
    """Return what a pair shows: the sound and two captions, without their authors."""
    pair = pair_of(unit)
    sound = {"audio_url": sound_url(unit, url)} if unit.media else {}
    return {"item": unit.id, **sound, "first": pair.first, "second": pair.second}


def question_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per pair."""
    return map(question_data, selection.units)


def question_cells(unit: Item, url: str) -> dict[str, Any]:
    """Return the same for a page."""
    cells = question_data(unit, url)
    player = f'<audio controls src="{escape(cells["audio_url"])}"></audio>' if unit.media else ""
    shown = {name: escape(cells[name]) for name in ("first", "second")}
    return {**cells, "sound": player, **shown}


TEMPLATE = f"""${{sound}}
<label><input type="radio" name="winner" value="{FIRST}" required> ${{first}}</label>
<label><input type="radio" name="winner" value="{SECOND}" required> ${{second}}</label>
<label><input type="radio" name="winner" value="{NEITHER}" required> neither is better</label>
{BOXES}"""


def studio_config(units: Sequence[Item]) -> str:
    """Return the controls: the sound where there is one, two texts, and a choice of three."""
    sound = '  <Audio name="audio" value="$audio_url"/>\n' if units and units[0].media else ""
    choices = "".join(f'    <Choice value="{one}"/>\n' for one in (FIRST, SECOND, NEITHER))
    return (
        f'{sound}  <Text name="first" value="$first"/>\n  <Text name="second" value="$second"/>\n'
        '  <Choices name="winner" toName="first" choice="single-radio" required="true">\n'
        f"{choices}  </Choices>\n"
    )


FORM = QuestionForm(question_data, question_cells, TEMPLATE, studio_config)
MTURK = mturk(FORM)
PROLIFIC = prolific(FORM)
LABEL_STUDIO = label_studio(FORM)
