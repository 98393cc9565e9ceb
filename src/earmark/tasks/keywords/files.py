"""The challenge's layout: folders of speakers, label files, prediction files."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.files.folder import write_file
from earmark.files.text import read_text
from earmark.task.task import Pairing
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.names import some

# Recordings that a speaker enrols with in the challenge.
ENROLMENTS = 5
LABELS = "_test_labels.txt"
PREDICTIONS = "_predictions.txt"
SOUNDS = (".wav", ".flac", ".ogg", ".mp3")


@dataclass(frozen=True, slots=True)
class SpeakerFiles:
    """The sound files of one speaker."""

    name: str
    enrolment: tuple[Path, ...]
    test: tuple[Path, ...]


def read_challenge(folder: Path, *, enrolments: int = ENROLMENTS) -> list[SpeakerFiles]:
    """Return the speakers of a folder with <speaker>/enroll and <speaker>/test."""
    if not folder.is_dir():
        raise InputError("a challenge is a folder of speakers", at=folder)
    speakers = [_speaker(place, enrolments) for place in sorted(folder.iterdir()) if place.is_dir()]
    if not speakers:
        raise InputError(
            "a challenge needs a folder per speaker",
            at=folder,
            got="no folder",
            want="<speaker>/enroll/*.wav and <speaker>/test/*.wav",
        )
    return speakers


def _speaker(place: Path, enrolments: int) -> SpeakerFiles:
    parts = {name: sound_files(place / name) for name in ("enroll", "test")}
    if len(parts["enroll"]) < enrolments:
        raise InputError(
            f"a speaker enrols with at least {enrolments} recordings",
            at=place / "enroll",
            got=f"{len(parts['enroll'])} sound files",
            fix="add the missing recordings, or say --enrolments",
        )
    if not parts["test"]:
        raise InputError("a speaker needs test clips", at=place / "test", got="no sound file")
    return SpeakerFiles(place.name, parts["enroll"], parts["test"])


def sound_files(folder: Path) -> tuple[Path, ...]:
    """Return the sound files of a folder, sorted by name; hidden files are skipped."""
    if not folder.is_dir():
        return ()
    return tuple(
        path
        for path in sorted(folder.iterdir())
        if path.suffix.lower() in SOUNDS and not path.name.startswith(".")
    )


def read_labels(path: Path) -> dict[str, bool]:
    """Return file name to label, from lines `P0001T0001.wav<whitespace>1`; each name once."""
    labels: dict[str, bool] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != 2 or words[1] not in ("0", "1"):
            raise InputError(
                "a line names a sound file and says 0 or 1", at=f"{path}:{number}", got=line
            )
        if words[0] in labels:
            raise InputError("a clip has one label", at=f"{path}:{number}", got=words[0])
        labels[words[0]] = words[1] == "1"
    return labels


def read_label_folder(folder: Path) -> dict[str, dict[str, bool]]:
    """Return speaker to labels, from `<speaker>_test_labels.txt`; each speaker has both kinds."""
    if not folder.is_dir():
        raise InputError("labels are a folder of files", at=folder, want=f"<speaker>{LABELS} files")
    labels_of = {
        path.name.removesuffix(LABELS): read_labels(path)
        for path in sorted(folder.glob(f"*{LABELS}"))
    }
    if not labels_of:
        raise InputError(
            "a folder of labels must have label files", at=folder, want=f"<speaker>{LABELS}"
        )
    for speaker, labels in labels_of.items():
        if len(set(labels.values())) < 2:
            raise InputError(
                "a speaker needs trials that must wake and trials that must not",
                at=folder / f"{speaker}{LABELS}",
                got=f"{sum(labels.values())} of {len(labels)} must wake",
                fix="leave this speaker out: there is no miss rate or no false-alarm rate",
            )
    return labels_of


def read_predictions(path: Path, clips: Mapping[str, object]) -> dict[str, Verdict]:
    """Return one verdict per clip of a speaker, by the challenge's rules for what is legal.

    A third column, when there is one, is the score. Clips are named with or without extension and
    folder. Lines for other clips are ignored, and of two lines for one clip the last counts. A
    missing file or clip, or another word than 0 or 1, makes the whole speaker illegal, which the
    status says.
    """
    try:
        verdicts = checks.renamed(read_verdicts(path), clips)
    except InputError as error:
        return _all(clips, f"illegal: {str(error).partition(chr(10))[0]}")
    missing = sorted(set(clips) - set(verdicts))
    if missing:
        return _all(clips, f"illegal: no verdict for {len(missing)} clips, {missing[0]} first")
    return {name: verdicts[name] for name in clips}


def read_verdicts(path: Path) -> dict[str, Verdict]:
    """Return a prediction file's verdicts by the names it uses; raise InputError if it has none."""
    if not path.is_file():
        raise InputError("no prediction file was written")
    verdicts: dict[str, Verdict] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) not in (2, 3) or words[1] not in ("0", "1"):
            raise InputError(f"line {number} is not a clip and 0 or 1")
        verdicts[words[0]] = Verdict(words[1] == "1", _score(words[2:], number))
    return verdicts


def _score(words: list[str], number: int) -> float | None:
    if not words:
        return None
    try:
        value = float(words[0])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"line {number} has a score that is no finite number")
    return value


def _all(clips: Mapping[str, object], status: str) -> dict[str, Verdict]:
    return {name: Verdict(awake=False, status=status) for name in clips}


def measure_folders(references: tuple[Path, ...], output: Path | None) -> Pairing:
    """Read labels and predictions of a challenge, paired speaker by speaker and clip by clip."""
    if len(references) != 1 or output is None:
        raise InputError(
            "measure needs one folder of labels and one of predictions",
            want=f"--reference DIR (<speaker>{LABELS}) and --output DIR (<speaker>{PREDICTIONS})",
        )
    labels = read_label_folder(references[0])
    if not output.is_dir():
        raise InputError(
            "there is no such folder of predictions", at=output, want=f"<speaker>{PREDICTIONS}"
        )
    reference: dict[str, Trial] = {}
    verdicts: dict[str, Verdict] = {}
    illegal: dict[str, str] = {}
    for speaker, clips in labels.items():
        path = output / f"{speaker}{PREDICTIONS}"
        predicted = read_predictions(path, clips)
        failed = next((verdict for verdict in predicted.values() if verdict.failed), None)
        if failed:
            check_names(path, clips)
            illegal[speaker] = failed.status
        for clip, label in clips.items():
            reference[f"{speaker}/{clip}"] = Trial(speaker, label)
            verdicts[f"{speaker}/{clip}"] = predicted[clip]
    notes = illegal_note(illegal, len(labels), output)
    details = {"notes": [notes]} if notes else {}
    return Pairing(reference, verdicts, references[0].name, output.name, details=details)


def illegal_note(illegal: Mapping[str, str], speakers: int, folder: Path) -> str:
    """Return a note on speakers whose predictions are illegal and score as never waking, or "".

    Raise InputError if all are: that is another format, not a system that failed everywhere.
    """
    if not illegal:
        return ""
    first, why = next(iter(illegal.items()))
    if len(illegal) == speakers:
        raise InputError(
            "predictions must be legal for at least one speaker",
            at=folder / f"{first}{PREDICTIONS}",
            got=f"{some(illegal, 'speaker')} of {speakers}, the first {why}",
            want="a clip, a blank or tab, and 0 or 1 on every line",
        )
    return f"{some(illegal, 'speaker')} of {speakers} scored as never waking; {first} is {why}"


def speakers(reference: Mapping[str, Trial]) -> dict[str, str]:
    """Return the speaker of each trial."""
    return {item: trial.speaker for item, trial in reference.items()}


def check_names(path: Path, clips: Mapping[str, object]) -> None:
    """Raise InputError if a prediction file lacks some clips and names others.

    A system that fails on a clip leaves it out; one line for another clip and none for this one is
    a wrong name, which would be scored as never waking.
    """
    try:
        names = set(checks.renamed(read_verdicts(path), clips))
    except InputError:
        return  # no file, or one that cannot be read: the challenge's rules have a word for it
    missing, others = sorted(clips.keys() - names), sorted(names - clips.keys())
    if missing and others:
        raise InputError(
            "predictions must name the clips that were tried",
            at=path,
            got=f"{some(missing, 'clip')} without a verdict, {some(others, 'verdict')} of no clip",
            want="the names of the clips, with or without folder and extension",
        )


def write_predictions(path: Path, verdicts: Mapping[str, Verdict], *, scores: bool = True) -> None:
    """Write a speaker's prediction file, with scores as a third column where there are any."""
    lines = [
        f"{clip}\t{int(v.awake)}" + (f"\t{v.score:.6f}" if scores and v.score is not None else "")
        for clip, v in sorted(verdicts.items())
    ]
    write_file(path, "\n".join(lines) + "\n")
