"""The recording question of the paper's section 2.2: choose a language, read the text, again.

A contributor's answer is a recording, checked when it arrives. A listener's answer to the same
unit votes on which contributors' recordings are usable. Where the material is trials, people are
asked in the device's place whether it must wake (`judging`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.tables.answers import AnswerColumns
from earmark.task.options import option
from earmark.task.task import Json, Question
from earmark.tasks.keywords.ask.judging import (
    LISTENERS,
    TRIAL,
    read_verdict,
    read_verdicts,
    simulate_listeners,
    trial_units,
)
from earmark.tasks.keywords.clips import read_clip, refuse_clipping, refuse_silence
from earmark.tasks.keywords.values import RATE, Heard, Recording, Screening, Verdict
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item

# Seconds that one recording of a keyword or sentence may last; chosen by hand around the
# challenge's enrolments, which last 0.65 to 4.55 s.
SHORTEST, LONGEST = 0.3, 15.0
# The paper asks speakers of Chinese for their dialect.
NEEDS_DIALECT = ("Chinese",)
VOTES = {"keep": True, "yes": True, "1": True, "drop": False, "no": False, "0": False}
# What a person needs to read a short text and send it, for the price; an estimate, not measured.
SECONDS_PER_TAKE = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingOptions:
    """How often each text is read."""

    takes: int = option(
        5, "How often each text is read (5 to enrol, 10 in the paper's training set)."
    )

    def __post_init__(self) -> None:
        if self.takes < 1:
            raise InputError("the number of takes must be > 0", got=self.takes)


def recording_units(
    items: tuple[Item, ...], options: RecordingOptions = RecordingOptions()
) -> Iterator[Item]:
    """Yield one unit per take of every prompt, and one per trial."""
    yield from trial_units(items)
    for item in items:
        if item.kind != "prompt":
            continue
        for take in range(1, options.takes + 1):
            yield Item(
                f"{item.id}-take-{take:02d}",
                "take",
                text=item.text,
                parent=item.id,
                details={**item.details, "take": take, "of": options.takes},
            )


def show_take(item: Item) -> Json:
    """Return what the page needs: the text, the choices, and the format of the sound."""
    if item.kind == TRIAL:
        return {"enrolments": item.details.get("enrolments", []), "clip": item.media}
    return {
        "text": item.text,
        "take": item.details.get("take"),
        "of": item.details.get("of"),
        "language": item.details.get("language"),
        "languages": ["Chinese", "English", "other"],
        "needs_dialect": list(NEEDS_DIALECT),
        "format": {
            "rate": RATE,
            "channels": 1,
            "bits": 16,
            "shortest": SHORTEST,
            "longest": LONGEST,
        },
        "advice": "Hold the phone about 20 cm away, in a quiet room; read at your usual pace.",
    }


def read_form(item: Item, form: Json) -> Recording | Verdict:
    """Return what a filled form says: a verdict on a trial, or else a recording."""
    if item.kind == TRIAL:
        return read_verdict(form.get("verdict"), at=f"item {item.id}")
    return read_take(item, form)


def read_take(item: Item, form: Json) -> Recording:
    """Return the recording of a filled form, its format, length, silence and clipping checked.

    `file` is a path, or a name relative to `folder`.
    """
    language = str(form.get("language") or item.details.get("language") or "").strip()
    dialect = str(form.get("dialect") or "").strip()
    if not language:
        raise InputError("a contributor chooses a language first", at=f"item {item.id}")
    if language in NEEDS_DIALECT and not dialect:
        raise InputError(
            f"{language} needs a dialect",
            at=f"item {item.id}",
            want="for instance Mandarin, Cantonese, Sichuanese",
        )
    name = str(form.get("file") or "")
    if not name:
        raise InputError("a recording needs a file", at=f"item {item.id}")
    path = Path(str(form.get("folder") or ".")) / name
    clip = read_clip(path, shortest=SHORTEST, longest=LONGEST)
    refuse_silence(path, clip)
    refuse_clipping(path, clip)
    return Recording(name, language, dialect, round(clip.seconds, 3), clip.note)


FIELDS = ("file", "language", "dialect", "listener", "verdict", "reason")


def read_answers(
    path: Path, units: tuple[Item, ...], options: AnswerColumns = AnswerColumns()
) -> Iterator[Answer[Any]]:
    """Read recordings and listeners' votes from a table, MTurk's and Prolific's among them.

    Recordings have the columns item, person, file, language, dialect. Votes have the columns item,
    person (the contributor), listener, verdict (keep or drop), reason; or they are Label Studio's.
    Of trials, the columns are item, person and verdict: whether the device must wake, yes or no.
    """
    from earmark.ask.imports import AnswerForm, read_rows

    if units and units[0].kind == TRIAL:
        yield from read_verdicts(read_rows(path, units, AnswerForm(("verdict",), TRIAL), options))
        return
    unit_of = {unit.id: unit for unit in units}
    votes: dict[tuple[str, str], list[Heard]] = {}
    form = AnswerForm(FIELDS, "take", distinct="listener")
    for row in read_rows(path, units, form, options):
        if listener := row.cells.get("listener"):
            cells = row.cells if row.regions is None else _judgement(row.regions, at=row.at)
            vote = _vote(row.person, cells, at=row.at)
            votes.setdefault((row.item, listener), []).append(vote)
            continue
        cells = {**row.cells, "folder": str(path.parent)}
        value = read_take(unit_of[row.item], cells)
        yield Answer(row.item, row.person, value, row.seconds_taken, row.given_at)
    for (item, listener), of_listener in votes.items():
        yield Answer(item, listener, Screening(tuple(of_listener)))


def _judgement(regions: Sequence[dict[str, Any]], *, at: str) -> dict[str, str]:
    """Return a listener's choice and reason from Label Studio's controls."""
    from earmark.ask.label_studio import labels_of_regions

    texts = labels_of_regions(regions, at=at)
    verdicts = [text for text in texts if text.strip().lower() in VOTES]
    if len(verdicts) != 1:
        got = ", ".join(texts) or "nothing"
        raise InputError("a listener keeps or drops a take", at=at, got=got, want="keep or drop")
    reason = "; ".join(text for text in texts if text not in verdicts)
    return {"verdict": verdicts[0], "reason": reason}


def _vote(person: str, row: Mapping[str, str], *, at: str) -> Heard:
    word = (row.get("verdict") or "").strip().lower()
    if word not in VOTES:
        raise InputError("a listener keeps or drops a take", at=at, got=word, want="keep or drop")
    return Heard(person, VOTES[word], row.get("reason") or "")


RECORDING = Question(
    prompt="Please read the text aloud.",
    units=recording_units,
    show=show_take,
    read=read_form,
    read_answers=read_answers,
    simulate=simulate_listeners,
    crowd=LISTENERS,
    seconds=SECONDS_PER_TAKE,
    off_page=(TRIAL,),
)
