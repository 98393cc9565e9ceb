"""Training `auto`: a development set of a study's labelled trials."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from earmark.task.progress import track
from earmark.task.task import Json, Training
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.keywords.run.comparison import ClipComparison
    from earmark.tasks.keywords.run.development import DevelopmentSet
    from earmark.tasks.keywords.run.enrolment import Enrolment
    from earmark.tasks.keywords.run.speakers import Speaker


def train_auto(train_on: Training | None, *, out: Path, seed: int) -> Json:
    """Write a table of a study's labelled trials, for `run STUDY auto --model OUT`."""
    from earmark.tasks.keywords.run.fusion import FEATURES
    from earmark.tasks.keywords.run.model_file import save_model

    if train_on is None:
        raise InputError(
            "auto learns from a study whose clips have labels",
            fix="earmark train keywords auto --study STUDY --out MODEL",
        )
    _require_both_kinds(train_on)
    development = labelled_trials(train_on, seed=seed)
    save_model(development, out)
    return {
        "system": "auto",
        "speakers": len(development.speakers),
        "corpora": list(development.corpora()),
        "trials": len(development.labels),
        "targets": int(development.labels.sum()),
        "evidence": list(FEATURES),
        "seed": seed,
    }


def _require_both_kinds(train_on: Training) -> None:
    """Raise InputError unless some labelled trials must wake the device and some must not."""
    values = train_on.reference.values
    trials = [item.id for item in train_on.items if item.kind == "trial" and item.id in values]
    targets = sum(values[name].is_target for name in trials)
    if targets in (0, len(trials)):
        raise InputError(
            "auto learns from trials that must wake and from trials that must not",
            at=f"reference {train_on.reference.name}",
            got=f"{targets} of {len(trials)} labelled trials must wake",
            fix="make the study with other words too: --own-words N, --impostors N",
        )


def labelled_trials(train_on: Training, *, seed: int) -> "DevelopmentSet":
    """Enrol every speaker of a study and measure every labelled trial."""
    from earmark.tasks.keywords.run.development import DevelopmentSet, Measurements
    from earmark.tasks.keywords.run.enrolment import enrol
    from earmark.tasks.keywords.run.speakers import speakers

    owners: list[str] = []
    labels: list[bool] = []
    trials = []
    spectra = {}
    for speaker in track(speakers(train_on.items), label="train: speakers"):
        own = enrol(speaker.enrolment_samples(), seed=seed, speaker=speaker.name)
        spectra[speaker.name] = own.mean_spectrum()
        for label, comparison in _compared(speaker, own, train_on.reference.values):
            owners.append(speaker.name)
            labels.append(label)
            trials.append((comparison, own.self_trials))
    if not trials:
        raise InputError("a table of trials needs labelled clips", got="none")
    return DevelopmentSet(
        speakers=tuple(spectra),
        mean_spectra=np.stack(list(spectra.values())),
        owners=tuple(owners),
        labels=np.array(labels, dtype=bool),
        measurements=Measurements.of(trials),
    )


def _compared(
    speaker: "Speaker", own: "Enrolment", truth: Mapping[str, Trial]
) -> "Iterator[tuple[bool, ClipComparison]]":
    """Yield the label of each labelled trial, and how its clip compares with the enrolment."""
    from earmark.tasks.keywords.run.comparison import compare_clip
    from earmark.tasks.keywords.run.speakers import samples_of
    from earmark.tasks.keywords.run.utterance import Utterance

    for item in speaker.trials:
        if item.id in truth:
            clip = Utterance(samples_of(item))
            yield truth[item.id].is_target, compare_clip(clip, own.takes, own.voices)
