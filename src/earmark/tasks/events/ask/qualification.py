"""Trial questions before the real ones: who of a simulated crowd is let in.

A trial plays one clear example of one label; it is passed by ticking that label and no other.
"""

from collections.abc import Sequence

import numpy as np

from earmark.arrays import Bools
from earmark.ask.batch import passed
from earmark.stats.draw import stream
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.ask.simulation import CERTAIN, AudibleEvent, people, tick_probability
from earmark.values.errors import InputError

# What a trial plays: as audible as can be, and long enough to be noticed for certain.
CLEAR = (AudibleEvent(logit=CERTAIN, noticed=1.0),)


def admitted(crowd: Crowd, labels: Sequence[str], seed: int) -> Bools:
    """Return for every person whether they passed the trial; true where there is none.

    Raise InputError if fewer people pass than opinions are wanted.
    """
    if not crowd.trials:
        return np.ones(crowd.people, dtype=bool)
    everybody = people(crowd, seed)
    key = {f"trial-{k}": frozenset({labels[k % len(labels)]}) for k in range(crowd.trials)}
    answers: dict[str, dict[str, object]] = {}
    for person, name in enumerate(everybody.names):
        skill, kind = float(everybody.skill[person]), int(everybody.kind[person])
        rng = stream(seed, "trial", name)
        answers[name] = {
            question: frozenset(
                label
                for label in labels
                if rng.random()
                < tick_probability(crowd, CLEAR if label in right else (), skill, kind)
            )
            for question, right in key.items()
        }
    qualified = set(passed(answers, key, share=crowd.pass_share))
    if len(qualified) < crowd.opinions:
        raise InputError(
            "as many people must pass the trial as opinions are wanted",
            got=f"{len(qualified)} of {crowd.people} passed, {crowd.opinions} opinions per window",
            fix="lower pass_share, or find more people",
        )
    return np.array([name in qualified for name in everybody.names])
