"""The fourth verb's learning: a table of development trials for `auto`."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.task.progress import track
from earmark.task.task import Json, Training
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.keywords.run.evidence import Cohort, Enrolment
    from earmark.tasks.keywords.run.fusion import Table
    from earmark.tasks.keywords.run.speakers import Speaker

COHORT_CLIPS = 2


def train_auto(train_on: Training | None, *, out: Path, seed: int) -> Json:
    """A table of a study's trials with their labels, for `run STUDY auto --model OUT`."""
    import numpy as np

    from earmark.tasks.keywords.run import evidence, fusion
    from earmark.tasks.keywords.run.speakers import speakers

    if train_on is None:
        raise InputError(
            "auto learns from a study whose clips have labels",
            fix="earmark train keywords auto --study STUDY --out MODEL",
        )
    everyone = speakers(train_on.items)
    enrolled = {s.name: evidence.enrol(s.sounds(), seed=seed, speaker=s.name) for s in everyone}
    cohort = evidence.Cohort(
        tuple(tuple(c.spectrum for c in e.clips[:COHORT_CLIPS]) for e in enrolled.values()),
        tuple(tuple(c.sound_template for c in e.clips[:COHORT_CLIPS]) for e in enrolled.values()),
    )
    table = trials_of(train_on, cohort, seed=seed, enrolled=enrolled)
    prints = np.stack([fusion.print_of(e) for e in enrolled.values()])
    fusion.save(replace(table, prints=prints), out)
    return {
        "system": "auto",
        "speakers": len(everyone),
        "trials": len(table.labels),
        "targets": int(table.labels.sum()),
        "evidence": list(evidence.NAMES),
        "seed": seed,
    }


def trials_of(
    train_on: Training,
    cohort: "Cohort",
    *,
    seed: int,
    enrolled: "Mapping[str, Enrolment] | None" = None,
) -> "Table":
    """Every labelled trial of a study as a row of evidence against the cohort.

    `enrolled` names the cohort's own members, in its order; they are no cohort to themselves.
    """
    import numpy as np

    from earmark.tasks.keywords.run import evidence
    from earmark.tasks.keywords.run.fusion import Table
    from earmark.tasks.keywords.run.speakers import speakers

    members = list(enrolled or {})
    rows = []
    for speaker in track(speakers(train_on.items), label="train: speakers"):
        own = (enrolled or {}).get(speaker.name) or evidence.enrol(
            speaker.sounds(), seed=seed, speaker=speaker.name
        )
        at = members.index(speaker.name) if speaker.name in members else None
        rows += list(_rows(speaker, own, cohort, train_on.reference.values, at))
    if not rows:
        raise InputError("a table of trials needs labelled clips", got="none")
    owners, labels, relative, costs, keyword, sound = zip(*rows, strict=True)
    return Table(
        speakers=tuple(members),
        prints=np.empty((0, 0)),
        cohort=cohort,
        owners=owners,
        labels=np.array(labels, dtype=bool),
        relative=np.array(relative),
        costs=np.array(costs),
        keyword_cohort=np.array(keyword),
        sound_cohort=np.array(sound),
    )


def _rows(
    speaker: "Speaker",
    own: "Enrolment",
    cohort: "Cohort",
    truth: Mapping[str, Trial],
    at: int | None,
) -> Iterator[tuple[Any, ...]]:
    """Owner, label and evidence of every labelled trial; nan where the cohort is the speaker."""
    from earmark.tasks.keywords.run import evidence
    from earmark.tasks.keywords.run.speakers import samples_of
    from earmark.tasks.keywords.run.utterance import Utterance

    for item in speaker.trials:
        if item.id not in truth:
            continue
        clip = Utterance(samples_of(item))
        fit = evidence.fit_to(clip, own.clips, own.voice, cohort)
        keyword, sound = list(fit.keyword_cohort), list(fit.sound_cohort)
        if at is not None:
            keyword[at] = sound[at] = math.nan
        label = truth[item.id].is_target
        costs = (fit.keyword, fit.sound)
        yield speaker.name, label, own.relative(fit), costs, keyword, sound
