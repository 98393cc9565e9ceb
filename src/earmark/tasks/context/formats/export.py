"""What leaves a study of context: tokens with labels, changes or scores, answers, and questions."""

from collections.abc import Iterator, Sequence
from typing import Any

from earmark.export.questions import (
    QuestionForm,
    clickable,
    label_studio,
    mturk,
    prolific,
    word_form,
)
from earmark.files import jsonl
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
from earmark.tasks.context.files import truth_line
from earmark.tasks.context.values import Flags, Passage, Scores, Swaps
from earmark.values.item import Item
from earmark.values.pack import pack

HIGHEST = 8  # scores of a passage that are shown in brief


def write_tokens(selection: Selection) -> Exported:
    """Return a JSON object per passage: its tokens and their offsets, labels, or scores."""
    if selection.what == MATERIAL:
        rows = [token_line(item) for item in selection.items]
    else:
        items = {item.id: item for item in selection.items}
        rows = [value_line(items[name], value) for name, value in selection.values.items()]
    text = "".join(jsonl.dump(row) + "\n" for row in rows)
    return Exported({file_path(selection.name, ".jsonl"): text}, len(rows))


def token_line(item: Item) -> dict[str, Any]:
    """Return a passage: its text, its tokens, and the characters from and to which each goes."""
    passage = Passage.of(item)
    return {
        "id": item.id,
        "text": passage.text,
        "tokens": list(passage.tokens),
        "offsets": [list(span) for span in passage.offsets],
    }


def value_line(item: Item, value: Swaps | Flags | Scores) -> dict[str, Any]:
    """Return what a reference or a system says of a passage, as `measure` reads it."""
    if isinstance(value, Swaps | Flags):
        return truth_line(item, value)
    more = {
        "threshold": value.threshold,
        "surprise": None if value.surprise is None else list(value.surprise),
        "choices": [_plain(choice) for choice in value.choices] or None,
    }
    given = {name: part for name, part in more.items() if part is not None}
    return {"id": item.id, "scores": list(value.scores), **given}


def _plain(choice: object) -> dict[str, Any]:
    record = pack(choice)
    fields: dict[str, Any] = dict(record) if isinstance(record, dict) else {}
    return {name: value for name, value in fields.items() if name != "is"}


TOKENS = Exporter(
    write_tokens, (MATERIAL, REFERENCES, OUTPUTS), "a JSON object per passage, token by token"
)


def brief_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield the words of passages that a value is about: changed, marked, or with high scores."""
    for item in selection.items:
        value, tokens = selection.values[item.id], Passage.of(item).tokens
        if isinstance(value, Swaps):
            yield from ({"word": one.now, "instead_of": one.was} for one in value.swaps)
        elif isinstance(value, Flags):
            yield from ({"word": tokens[place]} for place in sorted(value.at))
        else:
            order = sorted(range(len(value.scores)), key=lambda place: -value.scores[place])
            for place in order[:HIGHEST]:
                yield {"word": tokens[place], "score": value.scores[place]}


def answer_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per answer, in the form that `ask --import` reads."""
    firsts = {unit.id: unit.details["first"] for unit in selection.units}
    for answer in selection.answers:
        marked = sorted(token - int(str(firsts[answer.item])) for token in answer.value.at)
        yield answer_row(answer, words="|".join(f"#{index}" for index in marked) or "none")


def question_data(unit: Item, url: str = "") -> dict[str, Any]:
    """Return what a question shows."""
    return {"item": unit.id, "text": unit.text or ""}


def question_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per question."""
    return map(question_data, selection.units)


def question_cells(unit: Item, url: str) -> dict[str, Any]:
    """Return the same as words that can be clicked, with what is between them."""
    flat: Any = unit.details["offsets"]
    text = unit.text or ""
    pieces: list[tuple[str, bool]] = []
    last = 0
    for start, end in zip(flat[::2], flat[1::2], strict=True):
        pieces += [(text[last:start], False), (text[start:end], True)]
        last = end
    return {"item": unit.id, "words": clickable([*pieces, (text[last:], False)])}


def studio_config(units: Sequence[Item]) -> str:
    """Return the controls: the text, of which words are marked."""
    return (
        '  <Labels name="words" toName="text">\n    <Label value="does not fit"/>\n  </Labels>\n'
        '  <Text name="text" value="$text" granularity="word"/>\n'
    )


FORM = QuestionForm(
    question_data, question_cells, word_form("words", "every word fits"), studio_config
)
MTURK = mturk(FORM)
PROLIFIC = prolific(FORM)
LABEL_STUDIO = label_studio(FORM)
