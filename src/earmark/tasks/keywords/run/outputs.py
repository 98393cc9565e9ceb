"""Files and folders of predictions as the outputs of a system."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from earmark.task.progress import notify
from earmark.tasks.keywords.files import (
    PREDICTIONS,
    check_names,
    illegal_note,
    read_predictions,
    read_verdicts,
)
from earmark.tasks.keywords.values import Verdict
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import some
from earmark.values.output import Output

ILLEGAL = Verdict(awake=False, status="illegal: no verdict for a clip")


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Verdict]]:
    """Yield the verdicts of a folder of `<speaker>_predictions.txt`, or of one file of all clips.

    A line is `<clip>.wav 0|1 [score]`. A clip without a line is an illegal verdict, as is every
    clip of a speaker without a file; a file that names other clips instead is refused.
    """
    trials = [item for item in items if item.kind == "trial"]
    if path.is_dir():
        return _from_folder(path, trials)
    return _from_file(path, trials)


def _from_file(path: Path, trials: list[Item]) -> Iterator[Output[Verdict]]:
    clips = {f"{item.id}.wav": item for item in trials}
    if not path.is_file():
        raise InputError(
            "predictions must be a file, or a folder of them",
            at=path,
            want="a clip, 0 or 1, and a score if there is one, on every line",
        )
    verdicts = checks.renamed(read_verdicts(path), clips)
    missing = clips.keys() - verdicts.keys()
    if missing:
        check_names(path, clips)
        notify(f"{path}: no verdict for {len(missing)} of {len(clips)} clips, which is illegal")
    for name, item in clips.items():
        verdict = verdicts.get(name, ILLEGAL)
        yield Output(path.stem, item.id, verdict, verdict.score)


def _from_folder(folder: Path, trials: list[Item]) -> Iterator[Output[Verdict]]:
    """Return the verdicts of each speaker's file, by the challenge's rules for what is legal."""
    by_speaker: dict[str, list[Item]] = {}
    for item in trials:
        by_speaker.setdefault(item.group, []).append(item)
    _check_speakers(folder, by_speaker)
    illegal: dict[str, str] = {}
    outputs: list[Output[Verdict]] = []
    for speaker, own in by_speaker.items():
        path = folder / f"{speaker}{PREDICTIONS}"
        clips = _clip_names(path, speaker, own)
        verdicts = read_predictions(path, clips)
        failed = next((verdict for verdict in verdicts.values() if verdict.failed), None)
        if failed:
            check_names(path, clips)
            illegal[speaker] = failed.status
        outputs += [
            Output(folder.name, i.id, verdicts[n], verdicts[n].score) for n, i in clips.items()
        ]
    note = illegal_note(illegal, len(by_speaker), folder)
    if note:
        notify(f"{folder}: {note}")
    return iter(outputs)


def _clip_names(path: Path, speaker: str, own: list[Item]) -> dict[str, Item]:
    """Return the clips of a speaker by the names that the speaker's file uses for them.

    The study puts the speaker before a clip's name where the name itself does not begin with it.
    """
    whole = {f"{item.id}.wav": item for item in own}
    short = {name.removeprefix(f"{speaker}-"): item for name, item in whole.items()}
    try:
        names = read_verdicts(path)
    except InputError:
        return whole  # no file, or one that cannot be read: the rules have a word for it
    fits = [len(checks.renamed(names, clips).keys() & clips.keys()) for clips in (whole, short)]
    return short if fits[1] > fits[0] else whole


def _check_speakers(folder: Path, speakers: Mapping[str, object]) -> None:
    """Raise InputError if the folder has no speaker's file, or files of others."""
    named = {
        path.name.removesuffix(PREDICTIONS): path for path in sorted(folder.glob(f"*{PREDICTIONS}"))
    }
    strange = sorted(named.keys() - speakers.keys())
    missing = sorted(speakers.keys() - named.keys())
    if strange or not named:
        raise InputError(
            "a folder of predictions must have a file per speaker of the study",
            at=folder,
            got=f"{some(sorted(named), 'file')}, {some(strange, 'speaker')} not in the study, "
            f"{some(missing, 'speaker')} without a file",
            want=f"<speaker>{PREDICTIONS}",
        )
