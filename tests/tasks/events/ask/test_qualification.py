"""Trial questions keep out those who do not listen."""

import numpy as np
import pytest

from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.ask.qualification import admitted
from earmark.tasks.events.ask.simulation import people
from earmark.values.errors import InputError

LABELS = ("bark", "horn", "siren", "voices")


def test_without_trials_everybody_is_let_in() -> None:
    assert admitted(Crowd(people=40), LABELS, 3).all()


def test_trials_keep_spammers_and_the_careless_out_and_let_most_listeners_in() -> None:
    crowd = Crowd(people=300, spammers=0.2, careless=0.2, trials=8, pass_share=0.75)
    kind = people(crowd, 3).kind
    inside = admitted(crowd, LABELS, 3)
    assert inside[kind == 0].mean() > 0.95
    assert inside[kind != 0].mean() < 0.05


def test_a_stricter_trial_lets_fewer_in() -> None:
    loose, strict = (
        admitted(Crowd(people=300, trials=8, pass_share=share), LABELS, 3) for share in (0.25, 1.0)
    )
    assert loose.sum() > strict.sum()
    assert (admitted(Crowd(people=300, trials=1), LABELS, 3) != loose).any()


def test_a_trial_that_too_few_pass_is_refused() -> None:
    crowd = Crowd(people=6, opinions=5, spammers=1.0, careless=0.0, trials=8)
    with pytest.raises(InputError, match="as many people must pass the trial"):
        admitted(crowd, LABELS, 3)


def test_who_fails_is_asked_nothing() -> None:
    from earmark.tasks.events.ask.simulation import assign

    crowd = Crowd(people=60, trials=8)
    inside = admitted(crowd, LABELS, 5)
    assigned = assign(crowd, [range(30), range(30, 60)], inside, seed=5)
    asked = {person for row in assigned.values() for person in row}
    assert asked and asked <= set(np.flatnonzero(inside).tolist())
