"""Ours: no threshold set by hand, neither for a speaker nor for a keyword."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from earmark.task.task import Training
from earmark.tasks.keywords.run import evidence, fusion
from earmark.tasks.keywords.run.evidence import Enrolment
from earmark.tasks.keywords.run.fusion import Table
from earmark.tasks.keywords.run.speakers import Judge, Speaker, judged
from earmark.tasks.keywords.run.utterance import Utterance
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output


def auto(
    items: tuple[Item, ...],
    *,
    train_on: Training | None,
    seed: int,
    model: Path | None = None,
    penalty: float = 9.0,
) -> Iterator[Output[Verdict]]:
    """Two warpings and a voice, calibrated by the enrolment itself and fused.

    Parameters
    ----------
    model
        A table of development trials that `earmark train` wrote, in place of the shipped one.
    penalty
        How many times worse a false-alarm rate is than a miss rate.
    """
    if not 0 < penalty < math.inf:
        raise InputError("a penalty is a number above 0", got=penalty)
    table = ready(model)
    if train_on is not None:
        from earmark.tasks.keywords.train import trials_of

        table = table.joined(trials_of(train_on, table.cohort, seed=seed))

    def learn(speaker: Speaker) -> Judge:
        enrolment = evidence.enrol(speaker.sounds(), seed=seed, speaker=speaker.name)
        return judge_of(table, enrolment, speaker.name, penalty=penalty)

    return judged(items, "auto", learn)


def ready(model: Path | None = None) -> Table:
    """The table, with both networks looked for first: a missing package is told at once."""
    from earmark.tasks.keywords.run import sounds, voice

    voice.weights_file()
    sounds.network()
    return fusion.load(model)


def judge_of(table: Table, enrolment: Enrolment, speaker: str, *, penalty: float) -> Judge:
    """What decides on a clip of this speaker's device.

    The speaker is left out of the table: under the name, for trials that the study added, and as
    the development speaker whose recordings these are.
    """
    score = fusion.fuse(table, frozenset({speaker, table.known(enrolment) or speaker}))
    border = math.log(penalty)

    def judge(samples: Any) -> Verdict:
        fit = evidence.fit_to(Utterance(samples), enrolment.clips, enrolment.voice, table.cohort)
        found = score(enrolment, fit)
        return Verdict(awake=found >= border, score=found)

    return judge
