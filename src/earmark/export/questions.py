"""Questions for crowd markets: MTurk batches, Prolific's taskflow, Label Studio's tasks.

A task says what a question shows (`QuestionForm`); the files that a market takes are built here.
What comes back is read by `ask --import`, which finds the item in the column that went out.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import PurePath
from typing import Any
from urllib.parse import quote, urlencode

from earmark.tables.rows import write_table
from earmark.task.export import QUESTIONS, Exported, Exporter, Selection
from earmark.task.options import option
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item

Cells = Mapping[str, Any]
BATCH, TEMPLATE, TASKFLOW = "batch.csv", "template.html", "taskflow.csv"
TASKS, CONFIG, TABLE = "tasks.json", "config.xml", "questions.csv"
# What Prolific puts into a URL when it opens the page for a participant.
PARTICIPANT = {name: f"{{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")}


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """What a task's question shows.

    `data` is (unit, url) -> plain cells, `cells` the same for a page, where texts are HTML;
    `template` is the form, with ${name} for every cell; `config` is (units) -> Label Studio's
    labelling configuration.
    """

    data: Callable[[Item, str], Cells]
    cells: Callable[[Item, str], Cells]
    template: str
    config: Callable[[Sequence[Item]], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundUrlOptions:
    """Where the sounds are on the web."""

    url: str = option("", "The URL of the folder of the sounds, put before their names.")


def sound_url(unit: Item, url: str) -> str:
    """Return where a unit's sound is, with the part of it that the unit is about.

    Examples
    --------
    >>> from earmark.values.span import Span
    >>> sound_url(Item("a@1", "window", "sound/a b.wav", span=Span(1, 11)), "https://x.org/s/")
    'https://x.org/s/a%20b.wav#t=1,11'
    """
    if unit.media is None:
        return ""
    name = quote(PurePath(unit.media).name)
    part = f"#t={unit.span.start:g},{unit.span.end:g}" if unit.span else ""
    return (f"{url.rstrip('/')}/" if url else "") + name + part


def mturk(form: QuestionForm) -> Exporter:
    """Return the exporter of a batch for MTurk: the table to upload, and the layout of the HIT."""

    def write(selection: Selection, options: SoundUrlOptions = SoundUrlOptions()) -> Exported:
        rows = [form.cells(unit, options.url) for unit in selection.units]
        prompt = f"<h2>{escape(selection.prompt)}</h2>"
        page = f"{HEAD}{prompt}\n{form.template}{UNANSWERED}{FOOT}"
        names = list(rows[0]) if rows else ["item"]
        files = {BATCH: write_table(names, rows), TEMPLATE: page}
        return Exported(files, len(rows), _relative(selection, options.url))

    return Exporter(write, (QUESTIONS,), "a batch to upload, and the layout of the HIT")


def _relative(selection: Selection, url: str) -> tuple[str, ...]:
    if url or not any(unit.media for unit in selection.units):
        return ()
    return ("the sounds have names without a URL: pass --url https://... when they are uploaded",)


def label_studio(form: QuestionForm) -> Exporter:
    """Return the exporter of Label Studio's tasks and their labelling configuration."""

    def write(selection: Selection, options: SoundUrlOptions = SoundUrlOptions()) -> Exported:
        tasks = [{"data": dict(form.data(unit, options.url))} for unit in selection.units]
        text = json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"
        config = form.config(selection.units) if form.config else ""
        header = f"<Header value={attribute(selection.prompt)}/>"
        files = {TASKS: text, CONFIG: f"<View>\n  {header}\n{config}</View>\n"}
        return Exported(files, len(tasks), _relative(selection, options.url))

    return Exporter(write, (QUESTIONS,), "tasks to import, and the labelling configuration")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskflowOptions:
    """How a taskflow of Prolific is laid out."""

    url: str = option("", "The URL of the page that asks; the item and the participant are added.")
    sounds: str = option("", "The URL of the folder of the sounds, put before their names.")
    people: int = option(5, "Places for every question.")

    def __post_init__(self) -> None:
        checks.at_least(self.people, 1, what="--people")


def prolific(form: QuestionForm) -> Exporter:
    """Return the exporter of a taskflow: a URL per question, and the questions for the page."""

    def write(selection: Selection, options: TaskflowOptions = TaskflowOptions()) -> Exported:
        if not options.url:
            raise InputError(
                "a taskflow needs the page that asks", fix="pass --url https://example.org/ask"
            )
        joint = "&" if "?" in options.url else "?"
        people = urlencode(PARTICIPANT, safe="{}%")
        links = [
            {
                "external_url": f"{options.url}{joint}{urlencode({'item': unit.id})}&{people}",
                "total_allocation": options.people,
            }
            for unit in selection.units
        ]
        rows = [form.data(unit, options.sounds) for unit in selection.units]
        files = {
            TASKFLOW: write_table(("external_url", "total_allocation"), links),
            TABLE: write_table(list(rows[0]) if rows else ["item"], rows),
        }
        return Exported(files, len(links))

    return Exporter(write, (QUESTIONS,), "a taskflow of URLs, and the questions for that page")


def attribute(text: str) -> str:
    """Return a text as the value of an attribute, in quotes."""
    return f'"{escape(text)}"'


def clickable(pieces: Sequence[tuple[str, bool]]) -> str:
    """Return texts as HTML; each of those that are words can be clicked."""
    return "".join(
        f'<span class="w">{escape(text)}</span>' if is_word else escape(text)
        for text, is_word in pieces
    )


def word_form(name: str, none: str) -> str:
    """Return a form in which words of the cell `words` are marked, sent as `name`: `#3|#7`."""
    return WORDS.replace("NAME", name).replace("NONE", escape(none))


HEAD = """<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>
<style>
  body { font: 16px/1.6 sans-serif; max-width: 44em; margin: 1em auto }
  label { display: block; margin: .4em 0 }
  .w { cursor: pointer; border-radius: .2em }
  .w:hover { background: #eee }
  .w.on { background: #ffd54d }
</style>
<crowd-form answer-format="flatten-objects">
"""
FOOT = "</crowd-form>\n"
WORDS = """<p>${words}</p>
<label><input type="checkbox" id="none"> NONE</label>
<input type="hidden" name="NAME" id="answer" value="">
<script>
  const on = new Set(), none = document.getElementById('none');
  const answer = document.getElementById('answer');
  const show = () => {
    const marked = [...on].sort((a, b) => a - b).map(k => '#' + k).join('|');
    answer.value = none.checked ? 'none' : marked;
  };
  document.querySelectorAll('.w').forEach((word, k) => word.addEventListener('click', () => {
    if (!on.delete(k)) on.add(k);
    word.classList.toggle('on');
    none.checked = false;
    show();
  }));
  none.addEventListener('change', () => {
    on.clear();
    document.querySelectorAll('.w.on').forEach(word => word.classList.remove('on'));
    show();
  });
  const isAnswered = () => answer.value;
</script>
"""
BOXES = """<script>
  const isAnswered = () => document.querySelector('input:checked');
</script>
"""
# Nobody can send a form without an answer: it could not be told from one that says `none`.
UNANSWERED = """<p id="missing" role="alert" hidden>Please answer first.</p>
<script>
  document.querySelector('crowd-form').addEventListener('submit', event => {
    const missing = !isAnswered();
    document.getElementById('missing').hidden = !missing;
    if (missing) event.preventDefault();
  });
</script>
"""
