"""What leaves a study of boundaries: a file per text in each format, tables, and questions.

A panel of several people becomes a folder per person.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from earmark.export.questions import (
    QuestionForm,
    clickable,
    label_studio,
    mturk,
    prolific,
    word_form,
)
from earmark.task.export import (
    MATERIAL,
    OUTPUTS,
    REFERENCES,
    Exported,
    Exporter,
    Selection,
    answer_row,
    file_path,
)
from earmark.tasks.boundaries.formats import WRITERS
from earmark.tasks.boundaries.values import Boundaries, Panel, Transcript, transcript_of
from earmark.values.errors import InputError
from earmark.values.item import Item


def by_person(value: Boundaries | Panel) -> dict[str, Boundaries]:
    """Return person to boundaries; boundaries of nobody in particular have an empty name."""
    if isinstance(value, Boundaries):
        return {"": value}
    return dict(zip(value.people, value.references, strict=True))


def _exporter(kind: str, suffix: str, about: str, *, material: bool = False) -> Exporter:
    """Return the exporter of one of `WRITERS`: a file per text."""

    def write(selection: Selection) -> Exported:
        transcripts = {item.id: transcript_of(item) for item in selection.items}
        values: Mapping[str, Any] = selection.values or {
            name: Boundaries(len(words.words)) for name, words in transcripts.items()
        }
        files: dict[str, str] = {}
        for name, value in values.items():
            for person, boundaries in by_person(value).items():
                place = "/".join(part for part in (selection.name, person, name) if part)
                text = _text(kind, transcripts[name], boundaries, name)
                files[file_path(place, suffix)] = text
        return Exported(files, len(values), _notes(selection.values, kind))

    what = (MATERIAL,) if material else (REFERENCES, OUTPUTS)
    return Exporter(write, what, about)


def _text(kind: str, transcript: Transcript, boundaries: Boundaries, name: str) -> str:
    try:
        return WRITERS[kind](transcript, boundaries)
    except InputError as error:
        raise InputError(
            str(error).partition("\n")[0],
            at=f"item {name}",
            got="words without times",
            fix="choose a format without times: --to lines, text or labels",
        ) from error


def _notes(values: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """Return how many texts have no boundary at their end, which files cannot say."""
    if kind in ("tsv", "seg"):
        return ()
    every = [one for value in values.values() for one in by_person(value).values()]
    count = sum(one.length - 1 not in one.after for one in every)
    return (f"{count} texts end without a boundary; the files have one there",) if count else ()


LINES = _exporter("lines", ".txt", "a unit per line")
TEXT = _exporter("text", ".txt", "running text with full stops")
LABELS = _exporter("tsv", ".tsv", "a word and its label per line, as IWSLT has them")
SEG = _exporter("seg", ".seg", "0 or 1 per word")
TEXTGRID = _exporter("textgrid", ".TextGrid", "a TextGrid per text, an interval per unit")
ELAN = _exporter("eaf", ".eaf", "an EAF file per text, an annotation per unit")
RTTM = _exporter("rttm", ".rttm", "NIST's units and words")
CTM = _exporter("ctm", ".ctm", "NIST's words with times", material=True)
SRT = _exporter("srt", ".srt", "a subtitle per unit")
VTT = _exporter("vtt", ".vtt", "a subtitle per unit")
WHISPER = _exporter("whisper", ".json", "words with times as Whisper writes them")


def _after(boundaries: Boundaries) -> str:
    return " ".join(map(str, sorted(boundaries.after)))


def boundary_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per text and person: the numbers of the words that end a unit."""
    for name, value in selection.values.items():
        for person, boundaries in by_person(value).items():
            row = {"item": name, "after": _after(boundaries), "words": boundaries.length}
            yield {"item": name, "person": person, **row} if person else row


def answer_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per answer, in the form that `ask --import` reads."""
    for answer in selection.answers:
        yield answer_row(answer, after=_after(answer.value) or "none")


def question_data(unit: Item, url: str = "") -> dict[str, Any]:
    """Return what a page of a transcript shows."""
    return {"item": unit.id, "text": unit.text or ""}


def question_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per page."""
    return map(question_data, selection.units)


def question_cells(unit: Item, url: str) -> dict[str, Any]:
    """Return the same as words that can be clicked."""
    words = (unit.text or "").split()
    pieces = [piece for word in words for piece in ((word, True), (" ", False))]
    return {"item": unit.id, "words": clickable(pieces)}


def studio_config(units: Sequence[Item]) -> str:
    """Return the controls: every sentence, or its last word, is marked."""
    return (
        '  <Labels name="after" toName="text">\n    <Label value="sentence"/>\n  </Labels>\n'
        '  <Text name="text" value="$text" granularity="word"/>\n'
    )


FORM = QuestionForm(
    question_data, question_cells, word_form("after", "no sentence ends here"), studio_config
)
MTURK = mturk(FORM)
PROLIFIC = prolific(FORM)
LABEL_STUDIO = label_studio(FORM)
