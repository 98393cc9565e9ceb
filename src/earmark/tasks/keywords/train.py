"""Training `auto`: a development set of a study's labelled trials."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from earmark.task.progress import track
from earmark.task.task import Json, Training
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.keywords.run.comparison import ClipComparison, Cohort
    from earmark.tasks.keywords.run.development import DevelopmentSet
    from earmark.tasks.keywords.run.enrolment import Enrolment
    from earmark.tasks.keywords.run.speakers import Speaker

# Recordings per member of the cohort: enough to average over, few enough to search in every clip.
# Chosen by hand.
COHORT_CLIPS = 2


def train_auto(train_on: Training | None, *, out: Path, seed: int) -> Json:
    """Write a table of a study's labelled trials, for `run STUDY auto --model OUT`."""
    from earmark.tasks.keywords.run.comparison import Cohort
    from earmark.tasks.keywords.run.enrolment import enrol
    from earmark.tasks.keywords.run.fusion import FEATURES
    from earmark.tasks.keywords.run.model_file import save_model
    from earmark.tasks.keywords.run.speakers import speakers

    if train_on is None:
        raise InputError(
            "auto learns from a study whose clips have labels",
            fix="earmark train keywords auto --study STUDY --out MODEL",
        )
    _require_both_kinds(train_on)
    enrolled = {
        speaker.name: enrol(speaker.enrolment_samples(), seed=seed, speaker=speaker.name)
        for speaker in speakers(train_on.items)
    }
    members = [enrolment.clips[:COHORT_CLIPS] for enrolment in enrolled.values()]
    cohort = Cohort(
        tuple(tuple(clip.spectrum for clip in clips) for clips in members),
        tuple(tuple(clip.sound_template for clip in clips) for clips in members),
    )
    development = replace(
        labelled_trials(train_on, cohort, seed=seed, enrolled=enrolled),
        mean_spectra=np.stack([enrolment.mean_spectrum() for enrolment in enrolled.values()]),
    )
    save_model(development, out)
    return {
        "system": "auto",
        "speakers": len(enrolled),
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


def labelled_trials(
    train_on: Training,
    cohort: "Cohort",
    *,
    seed: int,
    enrolled: "Mapping[str, Enrolment] | None" = None,
) -> "DevelopmentSet":
    """Measure every labelled trial of a study against the cohort.

    `enrolled` names the cohort's own members, in its order; they are no cohort to themselves.
    The mean spectra of the result are empty.
    """
    from earmark.tasks.keywords.run.development import DevelopmentSet, Measurements
    from earmark.tasks.keywords.run.enrolment import enrol
    from earmark.tasks.keywords.run.speakers import speakers

    members = list(enrolled or {})
    owners: list[str] = []
    labels: list[bool] = []
    trials = []
    for speaker in track(speakers(train_on.items), label="train: speakers"):
        own = (enrolled or {}).get(speaker.name) or enrol(
            speaker.enrolment_samples(), seed=seed, speaker=speaker.name
        )
        for label, comparison in _compared(speaker, own, cohort, train_on.reference.values):
            owners.append(speaker.name)
            labels.append(label)
            trials.append((_without_member(comparison, speaker.name, members), own.self_trials))
    if not trials:
        raise InputError("a table of trials needs labelled clips", got="none")
    return DevelopmentSet(
        speakers=tuple(members),
        mean_spectra=np.empty((0, 0)),
        cohort=cohort,
        owners=tuple(owners),
        labels=np.array(labels, dtype=bool),
        measurements=Measurements.of(trials),
    )


def _compared(
    speaker: "Speaker", own: "Enrolment", cohort: "Cohort", truth: Mapping[str, Trial]
) -> "Iterator[tuple[bool, ClipComparison]]":
    """Yield the label of each labelled trial, and how its clip compares with the enrolment."""
    from earmark.tasks.keywords.run.comparison import compare_clip
    from earmark.tasks.keywords.run.speakers import samples_of
    from earmark.tasks.keywords.run.utterance import Utterance

    for item in speaker.trials:
        if item.id in truth:
            clip = Utterance(samples_of(item))
            yield truth[item.id].is_target, compare_clip(clip, own.clips, own.voice, cohort)


def _without_member(
    comparison: "ClipComparison", speaker: str, members: Sequence[str]
) -> "ClipComparison":
    """Return the comparison with nan for the cohort's member who is the speaker, if one is."""

    def without(costs: tuple[float, ...]) -> tuple[float, ...]:
        pairs = zip(members, costs, strict=True)
        return tuple(math.nan if member == speaker else cost for member, cost in pairs)

    if speaker not in members:
        return comparison
    return replace(
        comparison,
        mfcc_cohort_costs=without(comparison.mfcc_cohort_costs),
        sound_cohort_costs=without(comparison.sound_cohort_costs),
    )
