"""Trials: a challenge read from its folders, or made from recordings of words."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark.task.task import Made
from earmark.tasks.keywords.clips import Arrived, arrive, refuse_silence
from earmark.tasks.keywords.files import (
    ENROLMENTS,
    SpeakerFiles,
    read_challenge,
    read_label_folder,
)
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError
from earmark.values.item import Item

RATE = 16000


def make_trials(  # noqa: PLR0913
    source: Path | None,
    *,
    seed: int,
    recordings: Path | None = None,
    challenge: Path | None = None,
    labels: Path | None = None,
    enrolments: int = ENROLMENTS,
    positives: int = 10,
    own_words: int = 12,
    impostors: int = 10,
    strangers: int = 8,
    near_misses: int = 3,
    chance: float = 0.4,
    noises: Path | None = None,
    rooms: Path | None = None,
    phases: str = "practice",
) -> Iterator[Made]:
    """A keyword challenge, from recordings of words or from a set in the challenge's layout.

    Parameters
    ----------
    recordings
        A folder <speaker>/<word>/<take>.wav to make a challenge from.
    challenge
        A folder <speaker>/enroll and <speaker>/test, taken as it is.
    labels
        The folder of <speaker>_test_labels.txt that belongs to the challenge.
    enrolments
        Recordings that a speaker enrols with.
    positives
        Clips of each speaker that end in the keyword, half of them after another word.
    own_words
        Clips of the speaker without the keyword.
    impostors
        Clips of the keyword by other speakers.
    strangers
        Clips of other words by other speakers.
    near_misses
        Clips of the speaker's keyword cut short or with its halves in the wrong order.
    chance
        How likely a test clip is to be put in a room, among noise (5 to 25 dB), at another
        volume (.5 to 2): each by itself.
    noises
        A folder of noise recordings; without it the noise is coloured noise.
    rooms
        A folder of impulse responses; without it the rooms are simulated.
    phases
        How speakers are shared out, as phase:weight pairs, for instance
        train:5,practice:1,feedback:2,private:2; neither speakers nor impostors are shared.
    """
    places = [place for place in (recordings or source, challenge) if place is not None]
    if len(places) != 1:
        raise InputError(
            "a keyword study is made from recordings or from a challenge",
            got="both" if places else "neither",
            want="--recordings DIR, or --challenge DIR with --labels DIR",
        )
    if challenge is not None:
        return taken_challenge(challenge, labels, enrolments=enrolments)
    from earmark.tasks.keywords.make.draw import Surroundings, Wanted, drawn_challenge

    wanted = Wanted(enrolments, positives, own_words, impostors, strangers, near_misses)
    around = Surroundings.read(chance, noises, rooms)
    return drawn_challenge(places[0], wanted, around, seed=seed, phases=phases)


def taken_challenge(folder: Path, labels: Path | None, *, enrolments: int) -> Iterator[Made]:
    """The clips of a challenge as they are, with labels when there are any."""
    speakers = read_challenge(folder, enrolments=enrolments)
    told = read_label_folder(labels) if labels is not None else {}
    for name in sorted(set(told) - {speaker.name for speaker in speakers}):
        raise InputError("labels speak of a speaker who has no clips", at=labels, got=name)
    for speaker in speakers:
        for path in speaker.enrolment:
            arrived = arrive(path)
            refuse_silence(path, arrived)
            yield clip_made(speaker.name, "enrolment", path.stem, arrived)
        yield from _tests(speaker, told.get(speaker.name), labels)


def _tests(
    speaker: SpeakerFiles, told: Mapping[str, bool] | None, labels: Path | None
) -> Iterator[Made]:
    names = {path.name for path in speaker.test}
    if labels is not None and told is None:
        raise InputError("every speaker needs labels", at=labels, got=f"none for {speaker.name}")
    if told is not None and set(told) != names:
        odd = sorted(set(told) ^ names)
        raise InputError(
            "labels and test clips must name the same files",
            at=f"{labels}, speaker {speaker.name}",
            got=f"{len(odd)} on one side only, {odd[0]} first",
        )
    for path in speaker.test:
        truth = Trial(speaker.name, told[path.name]) if told is not None else None
        yield clip_made(speaker.name, "trial", path.stem, arrive(path), truth)


def clip_made(
    speaker: str,
    kind: str,
    name: str,
    arrived: Arrived,
    truth: Trial | None = None,
    *,
    phase: str = "",
) -> Made:
    """One clip of a speaker as an item with its sound, 16-bit as it came."""
    unique = name if name.startswith(speaker) else f"{speaker}-{name}"
    details: dict[str, Any] = {}
    if arrived.note:
        details["converted"] = arrived.note
    if phase:
        details["phase"] = phase
    part = "enroll" if kind == "enrolment" else "test"
    item = Item(
        unique, kind, media=f"sound/{speaker}/{part}/{unique}.wav", parent=speaker, details=details
    )
    return Made(item, truth, sound=(arrived.samples, RATE))
