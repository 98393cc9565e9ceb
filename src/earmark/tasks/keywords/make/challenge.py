"""A challenge taken as it is, from folders in the challenge's layout."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from earmark.task.task import Made
from earmark.tasks.keywords.clips import read_clip, refuse_silence
from earmark.tasks.keywords.files import SpeakerFiles, read_challenge, read_label_folder
from earmark.tasks.keywords.make.items import clip_id, clip_item
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError
from earmark.values.item import Item


def take_challenge(folder: Path, labels: Path | None, *, enrolments: int) -> Iterator[Made]:
    """Yield the clips of a challenge as they are, with truth when there are labels."""
    speakers = read_challenge(folder, enrolments=enrolments)
    labels_of = read_label_folder(labels) if labels is not None else {}
    for name in sorted(set(labels_of) - {speaker.name for speaker in speakers}):
        raise InputError("every labelled speaker must have clips", at=labels, got=name)
    for speaker in speakers:
        for path in speaker.enrolment:
            clip = read_clip(path)
            refuse_silence(path, clip)
            yield clip_item(speaker.name, "enrolment", path.stem, clip)
        yield from _tests(speaker, labels_of.get(speaker.name), labels)


def _tests(
    speaker: SpeakerFiles, is_target: Mapping[str, bool] | None, labels: Path | None
) -> Iterator[Made]:
    """Yield a speaker's test clips; `is_target` maps file names to labels, if there are any."""
    names = {path.name for path in speaker.test}
    if labels is not None and is_target is None:
        raise InputError("every speaker needs labels", at=labels, got=f"none for {speaker.name}")
    if is_target is not None and set(is_target) != names:
        odd = sorted(set(is_target) ^ names)
        raise InputError(
            "labels and test clips must name the same files",
            at=f"{labels}, speaker {speaker.name}",
            got=f"{len(odd)} on one side only, {odd[0]} first",
        )
    for path in speaker.test:
        truth = Trial(speaker.name, is_target[path.name]) if is_target is not None else None
        yield clip_item(speaker.name, "trial", path.stem, read_clip(path), truth)


def take_labels(folder: Path) -> Iterator[Made]:
    """Yield the trials that a folder of labels names, without their sound."""
    for speaker, labels in read_label_folder(folder).items():
        for clip, is_target in sorted(labels.items()):
            name = clip_id(speaker, Path(clip).stem)
            yield Made(Item(name, "trial", parent=speaker), Trial(speaker, is_target))
