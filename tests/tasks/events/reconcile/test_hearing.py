"""How people come to tick a label: causes worked by hand, and what is estimated of them."""

import numpy as np
import pytest

from earmark.tasks.events.reconcile.hearing import (
    FAINTEST,
    Hearing,
    borders_of,
    next_audibility,
    next_confusions,
    next_mistakes,
    next_noticed,
    next_people,
    noticing,
    saliences,
)
from earmark.tasks.events.reconcile.hearing_kernel import (
    AnswerRows,
    Tallies,
    TickModel,
    add_expected_answers,
    add_log_likelihoods,
    predicted_log_likelihoods,
)

# One person who attends half of the time and else ticks one in four; one label, one window, two
# columns: nothing sounds, or what does is heard by half; nothing else makes anybody tick but one
# mistake in five. P(yes) = .5 * .2 + .5 * .25 = .225 and .5 * (1 - .8 * .5) + .125 = .425.
MODEL = TickModel(np.array([0.5]), np.array([[0.25]]), np.array([[0.8]]), np.array([1.0, 0.5]))


def rows(*yes: bool) -> AnswerRows:
    count = len(yes)
    zeros = np.zeros(count, dtype=np.int64)
    return AnswerRows(zeros, zeros, np.array(yes)[:, None])


def blank(columns: int = 2, people: int = 1, labels: int = 1, windows: int = 1) -> Tallies:
    return Tallies(
        attentive=np.zeros(people),
        answers=np.zeros(people),
        guesses=np.zeros((people, labels, 2)),
        heard=np.zeros(columns),
        listened=np.zeros(columns),
        mistakes=np.zeros(labels),
        attended=np.zeros((windows, labels)),
        caused=np.zeros((windows, labels)),
    )


def test_the_probability_of_an_answer_is_that_of_its_causes() -> None:
    totals = np.zeros((1, 1, 2))
    add_log_likelihoods(rows(True, False), MODEL, totals)
    assert np.exp(totals[0, 0]) == pytest.approx([0.225 * 0.775, 0.425 * 0.575])


def test_an_unseen_answer_is_predicted_from_the_columns() -> None:
    """Columns one in four and three in four: .25 * .225 + .75 * .425 = .375."""
    logs = predicted_log_likelihoods(rows(True, False), MODEL, np.array([[[0.25, 0.75]]]))
    assert np.exp(logs) == pytest.approx([0.375, 0.625])


def test_what_made_a_yes_is_counted_by_its_share_of_the_probability() -> None:
    """A yes in the second column, by hand.

    Attentive: .3 of .425. Given that, P(yes) is .6: it was heard with .5 / .6 and a mistake with
    .2 / .6 (it may be both).
    """
    tallies = blank()
    add_expected_answers(rows(True), MODEL, np.array([[[0.0, 1.0]]]), np.array([0.2]), tallies)
    attentive = 0.3 / 0.425
    assert tallies.attentive == pytest.approx([attentive])
    assert tallies.answers == pytest.approx([1.0])
    assert tallies.guesses[0, 0] == pytest.approx([0.0, 1 - attentive])
    assert tallies.listened == pytest.approx([0.0, attentive])
    assert tallies.heard == pytest.approx([0.0, attentive * 0.5 / 0.6])
    assert tallies.mistakes == pytest.approx([attentive * 0.2 / 0.6])
    assert tallies.caused == pytest.approx(np.array([[attentive / 0.6]]))


def test_a_no_has_no_cause() -> None:
    """Attentive: .5 * .4 of .575."""
    tallies = blank()
    add_expected_answers(rows(False), MODEL, np.array([[[0.0, 1.0]]]), np.array([0.2]), tallies)
    assert tallies.attentive == pytest.approx([0.2 / 0.575])
    assert tallies.heard.sum() == tallies.mistakes.sum() == tallies.caused.sum() == 0.0


def hearing(**changes: object) -> Hearing:
    values: dict[str, object] = {
        "audibility": np.array([0.8, 0.2]),
        "noticed": np.array([0.1, 0.9]),
        "false_yes": np.array([0.1, 0.0]),
        "confused": np.array([[0.0, 0.5], [0.0, 0.0]]),
        "attention": np.array([1.0, 0.5]),
        "guesses": np.zeros((2, 2)),
        "heard": np.array([[1.0, 0.0]]),
    }
    return Hearing(**{**values, **changes})  # type: ignore[arg-type]


def test_a_label_that_is_heard_makes_people_tick_the_one_it_is_taken_for() -> None:
    """The first label is heard for certain, and every second person takes it for the second."""
    assert hearing().model().quiet == pytest.approx(np.array([[0.9, 0.5]]))
    silent = hearing(heard=np.zeros((1, 2)))
    assert silent.model().quiet == pytest.approx(np.array([[0.9, 1.0]]))


def test_a_pattern_is_as_salient_as_its_cells_are_noticed() -> None:
    """None, the newest, the oldest, both: 0, .9, .1 and 1 - .1 * .9 = .91, in tenths."""
    assert hearing().column_of().tolist() == [0, 9, 1, 9]
    faint = hearing(noticed=np.array([0.02, 0.02]))
    assert faint.column_of().tolist() == [0, 1, 1, 1]  # what sounds is never like silence


def test_competence_is_how_well_sound_is_told_from_silence() -> None:
    """Of a clear sound: .8 * .91, less what mistakes take away (a mean of .05)."""
    assert hearing().competence() == pytest.approx([0.95 * 0.728, 0.5 * 0.95 * 0.728])


def test_levels_stay_apart_from_false_ticks() -> None:
    """What one in twenty hears is no level of its own, and less so where mistakes abound."""
    columns = 2 * len(saliences())
    tallies = blank(columns)
    tallies.listened[:] = 100.0
    tallies.heard[len(saliences()) :] = 5.0  # the second level
    tallies.heard[: len(saliences())] = 80.0
    few = next_audibility(tallies, np.array([0.8, 0.3]), np.array([0.01]))
    many = next_audibility(tallies, np.array([0.8, 0.3]), np.array([0.1]))
    assert few[1] == FAINTEST and many[1] == pytest.approx(0.3)
    assert few[0] > 0.8


def test_mistakes_and_guesses_are_shrunk_towards_what_others_do() -> None:
    tallies = blank(labels=2, windows=1)
    tallies.attended[:] = 50.0
    tallies.mistakes[:] = [10.0, 0.0]
    # the mean is .1 and weighs 50 answers: (10 + 5) / 100 and (0 + 5) / 100
    assert next_mistakes(tallies) == pytest.approx([0.15, 0.05])
    tallies.answers[:], tallies.attentive[:] = 20.0, 0.0
    attention, guesses = next_people(tallies, shrink=10.0)
    assert attention == pytest.approx([18 / 40])  # .9 weighs twice ten answers
    assert guesses == pytest.approx(np.full((1, 2), 0.1))


def test_places_of_a_window_that_are_never_noticed_are_learnt() -> None:
    """Two cells; a sound in the newest is ticked by 80 of 100, one in the oldest by 4."""
    no_yes = {0: (990, 10), 1: (200, 800), 2: (960, 40), 3: (200, 800)}
    patterns = np.array([[no_yes[k] for k in range(4)]], dtype=float)
    (oldest, newest), _ = next_noticed(patterns, np.array([0.5, 0.5]), np.array([0.9]))
    assert oldest < 0.15 and newest > 0.8
    assert noticing(np.array([oldest, newest]))[3] > noticing(np.array([oldest, newest]))[2]


def test_what_begins_in_a_window_is_told_from_what_goes_on_if_people_tick_it_more() -> None:
    """Three cells, all noticed: 90 of 100 tick where an event begins, 45 where none does."""
    struck = np.array([0.45, 0.45, 0.9, 0.9])[borders_of(3)]
    struck[0] = 0.01
    patterns = 1000 * np.stack([1 - struck, struck], axis=1)[None]
    start = (patterns, np.full(3, 0.9), np.array([0.9]))
    _, borders = next_noticed(*start, np.array([0.8, 0.8, 1.0, 1.0]))
    assert borders == pytest.approx([0.5, 0.5, 1.0, 1.0], abs=0.03)
    _, alike = next_noticed(*start, np.ones(4))
    assert alike == pytest.approx(np.ones(4))  # what starts as a matter of course stays one
    _, nothing = next_noticed(*start)
    assert nothing is None  # who does not ask for borders gets none
    apart = hearing(noticed=np.full(2, 0.9), borders=np.array([0.5, 0.5, 1.0, 1.0]))
    assert apart.column_of().tolist() == [0, 9, 4, 5]  # the newest begins; the oldest ends; both


def test_confusions_are_the_share_of_those_who_heard() -> None:
    """Forty windows; where the first label is heard, 30 of 100 attentive answers tick the second.

    One step from .3, nothing else causing a tick there: fired 30 a window of 100 exposed, and the
    prior's 20: 600 / 2,020.
    """
    tallies = blank(labels=2, windows=40)
    tallies.attended[:] = 100.0
    tallies.caused[:20, 1] = 30.0 / 0.3
    heard = np.zeros((40, 2))
    heard[:20, 0] = 1.0
    confused = next_confusions(tallies, np.array([[0.0, 0.3], [0.3, 0.0]]), heard)
    assert confused[0, 1] == pytest.approx(600 / 2020)
    assert confused[1, 0] == 0.0 and confused[0, 0] == 0.0
