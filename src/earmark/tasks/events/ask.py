"""The question: which of these sounds are in this window, or none of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from earmark.task.task import Json, Question
from earmark.tasks.events.values import NONE, Tags, Timeline
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

DESCRIPTIONS = {
    "car_horn": "A vehicle's horn, one blast or several.",
    "children_voices": "Children who play, shout or laugh; words need not be understood.",
    "dog_bark": "One dog or several that bark; not growls or whines alone.",
    "engine_idling": "An engine that runs while the vehicle stands.",
    "siren": "Police, ambulance or fire engine: a tone that rises and falls.",
    "street_music": "Music played in the street, live or from a loudspeaker.",
}


def windows(items: Iterable[Item], *, window: float = 10.0, hop: float = 1.0) -> Iterator[Item]:
    """Overlapping windows of every recording, in order.

    Parameters
    ----------
    window
        Seconds that a person hears.
    hop
        Seconds from one window's start to the next; also the resolution of the reference.
    """
    from earmark.audio.windows import window_spans

    for item in items:
        duration = recording_seconds(item)
        for span in window_spans(duration, window=window, hop=hop):
            details = {"labels": list(labels_of(item)), "window": window, "hop": hop}
            unit = f"{item.id}@{span.start:g}"
            yield Item(unit, "window", item.media, None, span, item.id, details)


def recording_seconds(item: Item) -> float:
    """How long a recording lasts: as its maker said, or as its file says."""
    if "seconds" in item.details:
        return float(str(item.details["seconds"]))
    if item.media is None:
        raise InputError("a recording needs a sound or a length", at=f"item {item.id}")
    from earmark.files.sound import sound_seconds

    return sound_seconds(item.media)


def labels_of(item: Item) -> tuple[str, ...]:
    """The labels that are asked about."""
    labels = item.details.get("labels", ())
    if not isinstance(labels, list | tuple) or not labels:
        raise InputError("a recording must say which labels are asked about", at=f"item {item.id}")
    return tuple(str(label) for label in labels)


def show(item: Item) -> Json:
    """What the page needs: the clip, the labels, what each means and an example of each."""
    labels = labels_of(item)
    return {
        "media": item.media,
        "start": item.span.start if item.span else 0.0,
        "end": item.span.end if item.span else None,
        "labels": [*labels, NONE],
        "descriptions": {k: DESCRIPTIONS.get(k, k.replace("_", " ")) for k in labels},
        "examples": {k: sound for k in labels if (sound := example(k))},
    }


@cache
def example(label: str) -> str | None:
    """An example of a label that Earmark can synthesise, as a data address; None for others."""
    import base64
    import io

    import soundfile

    from earmark.stats.draw import stream
    from earmark.tasks.events.sounds import SOUNDS, synthesise

    if label not in SOUNDS:
        return None
    samples = synthesise(label, 3.0, rate=16000, rng=stream(0, "example", label))
    out = io.BytesIO()
    soundfile.write(out, samples, 16000, format="WAV", subtype="PCM_16")
    return "data:audio/wav;base64," + base64.b64encode(out.getvalue()).decode()


def read(item: Item, form: Json) -> Tags:
    """The tags of a filled form `{"labels": [...]}`; ticking nothing is no answer, `none` is."""
    ticked = form.get("labels", ())
    if isinstance(ticked, str):
        ticked = [ticked]
    return tags(tuple(str(label) for label in ticked), labels_of(item), at=f"item {item.id}")


def tags(ticked: tuple[str, ...], labels: tuple[str, ...], *, at: str) -> Tags:
    """The tags that somebody ticked, checked against what was offered."""
    if not ticked or not all(ticked):
        raise InputError(
            "an answer must tick a sound or say none",
            at=at,
            got="nothing",
            want=", ".join([*labels, NONE]),
            fix="write none where nothing was heard",
        )
    for label in ticked:
        checks.one_of(label, [*labels, NONE], what="label", at=at)
    if NONE in ticked and len(ticked) > 1:
        raise InputError("none cannot be ticked beside a sound", at=at, got=" and ".join(ticked))
    return Tags(frozenset(ticked) - {NONE})


def read_answers(path: Path, units: tuple[Item, ...]) -> Iterator[Answer[Tags]]:
    """Answers from a file: plain CSV (item, person, labels), MTurk, Prolific or Label Studio."""
    from earmark.ask.imports import read_rows

    known = {unit.id: labels_of(unit) for unit in units}
    seen: dict[tuple[str, str], str] = {}
    for row in read_rows(path):
        if row.item not in known:
            raise InputError(
                "an answer must speak of a window that was asked",
                at=row.at,
                got=row.item,
                fix="correct the id, or ask with the same window and hop",
            )
        if not row.person.strip():
            raise InputError("an answer must say whose it is", at=row.at, want="a person")
        if (row.item, row.person) in seen:
            raise InputError(
                "a person answers a window once",
                at=row.at,
                got=f"{row.person} about {row.item}, also at {seen[row.item, row.person]}",
                fix="keep one of the two answers",
            )
        seen[row.item, row.person] = row.at
        value = tags(row.labels, known[row.item], at=row.at)
        yield Answer(row.item, row.person, value, row.seconds_taken)


def simulate(
    units: tuple[Item, ...], truth: Reference[Timeline], *, crowd: Mapping[str, object], seed: int
) -> Iterator[Answer[Tags]]:
    """Answers of a simulated crowd to every window."""
    from earmark.ask.batch import batches
    from earmark.tasks.events import crowd as simulated
    from earmark.tasks.events.crowd_values import Crowd
    from earmark.tasks.events.qualification import admitted

    made = Crowd.of(crowd)
    names = simulated.people(made, seed)[0]
    inside = admitted(made, labels_of(units[0]), seed)
    assigned = simulated.assign(made, batches(units), seed, inside)
    options: dict[str, Any] = {"labels": labels_of(units[0]), "seed": seed}
    given = simulated.answer(made, crowd_windows(units), assigned, truth.values, options)
    for index, person, value in given:
        yield Answer(units[index].id, names[person], value)


def crowd_windows(units: Iterable[Item]) -> list[Any]:
    """Units as the simulated crowd sees them."""
    from earmark.tasks.events.crowd import Window

    return [Window(u.id, u.group, u.span.start, u.span.end) for u in units if u.span is not None]


def more(ballots: Ballots[Tags], *, seed: int) -> Iterator[tuple[str, float]]:
    """Windows to ask about again, those first whose next answer would tell most."""
    from earmark.tasks.events.more import where_doubt_is

    return where_doubt_is(ballots, seed=seed)


def default_crowd() -> dict[str, object]:
    """The simulated crowd's parameters, as a TOML file may change them."""
    from earmark.tasks.events.crowd_values import Crowd

    return asdict(Crowd())


HEARD = Question(
    prompt="Which of these sounds do you hear?",
    units=windows,
    show=show,
    read=read,
    read_answers=read_answers,
    simulate=simulate,
    crowd=default_crowd(),
    seconds=20.0,
    more=more,
)
