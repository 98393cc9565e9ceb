"""Phases: their rules, as study.toml declares them."""

import datetime

import pytest

from earmark.run.phases import Phase, chosen_phase, read_phases
from earmark.values.errors import InputError, StudyError


def test_a_study_without_phases_gives_feedback() -> None:
    assert list(read_phases({})) == ["feedback"]


def test_the_three_phases_of_the_paper_have_defaults_of_their_own() -> None:
    phases = read_phases({"phases": {"feedback": {}, "check": {}, "final": {}}})
    assert [phase.shows for phase in phases.values()] == ["scores", "verdict", "nothing"]
    assert [phase.tries for phase in phases.values()] == [None, 1, 1]
    assert phases["feedback"].tries_a_day == 5


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"shows": "logs"}, "there is no 'shows' 'logs'"),
        ({"tries": 0}, "'tries' must be a whole number from 1"),
        ({"tries_a_day": True}, "'tries_a_day' must be a whole number from 1"),
        ({"trys": 3}, "there is no setting of a phase 'trys'"),
        ({"closes": "soon"}, "a time must be a date or a time of TOML"),
        ({"data": 3}, "'data' must be a study's folder"),
        ({"counts": "first"}, "there is no 'counts' 'first'"),
    ],
)
def test_a_wrong_setting_is_named(table: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        read_phases({"phases": {"feedback": table}})
    assert "[phases.feedback]" in str(error.value)


def test_a_date_is_its_midnight_in_utc() -> None:
    table = {"opens": datetime.date(1970, 1, 2), "closes": datetime.datetime(1970, 1, 3, 12)}
    phase = read_phases({"phases": {"feedback": table}})["feedback"]
    assert (phase.opens, phase.closes) == (86400.0, 2.5 * 86400)


def test_a_phase_is_open_from_its_first_to_its_last_moment() -> None:
    phase = Phase("feedback", opens=10.0, closes=20.0)
    phase.require_open(10.0)
    with pytest.raises(InputError, match="opens on 1970-01-01"):
        phase.require_open(9.9)
    with pytest.raises(InputError, match="closed on 1970-01-01"):
        phase.require_open(20.0)


def test_without_a_name_the_only_open_phase_is_chosen() -> None:
    phases = {name: Phase(name, opens=when) for name, when in (("feedback", 0.0), ("final", 9.0))}
    assert chosen_phase(phases, None, 5.0).name == "feedback"
    with pytest.raises(StudyError, match="several phases are open"):
        chosen_phase(phases, None, 10.0)
    with pytest.raises(StudyError, match="no phase is open"):
        chosen_phase(phases, None, -1.0)
