"""People in the device's place: verdicts on trials, a reference by vote, beside systems."""

from pathlib import Path
from typing import Any

import pytest

from earmark.study.study import Study
from earmark.study.verify import verify
from earmark.tasks.keywords.ask.judging import (
    LISTENERS,
    PEOPLE,
    VerdictPosterior,
    simulate_listeners,
)
from earmark.tasks.keywords.ask.recording import RECORDING, read_answers
from earmark.tasks.keywords.reconcile import by_majority
from earmark.tasks.keywords.values import Recording, Trial, Verdict
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

MATERIAL = (
    Item("ana-enrol-1", "enrolment", media="sound/ana/enroll/1.wav", parent="ana"),
    Item("ana-1", "trial", media="sound/ana/test/1.wav", parent="ana"),
    Item("ana-2", "trial", media="sound/ana/test/2.wav", parent="ana"),
    Item("ben-1", "trial", media="sound/ben/test/1.wav", parent="ben"),
)
TRUTH = {"ana-1": Trial("ana", True), "ana-2": Trial("ana", False), "ben-1": Trial("ben", True)}


def units() -> tuple[Item, ...]:
    return tuple(RECORDING.units(MATERIAL))


def ballots(*rows: tuple[str, str, bool]) -> Ballots[Verdict]:
    answers = tuple(Answer(item, person, Verdict(awake=awake)) for item, person, awake in rows)
    return Ballots(units(), answers, MATERIAL)


def test_every_trial_is_a_question_with_the_clips_that_enrol_its_owner() -> None:
    assert [unit.id for unit in units()] == ["ana-1", "ana-2", "ben-1"]
    shown = RECORDING.show(units()[0])
    assert shown == {"enrolments": ["ana-enrol-1"], "clip": "sound/ana/test/1.wav"}
    assert RECORDING.read(units()[0], {"verdict": "Yes"}) == Verdict(awake=True)
    with pytest.raises(InputError, match="a listener says whether the device must wake"):
        RECORDING.read(units()[0], {"verdict": "perhaps"})


def test_verdicts_come_from_a_table(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("item,person,verdict\nana-1,p1,yes\nana-2,p1,0\n", encoding="utf-8")
    answers = list(read_answers(path, units()))
    assert [(a.item, a.person, a.value.awake) for a in answers] == [
        ("ana-1", "p1", True),
        ("ana-2", "p1", False),
    ]
    path.write_text("item,person,verdict\nana-1,p1,keep\n", encoding="utf-8")
    with pytest.raises(InputError, match="want: yes or no"):
        list(read_answers(path, units()))


def test_more_than_half_of_the_votes_make_a_target_and_a_tie_does_not() -> None:
    votes = ballots(
        ("ana-1", "p1", True),
        ("ana-1", "p2", True),
        ("ana-1", "p3", False),
        ("ana-2", "p1", True),
        ("ana-2", "p2", False),
    )
    reference = by_majority(votes, seed=0)
    assert reference.values == {"ana-1": Trial("ana", True), "ana-2": Trial("ana", False)}
    assert reference.doubt == {"ana-1": pytest.approx(2 / 3), "ana-2": 1.0}
    assert reference.people == {"p1": 0.5, "p2": 1.0, "p3": 0.0}


def test_recordings_of_texts_have_no_majority() -> None:
    take = Item("prompt-1-take-01", "take", parent="prompt-1")
    recorded: Ballots[Any] = Ballots(
        (take,), (Answer(take.id, "ana", Recording("a.wav", "English")),)
    )
    with pytest.raises(InputError, match="a majority needs verdicts on trials"):
        by_majority(recorded, seed=0)
    assert PEOPLE.names(recorded) == ()


def test_draws_of_a_reference_vote_again_with_people_drawn_anew() -> None:
    posterior = VerdictPosterior(("p1", "p2", "p3"), (True, True, False))
    drawn = [posterior.draw(TRUTH["ana-1"], item="ana-1", seed=k).is_target for k in range(200)]
    # two of three say yes: with replacement, two or more of three do so in 20 of 27 panels
    assert 0.6 < sum(drawn) / 200 < 0.88
    sure = VerdictPosterior(("p1", "p2"), (False, False))
    assert not any(sure.draw(TRUTH["ben-1"], item="ben-1", seed=k).is_target for k in range(20))


def test_simulated_listeners_err_as_often_as_their_crowd_says() -> None:
    trials = tuple(Item(f"t{k:04}", "trial", parent="ana") for k in range(1000))
    truth = Reference("truth", {unit.id: Trial("ana", k < 500) for k, unit in enumerate(trials)})
    answers = list(simulate_listeners(trials, truth, crowd=LISTENERS, seed=1))
    assert len(answers) == 3000 and len({a.person for a in answers}) == 6
    woken = [a.value.awake for a in answers if truth.values[a.item].is_target]
    assert 0.93 < sum(woken) / 1500 < 0.97
    with pytest.raises(InputError, match="nobody can record a text in a simulation"):
        list(simulate_listeners((Item("x", "take"),), truth, crowd=LISTENERS, seed=1))


def test_a_study_of_trials_puts_people_beside_systems(tmp_path: Path) -> None:
    labels = tmp_path / "labels"
    labels.mkdir()
    for speaker in ("ana", "ben"):
        rows = [f"{speaker}-{k:02}\t{int(k < 40)}" for k in range(99)]
        (labels / f"{speaker}_test_labels.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    study = Study.create(tmp_path / "wake", task="keywords", seed=3)
    study.make(labels=labels)
    study.ask(simulate=True)
    study.reconcile("majority")
    predictions = tmp_path / "sleepy"
    predictions.mkdir()
    for speaker in ("ana", "ben"):
        rows = [f"{speaker}-{k:02}\t0" for k in range(99)]
        (predictions / f"{speaker}_predictions.txt").write_text("\n".join(rows) + "\n")
    study.run(predictions)
    for reference in ("majority", "truth"):
        study.score(against=reference)
    everybody = study.snapshot().people()
    assert everybody["majority"]["who"] == "people who judged trials"
    assert "by majority from the answers of all others" in everybody["majority"]["how"]
    rows = everybody["truth"]["metrics"]["wake_score"]
    assert rows["people"]["value"] < rows["systems"]["sleepy"]["value"] == 1.0
    assert verify(study.folder)["ok"]
