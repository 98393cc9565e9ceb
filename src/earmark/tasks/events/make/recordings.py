"""One's own recordings as material: their sound, their events where somebody knows them, or both.

A recording without sound has the length that a table of durations says, or else ends with its last
event. Names in tables match those of files with or without folder and extension.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from earmark.task.options import option
from earmark.task.progress import notify
from earmark.task.task import Made
from earmark.tasks.events import files
from earmark.tasks.events.make.labels import given_labels, question_labels
from earmark.tasks.events.make.truth import Late, Truth, read_truth
from earmark.tasks.events.values import Overlaps
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import match_names, some

SOUNDS = (".wav", ".flac", ".ogg", ".mp3", ".oga", ".opus", ".aif", ".aiff")
NO_TRUTH = Truth({}, {}, frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRecordingOptions:
    """Which recordings are taken, and what is known about them."""

    audio: Path | None = option(
        None,
        "Take your own recordings: a folder of WAV, FLAC, OGG or MP3 files, folders inside it "
        "too, or one file.",
    )
    reference: Path | None = option(
        None,
        "Their events, which are taken as the truth: DCASE TSV, CSV or JAMS. Works without "
        "--audio too.",
    )
    durations: Path | None = option(
        None, "Table of `filename` and `duration`, where there is no --audio."
    )
    labels: tuple[str, ...] = option(
        (),
        "Labels that people are asked about: a,b,c, or one --labels each.  [those of the "
        "reference]",
    )
    unnamed: Literal["refuse", "silent"] = option(
        "refuse", "What a recording of --audio is that the reference does not name."
    )
    late: Late = option("refuse", "What to do with events that last beyond their recording's end.")
    overlaps: Overlaps = option("refuse", "What to do with overlapping events of one label.")

    def __post_init__(self) -> None:
        given_labels(self.labels)
        if self.audio is not None and self.durations is not None:
            raise InputError(
                "recordings say themselves how long they are",
                got="--audio and --durations",
                fix="leave out --durations",
            )


@dataclass(frozen=True, slots=True)
class _Sound:
    """A recording's file, and what its header says."""

    path: Path
    seconds: float
    channels: int


def make_recordings(
    source: Path | None, options: OwnRecordingOptions = OwnRecordingOptions(), *, seed: int
) -> Iterator[Made]:
    """Take recordings as they are, with their events where a reference has them.

    Raises
    ------
    InputError
        If there is neither sound nor reference, the reference names recordings that are not there,
        leaves some out, or has events beyond a recording's end; each with counts.
    """
    del seed
    audio = options.audio or source
    if audio is None and options.reference is None:
        raise InputError(
            "recordings are made from sound, from a reference, or from both",
            got="neither",
            fix="add --audio DIR, or --reference F.tsv",
        )
    sounds = _sounds(audio) if audio else {}
    rows = files.read_event_rows(options.reference) if options.reference else None
    if rows is not None and options.reference is not None:
        lengths = {name: sound.seconds for name, sound in sounds.items()}
        if options.durations:
            lengths = files.read_durations(options.durations)
            matches = match_names(lengths, rows.recording.names)
            lengths = {matches.get(name, name): seconds for name, seconds in lengths.items()}
        truth = read_truth(rows, lengths, options, at=options.reference)
        if sounds:
            truth.refuse_unnamed(options.unnamed, at=options.reference)
    else:
        truth = NO_TRUTH
    labels = question_labels(given_labels(options.labels), truth, at=options.reference)
    if sounds:
        _say_channels(sounds)
        yield from (_with_sound(name, sound, labels, truth) for name, sound in sounds.items())
    else:
        yield from _without_sound(labels, truth, is_open=options.durations is None)


def _sounds(audio: Path) -> dict[str, _Sound]:
    """Return the sound files of a folder by their names in it; each name once without extension."""
    import soundfile

    from earmark.files.sound import refuse_broken, sound_seconds

    if not audio.exists():
        raise InputError("there is no such folder of recordings", at=audio, fix="check the name")
    paths = [audio] if audio.is_file() else sorted(_sound_files(audio))
    folder = audio.parent if audio.is_file() else audio
    if not paths:
        raise InputError(
            "a folder of recordings must hold sound files",
            at=audio,
            got=f"{sum(path.is_file() for path in audio.rglob('*'))} files of other kinds",
            want=" ".join(SOUNDS),
        )
    sounds: dict[str, _Sound] = {}
    for path in paths:
        name = path.relative_to(folder).as_posix()
        refuse_broken(path)
        seconds = sound_seconds(path)
        if seconds <= 0:
            raise InputError("a recording must hold sound", at=path, got="0 s", fix="remove it")
        sounds[name] = _Sound(path, seconds, int(soundfile.info(str(path)).channels))
    _refuse_twins(sounds, audio)
    return sounds


def _sound_files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in SOUNDS and path.is_file() and not hidden:
            yield path


def _refuse_twins(sounds: Mapping[str, _Sound], audio: Path) -> None:
    """Raise InputError if two files differ in their extension alone: tables could mean either."""
    first: dict[str, str] = {}
    for name in sounds:
        if first.setdefault(_id(name), name) != name:
            raise InputError(
                "two recordings must not differ in their extension alone",
                at=audio,
                got=f"{first[_id(name)]} and {name}",
                fix="remove or rename one of the two",
            )


def _id(name: str) -> str:
    return name.rpartition(".")[0]


def _say_channels(sounds: Mapping[str, _Sound]) -> None:
    several = [name for name, sound in sounds.items() if sound.channels > 1]
    if several:
        notify(f"{some(several, 'recording')} of several channels: their mean is taken")


def _with_sound(name: str, sound: _Sound, labels: tuple[str, ...], truth: Truth) -> Made:
    """Return a recording with its sound: mono, at its own rate, scaled down if it would clip."""
    import numpy as np

    from earmark.files.sound import read_sound

    samples, rate = read_sound(sound.path)
    seconds = len(samples) / rate
    details: dict[str, object] = {"seconds": seconds, "labels": list(labels), "file": name}
    if sound.channels > 1:
        details["channels_averaged"] = sound.channels
    peak = float(np.abs(samples).max(initial=0.0))
    if peak > 1:
        samples = samples / np.float32(peak)
        details["scaled_by"] = 1 / peak
    item = Item(_id(name), "recording", f"sound/{_id(name)}.flac", details=details)
    return Made(item, truth.timeline(name, seconds) if truth.placed else None, (samples, rate))


def _without_sound(labels: tuple[str, ...], truth: Truth, *, is_open: bool) -> Iterator[Made]:
    """Yield recordings that are known by their events alone; an open one may last longer."""
    if is_open:
        notify(
            "without --audio and --durations a recording ends with its last event, and PSDS "
            "counts false positives per hour of that"
        )
    for name, seconds in sorted(truth.lengths.items()):
        details: dict[str, object] = {"seconds": seconds, "labels": list(labels)}
        if is_open:
            details["open_end"] = True
        yield Made(
            Item(name, "recording", details=details),
            truth.timeline(name, seconds),
        )
