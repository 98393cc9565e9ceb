"""Speaker by speaker, with the errors to listen to."""

import base64
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.report.figure import Figure
from earmark.report.render import render
from earmark.report.tables import digits
from earmark.task.view import View
from earmark.tasks.keywords.report.pairs import Outputs, pairs_by_system
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.reference import Reference

if TYPE_CHECKING:
    from earmark.tasks.keywords.score.tallies import Tally

MOST_PLAYERS = 4  # per speaker: each carries its sound
PENALTY = 9.0  # of a false alarm, as in the challenge's score


@dataclass(frozen=True, slots=True)
class WrongTrial:
    """A clip that was judged wrongly."""

    trial: Trial
    item: Item

    @property
    def hint(self) -> str:
        """Which error it is, and on which kind of clip."""
        error = "missed" if self.trial.is_target else "false alarm"
        return f"{error}: {self.trial.kind or ('keyword' if self.trial.is_target else 'other')}"


@dataclass(frozen=True, slots=True)
class PlayableError:
    """A wrong trial on the page; `sound` is a data address, empty where there is no sound."""

    hint: str
    item: str
    sound: str


@dataclass(frozen=True, slots=True)
class SpeakerRow:
    """A row of the table."""

    speaker: str
    score: str
    misses: str
    false_alarms: str
    status: str
    errors: list[PlayableError]
    more: int


def draw_speakers(view: View) -> Figure | None:
    """Return every speaker's rates with the best system, and its errors to listen to."""
    truth, outputs = view.truth(), view.outputs()
    system = _best_system(truth, outputs)
    if truth is None or system is None:
        return None
    items = view.items()
    tallies, errors = _errors(items, truth, outputs[system])
    shown = "players hold" if any(item.media for item in items) else "last column holds"
    rows = [_row(speaker, tallies[speaker], errors[speaker]) for speaker in sorted(tallies)]
    return Figure(
        f"Speaker by speaker: {system}",
        render("earmark.tasks.keywords.report/speakers.html", rows=rows),
        f"S is the miss rate plus {PENALTY:.0f} times the false-alarm rate. The {shown} up to "
        f"{MOST_PLAYERS} of each speaker's errors: what should have woken the device, and what "
        "should not have.",
        wide=True,
    )


def _best_system(truth: Reference[Trial] | None, outputs: Outputs) -> str | None:
    """Return the system with the lowest score; one without a score comes last."""
    from earmark.tasks.keywords.score.wake import wake_score

    metric = wake_score()
    values: dict[str, float] = {}
    for name, pairs in pairs_by_system(truth, outputs):
        counts = [metric.count(trial, verdict) for trial, verdict in pairs]
        if counts:
            value = metric.rate(sum(counts[1:], counts[0]))
            values[name] = math.inf if math.isnan(value) else value
    return min(values, key=lambda name: (values[name], name)) if values else None


def _errors(
    items: Iterable[Item], truth: Reference[Trial], outputs: Mapping[str, Output[Verdict]]
) -> tuple[dict[str, "Tally"], dict[str, list[WrongTrial]]]:
    """Return each speaker's tally, and the clips that were judged wrongly."""
    from earmark.tasks.keywords.score.tallies import Tally, count_trial

    tallies: dict[str, Tally] = {}
    errors: dict[str, list[WrongTrial]] = {}
    for item in items:
        if item.id not in truth.values or item.id not in outputs:
            continue
        trial, verdict = truth.values[item.id], outputs[item.id].value
        counted = count_trial(trial, verdict).speakers[trial.speaker]
        tallies[trial.speaker] = tallies.get(trial.speaker, Tally()) + counted
        wrong = errors.setdefault(trial.speaker, [])
        if verdict.awake != trial.is_target:
            wrong.append(WrongTrial(trial, item))
    return tallies, errors


def _row(speaker: str, tally: "Tally", wrong: list[WrongTrial]) -> SpeakerRow:
    # false alarms first: one costs as much as nine misses
    ordered = sorted(wrong, key=lambda error: (error.hint, error.item.id))
    return SpeakerRow(
        speaker,
        digits(tally.score(PENALTY), 2),
        f"{tally.missed:.0f} of {tally.targets:.0f}",
        f"{tally.false_alarms:.0f} of {tally.others:.0f}",
        tally.status,
        [PlayableError(e.hint, e.item.id, _sound(e.item)) for e in ordered[:MOST_PLAYERS]],
        max(0, len(wrong) - MOST_PLAYERS),
    )


def _sound(item: Item) -> str:
    """Return a clip as a data address, in Ogg Vorbis so that a page can carry many; or nothing."""
    if item.media is None:
        return ""
    from earmark.files.sound import ogg_bytes, read_sound

    sound = ogg_bytes(*read_sound(str(item.media)))
    return "data:audio/ogg;base64," + base64.b64encode(sound).decode()
