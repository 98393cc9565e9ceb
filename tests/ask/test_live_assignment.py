"""Who gets which unit, and which answers count."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")

from sqlalchemy import Engine, func, select
from tests.ask.live_crowd import assert_some_were_late, check, crowd, windows

from earmark.ask.live.answers import (
    AGAIN,
    COUNTED,
    LATE,
    NOT_ASKED,
    OTHER_KEY,
    SAME_KEY,
    GivenAnswer,
    record_answer,
)
from earmark.ask.live.assignment import hand_out
from earmark.ask.live.people import Arrival, exclude, join, withdraw
from earmark.ask.live.reaper import reap
from earmark.ask.live.shared import PAUSED, write_shared
from earmark.ask.live.tables import ANSWERS, UNITS, WITHDRAWALS
from earmark.ask.live.terms import LiveOptions, LiveTerms
from earmark.ask.live.units import place_units
from earmark.database.engine import default_url, open_database
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item

NOW = 1000.0


class Desk:
    """A study of a few units, and what people do with it; one transaction per call."""

    def __init__(self, engine: Engine, units: list[Item], terms: LiveTerms) -> None:
        self.engine, self.units, self.terms = engine, units, terms
        self.now, self.keys = NOW, 0
        self.do(place_units, units, terms, seed=0)

    def do(self, function, *args, **named):
        with self.engine.begin() as connection:
            return function(connection, *args, **named)

    def joins(self, **arrival) -> str:
        return str(self.do(join, Arrival(**arrival), consent="1", now=self.now).id)

    def next(self, person: str, besides: str = ""):
        return self.do(hand_out, self.terms, person, now=self.now, besides=besides)

    def answers(
        self, person: str, unit: str, *, key: str = "", is_right: bool | None = None
    ) -> str:
        self.keys += 1
        answer = GivenAnswer(unit, person, key or f"key-{self.keys}", {"a": 1}, 2.0, is_right)
        return str(self.do(record_answer, answer, now=self.now).why)

    def unit(self, name: str):
        with self.engine.begin() as connection:
            return connection.execute(select(UNITS).where(UNITS.c.id == name)).one()


@pytest.fixture
def engine(tmp_path: Path):
    engine = open_database(default_url(tmp_path))
    yield engine
    engine.dispose()


def desk(engine: Engine, units: list[Item] | None = None, known=(), **options) -> Desk:
    own = units or windows(2, 3)
    terms = LiveTerms(LiveOptions(**options), dict.fromkeys(known, 1), tuple(known))
    return Desk(engine, own, terms)


def test_asking_again_gives_the_same_unit_until_it_is_answered(engine: Engine) -> None:
    study = desk(engine)
    ann = study.joins()
    first = study.next(ann).lease
    assert study.next(ann).lease == first
    assert study.answers(ann, first.unit) == COUNTED
    assert study.next(ann).lease.unit != first.unit


def test_one_more_unit_can_be_loaded_ahead_and_no_third(engine: Engine) -> None:
    study = desk(engine, windows(9, 1))
    ann = study.joins()
    first = study.next(ann).lease.unit
    second = study.next(ann, besides=first).lease.unit
    assert second != first
    assert study.next(ann, besides=first).lease.unit == second
    assert study.next(ann, besides="another").lease.unit == first


def test_nobody_gets_windows_that_overlap_or_lie_too_near(engine: Engine) -> None:
    """Two recordings of three windows that overlap: one of each, then nothing ever."""
    study = desk(engine, windows(2, 3), people=1)
    ann = study.joins()
    given = []
    while (handed := study.next(ann)).lease:
        given.append(handed.lease.unit)
        study.answers(ann, handed.lease.unit)
    assert sorted(unit[:3] for unit in given) == ["r00", "r01"]
    assert handed.state == "finished"


def test_windows_may_follow_each_other_where_the_terms_say_so(engine: Engine) -> None:
    study = desk(engine, [windows(1, 11)[0], windows(1, 11)[10]], apart=0.0)
    ann = study.joins()
    study.answers(ann, study.next(ann).lease.unit)
    assert study.next(ann).lease is not None


def test_units_without_times_are_given_once_each(engine: Engine) -> None:
    units = [Item(f"pair-{n}", "pair", parent="sound") for n in range(3)]
    study = desk(engine, units, apart=0.0)
    ann = study.joins()
    given = []
    while (handed := study.next(ann)).lease:
        given.append(handed.lease.unit)
        study.answers(ann, handed.lease.unit)
    assert sorted(given) == ["pair-0", "pair-1", "pair-2"]


def test_a_unit_is_handed_out_as_often_as_opinions_are_wanted(engine: Engine) -> None:
    study = desk(engine, windows(1, 1), people=2)
    leases = [study.next(study.joins()) for _ in range(3)]
    assert [handed.lease is not None for handed in leases] == [True, True, False]
    assert leases[2].state == "wait"  # not finished: somebody may leave


def test_a_lease_that_runs_out_is_given_to_somebody_else(engine: Engine) -> None:
    study = desk(engine, windows(1, 1), people=1, minutes=10)
    ann, bob = study.joins(), study.joins()
    unit = study.next(ann).lease.unit
    assert study.next(bob).state == "wait"
    study.now += 601
    assert study.do(reap, now=study.now) == 1
    assert study.next(bob).lease.unit == unit
    assert study.answers(ann, unit) == LATE
    assert study.answers(bob, unit) == COUNTED
    assert study.unit(unit).counted == 1
    assert study.next(ann).state == "finished"


def test_an_answer_after_its_time_counts_while_nobody_else_was_given_the_unit(
    engine: Engine,
) -> None:
    study = desk(engine, windows(1, 1), people=1, minutes=10)
    ann = study.joins()
    unit = study.next(ann).lease.unit
    study.now += 601
    assert study.answers(ann, unit) == COUNTED
    assert study.do(reap, now=study.now) == 0


def test_the_same_key_counts_once(engine: Engine) -> None:
    study = desk(engine)
    ann = study.joins()
    unit = study.next(ann).lease.unit
    assert study.answers(ann, unit, key="k") == COUNTED
    assert study.answers(ann, unit, key="k") == SAME_KEY
    other = next(window.id for window in study.units if window.id != unit)
    assert study.answers(ann, other, key="k") == OTHER_KEY
    assert study.answers(ann, unit, key="other") == AGAIN
    assert study.unit(unit).counted == 1


def test_the_same_key_of_two_people_is_two_answers(engine: Engine) -> None:
    study = desk(engine, windows(1, 1), people=2)
    for person in (study.joins(), study.joins()):
        assert study.answers(person, study.next(person).lease.unit, key="k") == COUNTED


def test_an_answer_to_a_question_that_was_not_asked_is_marked(engine: Engine) -> None:
    study = desk(engine)
    assert study.answers(study.joins(), "r00@0") == NOT_ASKED
    assert study.unit("r00@0").counted == 0
    with engine.begin() as connection:
        assert connection.execute(select(ANSWERS.c.counts)).scalars().all() == [False]


def test_nobody_gives_more_than_the_cap(engine: Engine) -> None:
    study = desk(engine, windows(5, 1), cap=2)
    ann = study.joins()
    for _ in range(2):
        study.answers(ann, study.next(ann).lease.unit)
    assert study.next(ann).state == "cap"


def test_questions_in_flight_count_against_the_budget(engine: Engine) -> None:
    """Three answers in all: one is in, two are being given, so that a third person waits."""
    study = desk(engine, windows(4, 1), answers=3, minutes=1)
    ann, bob, cem = study.joins(), study.joins(), study.joins()
    assert study.answers(ann, study.next(ann).lease.unit) == COUNTED
    open_unit = study.next(ann).lease.unit
    assert study.next(bob).lease is not None
    assert (study.next(cem).lease, study.next(cem).state) == (None, "wait")
    assert study.answers(ann, open_unit) == COUNTED
    assert study.next(cem).state == "wait"
    study.now += 61  # Bob has left: his question may be given to somebody else
    study.do(reap, now=study.now)
    assert study.answers(cem, study.next(cem).lease.unit) == COUNTED
    states = [study.next(person).state for person in (ann, bob, cem)]
    assert states == ["finished", "closed", "finished"]  # Bob has answered nothing


def test_what_no_longer_counts_is_asked_again_within_the_budget(engine: Engine) -> None:
    study = desk(engine, windows(4, 1), answers=2)
    ann, bob = study.joins(), study.joins()
    for _ in range(2):
        study.answers(ann, study.next(ann).lease.unit)
    assert study.next(bob).state == "closed"
    study.do(exclude, ann, why="too fast")
    for _ in range(2):
        assert study.answers(bob, study.next(bob).lease.unit) == COUNTED
    assert study.next(bob).state == "finished"


def test_while_asking_is_paused_nothing_is_handed_out(engine: Engine) -> None:
    study = desk(engine)
    ann = study.joins()
    study.do(write_shared, PAUSED, True)
    assert study.next(ann).state == "wait"
    study.do(write_shared, PAUSED, False)
    assert study.next(ann).lease is not None


def test_a_batch_is_finished_before_the_next_begins(engine: Engine) -> None:
    """Three overlapping windows are three batches."""
    study = desk(engine, windows(1, 3), people=1, one_batch=True)
    given = []
    for _ in range(3):
        person = study.joins()
        given.append(study.next(person).lease.unit)
        assert study.next(study.joins()).state == "wait"
        study.answers(person, given[-1])
    assert given == ["r00@0", "r00@1", "r00@2"]


TRIALS = ["r00@0", "r01@0", "r02@0", "r03@0"]


@pytest.mark.parametrize(("right", "state"), [(3, ""), (2, "not qualified")])
def test_trials_come_first_and_decide(engine: Engine, right: int, state: str) -> None:
    study = desk(engine, windows(9, 1), known=TRIALS, trials=4, pass_share=0.75, people=1)
    ann = study.joins()
    for number in range(4):
        lease = study.next(ann).lease
        assert lease.role == "trial"
        # the next trial may be loaded ahead, but nothing is before all are marked
        if number == 3:
            assert study.next(ann, besides=lease.unit).state == "wait"
        study.answers(ann, lease.unit, is_right=number < right)
    handed = study.next(ann)
    assert handed.state == state
    assert (handed.lease is None) == bool(state)


def test_every_third_question_has_a_known_answer(engine: Engine) -> None:
    study = desk(engine, windows(12, 1), known=TRIALS, gold_every=3)
    ann, roles = study.joins(), []
    for _ in range(6):
        lease = study.next(ann).lease
        roles.append(lease.role)
        study.answers(ann, lease.unit, is_right=True)
    assert roles == ["question", "question", "gold"] * 2


def test_an_excluded_person_gets_nothing_and_others_are_asked_instead(engine: Engine) -> None:
    study = desk(engine, windows(2, 1), people=1)
    ann = study.joins()
    first = study.next(ann).lease.unit
    study.answers(ann, first)
    second = study.next(ann).lease.unit
    assert study.do(exclude, ann, why="too fast") == 1
    assert study.next(ann).state == "excluded"
    assert (study.unit(first).need, study.unit(first).counted) == (1, 0)
    assert study.unit(second).need == 1
    bob = study.joins()
    assert {study.next(bob).lease.unit} <= {first, second}
    with engine.begin() as connection:  # kept, and marked
        assert connection.execute(select(ANSWERS.c.why)).scalars().all() == ["excluded"]


def test_withdrawing_deletes_everything_and_leaves_a_tombstone(engine: Engine) -> None:
    study = desk(engine, windows(2, 1), people=1)
    ann = study.joins()
    unit = study.next(ann).lease.unit
    study.answers(ann, unit)
    study.next(ann)
    assert study.do(withdraw, ann, now=study.now) == 1
    assert study.do(withdraw, ann, now=study.now) is None
    assert study.unit(unit).need == 1
    with engine.begin() as connection:
        assert connection.execute(select(func.count()).select_from(ANSWERS)).scalar() == 0
        assert connection.execute(select(WITHDRAWALS.c.person)).scalars().all() == [ann]
    assert study.next(ann).state == "unknown"


def test_a_market_s_person_who_comes_again_is_the_same(engine: Engine) -> None:
    study = desk(engine)
    ann = study.joins(market="prolific", outside="5f1a")
    assert study.joins(market="prolific", outside="5f1a") == ann
    assert study.joins(market="mturk", outside="5f1a") != ann
    assert study.joins() != study.joins()


def test_more_opinions_can_be_wanted_later(engine: Engine) -> None:
    study = desk(engine, windows(1, 1), people=1)
    ann = study.joins()
    study.answers(ann, study.next(ann).lease.unit)
    more = LiveTerms(LiveOptions(people=3))
    study.do(place_units, study.units, more, seed=0)
    assert study.unit("r00@0").need == 2


def test_units_that_were_answered_cannot_become_others(engine: Engine) -> None:
    study = desk(engine, windows(1, 1))
    ann = study.joins()
    study.answers(ann, study.next(ann).lease.unit)
    with pytest.raises(StudyError, match="would be about other questions"):
        study.do(place_units, windows(1, 1, length=5.0), study.terms, seed=0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"people": 0},
        {"cap": 0},
        {"answers": 0},
        {"apart": -1},
        {"minutes": 0},
        {"pass_share": 2},
        {"gold_every": -1},
    ],
)
def test_terms_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        LiveOptions(**wrong)


def test_eight_clients_with_abandons_and_late_answers_give_every_unit_its_opinions(
    engine: Engine,
) -> None:
    terms = LiveTerms(LiveOptions(people=5, cap=12, minutes=2))
    receipts = crowd(engine, windows(3, 40), terms)
    check(engine, terms)
    assert_some_were_late(receipts)


@pytest.mark.postgres
def test_the_same_on_postgresql(postgres: str) -> None:
    engine = open_database(postgres)
    terms = LiveTerms(LiveOptions(people=5, cap=12, minutes=2))
    receipts = crowd(engine, windows(2, 40), terms)
    check(engine, terms)
    assert_some_were_late(receipts)
    engine.dispose()


def budget_is_met(engine: Engine, units: list[Item]) -> None:
    """Eight clients, some of whom leave or come late, give as many answers as were asked for."""
    terms = LiveTerms(LiveOptions(people=5, cap=12, minutes=2, answers=137))
    receipts = crowd(engine, units, terms)
    assert receipts.count(COUNTED) == 137
    assert_some_were_late(receipts)
    with engine.begin() as connection:
        assert connection.execute(select(func.sum(UNITS.c.counted))).scalar() == 137


def test_a_budget_is_met_exactly_by_eight_clients(engine: Engine) -> None:
    budget_is_met(engine, windows(2, 40))


@pytest.mark.postgres
def test_a_budget_is_met_exactly_on_postgresql(postgres: str) -> None:
    engine = open_database(postgres)
    budget_is_met(engine, windows(2, 40))
    engine.dispose()
