"""Speaker by speaker, with the errors to listen to."""

import base64
import io
import math
from collections.abc import Mapping
from html import escape
from typing import Any

from earmark.report.figure import Figure
from earmark.task.view import View
from earmark.tasks.keywords.report.pairs import paired
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.reference import Reference

PLAYERS = 4
PENALTY = 9.0


def speaker_table(view: View) -> Figure | None:
    """Every speaker of the best system, with its errors to listen to."""
    truth = view.truth()
    chosen = _best(view)
    if truth is None or chosen is None:
        return None
    name, outputs = chosen
    rows = [_row(speaker, *found) for speaker, found in _errors(view, truth, outputs).items()]
    head = "".join(
        f"<th>{word}</th>"
        for word in ("speaker", "S", "missed", "false alarms", "status", "listen")
    )
    return Figure(
        f"Speaker by speaker: {name}",
        f'<table class="scores"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>",
        f"S is the miss rate plus {PENALTY:.0f} times the false-alarm rate. The players hold up to "
        f"{PLAYERS} of each speaker's errors: what should have woken the device, and what should "
        "not have.",
        wide=True,
    )


def _best(view: View) -> tuple[str, Mapping[str, Output[Any]]] | None:
    """The system with the lowest score."""
    from earmark.tasks.keywords.score.wake import wake_score

    metric = wake_score()
    found = []
    for name, pairs in paired(view):
        counts = [metric.count(trial, verdict) for trial, verdict in pairs]
        if counts:
            value = metric.rate(sum(counts[1:], counts[0]))
            found.append((math.inf if math.isnan(value) else value, name))
    return (min(found)[1], view.outputs()[min(found)[1]]) if found else None


def _errors(
    view: View, truth: Reference[Any], outputs: Mapping[str, Output[Any]]
) -> dict[str, tuple[Any, list[tuple[str, Item]]]]:
    """Speaker to tally and to the clips that were judged wrongly."""
    from earmark.tasks.keywords.score.tallies import Tally, count_trial

    found: dict[str, tuple[Any, list[tuple[str, Item]]]] = {}
    for item in view.items():
        if item.id not in truth.values or item.id not in outputs:
            continue
        trial, verdict = truth.values[item.id], outputs[item.id].value
        tally, wrong = found.get(trial.speaker, (Tally(), []))
        tally = tally + count_trial(trial, verdict).speakers[trial.speaker]
        if verdict.awake != trial.is_target:
            kind = trial.kind or ("keyword" if trial.is_target else "other")
            wrong.append((f"{'missed' if trial.is_target else 'false alarm'}: {kind}", item))
        found[trial.speaker] = (tally, wrong)
    return dict(sorted(found.items()))


def _row(speaker: str, tally: Any, wrong: list[tuple[str, Item]]) -> str:
    score = tally.score(PENALTY)
    cells = [
        escape(speaker),
        "–" if math.isnan(score) else f"{score:.2f}",
        f"{tally.missed:.0f} of {tally.targets:.0f}",
        f"{tally.false_alarms:.0f} of {tally.others:.0f}",
        escape(tally.status),
    ]
    players = "".join(_player(told, item) for told, item in sorted(wrong, key=_costly)[:PLAYERS])
    more = f"<small>and {len(wrong) - PLAYERS} more</small>" if len(wrong) > PLAYERS else ""
    return (
        "<tr>" + "".join(f"<td>{c}</td>" for c in cells) + f"<td>{players or '–'}{more}</td></tr>"
    )


def _costly(error: tuple[str, Item]) -> tuple[str, str]:
    """False alarms first: one costs as much as many misses."""
    return error[0], error[1].id


def _player(told: str, item: Item) -> str:
    """A clip that plays in the page, small enough to carry many."""
    sound = base64.b64encode(_small_sound(str(item.media))).decode()
    return (
        f'<div style="display:inline-block;margin:0 .8em .4em 0"><small>{escape(told)}, '
        f'{escape(item.id)}</small><br><audio controls preload="none" style="width:15em" '
        f'src="data:audio/ogg;base64,{sound}"></audio></div>'
    )


def _small_sound(path: str) -> bytes:
    import soundfile

    from earmark.files.sound import read_sound

    samples, rate = read_sound(path)
    out = io.BytesIO()
    soundfile.write(out, samples, rate, format="OGG", subtype="VORBIS")
    return out.getvalue()
