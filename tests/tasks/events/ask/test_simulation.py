"""The simulated crowd repeats itself, and each of its parameters changes what it says."""

import pytest
from tests.tasks.events.crowds import recording

from earmark.tasks.events.ask import question as ask
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError
from earmark.values.reference import Reference


def test_a_simulated_crowd_repeats_itself_and_every_parameter_matters() -> None:
    truth = Timeline(40, (Event("dog", 5, 12), Event("siren", 15, 30)))
    units = tuple(ask.windows([recording(40.0)]))
    settings = {"people": 30, "opinions": 5}

    def said(**changes: float) -> list[tuple[str, str, list[str]]]:
        reference = Reference("truth", {"r": truth})
        answers = ask.simulate(units, reference, crowd={**settings, **changes}, seed=4)
        return [(a.item, a.person, sorted(a.value.labels)) for a in answers]

    plain = said()
    assert plain == said() and len(plain) == 31 * 5
    for name, value in {
        "people": 20, "opinions": 4, "spammers": 0.5, "careless": 0.8, "audibility": -3.0,
        "audibility_spread": 0.1, "skill_spread": 4.0, "settle": 9.0, "false_yes": 0.4,
        "careless_hears": 1.0, "spam_yes": 0.9, "busy_spread": 3.0, "cap": 2,
    }.items():  # fmt: skip
        base = {"spammers": 0.3, "careless": 0.3} if name in {"careless_hears", "spam_yes"} else {}
        assert said(**base) != said(**base, **{name: value}), name
    with pytest.raises(InputError, match="other parameters"):
        said(volume=3)
    with pytest.raises(InputError, match="must be numbers"):
        Crowd.of({"people": "many"})


def test_a_crowd_that_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="as many people as opinions per window"):
        Crowd(people=3, opinions=5)
    with pytest.raises(InputError, match="together must be between 0 and 1"):
        Crowd(spammers=0.9, careless=0.5)
