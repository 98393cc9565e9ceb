"""Trial questions before the real ones: who of a simulated crowd is let in.

A trial plays one clear example of one label; it is passed by ticking that label and no other.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from earmark.ask.batch import passed
from earmark.stats.draw import stream
from earmark.tasks.events.crowd import chance, people
from earmark.tasks.events.crowd_values import Crowd
from earmark.values.errors import InputError

CLEAR = ((50.0, 1.0),)


def admitted(crowd: Crowd, labels: Sequence[str], seed: int) -> NDArray[np.bool_]:
    """For every person, whether they passed the trial; everybody where there is none."""
    if not crowd.trials:
        return np.ones(crowd.people, dtype=bool)
    names, skill, kind, _ = people(crowd, seed)
    asked = {f"trial-{k}": frozenset({labels[k % len(labels)]}) for k in range(crowd.trials)}
    given: dict[str, dict[str, object]] = {}
    for person, name in enumerate(names):
        nature = float(skill[person]), int(kind[person])
        rng = stream(seed, "trial", name)
        given[name] = {
            question: frozenset(
                label
                for label in labels
                if rng.random() < chance(crowd, CLEAR if label in right else (), *nature)
            )
            for question, right in asked.items()
        }
    inside = set(passed(given, asked, share=crowd.pass_share))
    if len(inside) < crowd.opinions:
        raise InputError(
            "as many people must pass the trial as opinions are wanted",
            got=f"{len(inside)} of {crowd.people} passed, {crowd.opinions} opinions a window",
            fix="lower pass_share, or find more people",
        )
    return np.array([name in inside for name in names])
