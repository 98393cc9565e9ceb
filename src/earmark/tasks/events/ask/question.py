"""The question: which of these sounds are in this window, or none of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.tables.answers import AnswerColumns, split_labels
from earmark.task.options import option
from earmark.task.task import Json, Question
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.values import (
    NONE,
    Tags,
    Timeline,
    labels_of,
    recording_seconds,
    ticked_tags,
)
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import some
from earmark.values.reference import Reference

if TYPE_CHECKING:
    from earmark.tasks.events.ask.information_gain import WindowRanker

DESCRIPTIONS = {
    "car_horn": "A vehicle's horn, one blast or several.",
    "children_voices": "Children who play, shout or laugh; words need not be understood.",
    "dog_bark": "One dog or several that bark; not growls or whines alone.",
    "engine_idling": "An engine that runs while the vehicle stands.",
    "siren": "Police, ambulance or fire engine: a tone that rises and falls.",
    "street_music": "Music played in the street, live or from a loudspeaker.",
}

# Examples that people hear before the first question, as many as in the paper's instructions; each
# long enough to know the sound, about 15 KB as MP3, which every browser plays.
EXAMPLES, EXAMPLE_SECONDS, EXAMPLE_RATE = 4, 3.0, 16000


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowSizeOptions:
    """How recordings are cut into windows; the defaults are those of the paper."""

    window: float = option(10.0, "Seconds that a person hears.")
    hop: float = option(
        1.0, "Seconds from one window's start to the next; also the resolution of the reference."
    )


def windows(
    items: Iterable[Item], options: WindowSizeOptions = WindowSizeOptions()
) -> Iterator[Item]:
    """Yield the overlapping windows of every recording, in order."""
    from earmark.audio.windows import window_spans

    items = tuple(items)
    _refuse_short(items, options.window)
    for item in items:
        details = {"labels": list(labels_of(item)), **asdict(options)}
        for span in window_spans(recording_seconds(item), window=options.window, hop=options.hop):
            unit = f"{item.id}@{span.start:g}"
            yield Item(unit, "window", item.media, None, span, item.id, details)


def _refuse_short(items: tuple[Item, ...], window: float) -> None:
    """Raise InputError, with counts, if recordings are shorter than one window."""
    short = {item.id: recording_seconds(item) for item in items}
    short = {name: seconds for name, seconds in short.items() if seconds < window}
    if short:
        raise InputError(
            "a recording must be at least one window long",
            got=f"{some(short, 'recording')} of {len(items)} shorter than {window:g} s, the "
            f"shortest {min(short.values()):g} s",
            fix="use a shorter --window, or leave the recordings out",
        )


def show(item: Item) -> Json:
    """Return what the page needs: the clip, the labels, what each means, examples of each."""
    labels = labels_of(item)
    return {
        "media": item.media,
        "start": item.span.start if item.span else 0.0,
        "end": item.span.end if item.span else None,
        "labels": [*labels, NONE],
        "descriptions": {k: DESCRIPTIONS.get(k, k.replace("_", " ")) for k in labels},
        "examples": {k: list(sounds) for k in labels if (sounds := examples(k))},
    }


@cache
def examples(label: str) -> tuple[str, ...]:
    """Return examples of a label as data URLs, none of a label that we cannot synthesise."""
    import base64
    import io

    import soundfile

    from earmark.stats.draw import stream
    from earmark.tasks.events.make.sounds import SOUNDS, synthesise

    if label not in SOUNDS:
        return ()
    urls = []
    for number in range(EXAMPLES):
        rng = stream(0, "example", label, number)
        samples = synthesise(label, EXAMPLE_SECONDS, rate=EXAMPLE_RATE, rng=rng)
        out = io.BytesIO()
        # half of full scale: headphones are on
        soundfile.write(out, 0.5 * samples, EXAMPLE_RATE, format="MP3")
        urls.append("data:audio/mpeg;base64," + base64.b64encode(out.getvalue()).decode())
    return tuple(urls)


def read(item: Item, form: Json) -> Tags:
    """Return the tags of a filled form `{"labels": [...]}`; nothing is no answer, `none` is."""
    ticked = form.get("labels", ())
    if isinstance(ticked, str):
        ticked = [ticked]
    labels = tuple(str(label) for label in ticked)
    return ticked_tags(labels, labels_of(item), at=f"item {item.id}")


def read_answers(
    path: Path, units: tuple[Item, ...], options: AnswerColumns = AnswerColumns()
) -> Iterator[Answer[Tags]]:
    """Yield the answers of a file: CSV (item, person, labels), MTurk, Prolific, Label Studio.

    Labels are joined by `|`, or by a comma, a semicolon or a space where that is unambiguous.
    """
    from earmark.ask.imports import AnswerForm, read_rows
    from earmark.ask.label_studio import labels_of_regions
    from earmark.ask.labels import split_offered

    known = {unit.id: labels_of(unit) for unit in units}
    for row in read_rows(path, units, AnswerForm(("labels", "label"), "window"), options):
        if row.regions is None:
            cell = row.cells.get("labels") or row.cells.get("label", "")
            labels = split_offered(split_labels(cell), (*known[row.item], NONE))
        else:
            labels = labels_of_regions(row.regions, at=row.at)
        value = ticked_tags(labels, known[row.item], at=row.at)
        yield Answer(row.item, row.person, value, row.seconds_taken, row.given_at)


def simulate(
    units: tuple[Item, ...], truth: Reference[Timeline], *, crowd: Mapping[str, object], seed: int
) -> Iterator[Answer[Tags]]:
    """Yield the answers of a simulated crowd to every window; `crowd` are its parameters."""
    from earmark.tasks.events.ask.simulation import simulate_answers

    return simulate_answers(Crowd.of(crowd), units, truth.values, seed=seed)


def more(ballots: Ballots[Tags], *, seed: int) -> Iterator[tuple[str, float]]:
    """Yield windows to ask about again by expected information gain, the highest first."""
    from earmark.tasks.events.ask.information_gain import rank_windows

    return rank_windows(ballots, seed=seed)


def ranker() -> "WindowRanker":
    """Return what ranks windows as `more` does, and learns as answers come."""
    from earmark.tasks.events.ask.information_gain import WindowRanker

    return WindowRanker()


QUESTION = Question(
    prompt="Which of these sounds do you hear?",
    units=windows,
    show=show,
    read=read,
    read_answers=read_answers,
    simulate=simulate,
    crowd=asdict(Crowd()),
    # ten seconds of sound, and as long again to tick: an estimate for the price, not measured
    seconds=20.0,
    more=more,
    ranker=ranker,
)
