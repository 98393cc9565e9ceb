"""Compiled sums over people's answers for the window HMM: likelihoods and expected counts.

One answer about one label is yes or no. A person attends with probability `attention`, and then
says yes unless nothing makes them: not hearing the sound, whose probability `silent` depends on the
window's column, nor a mistake or another label that they take for this one, whose absence has
probability `quiet`, by window and label. Who does not attend says yes with the probability in
`guesses`, whatever sounds (MACE's idea of a spammer). So, given the column,

    P(yes) = attention * (1 - quiet * silent) + (1 - attention) * guess

What made an answer a yes is hidden; `add_expected_answers` counts what is to be expected of it.
Compiled without `fastmath`, for the reason given in `hmm_kernel`.
"""

from typing import NamedTuple

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.kernels import njit

# Columns of a window that are less probable than this add nothing to the counts.
NEGLIGIBLE = 1e-9


class AnswerRows(NamedTuple):
    """Answers as in `WindowAnswers`: who ticked which labels of which window."""

    window: Ints  # (answers,)
    person: Ints  # (answers,)
    yes: Bools  # (answers, labels)


class TickModel(NamedTuple):
    """What the probability of a yes is made of."""

    attention: Floats  # (people,)
    guesses: Floats  # (people, labels)
    quiet: Floats  # (windows, labels)
    silent: Floats  # (columns,)


class Tallies(NamedTuple):
    """Expected numbers, to which `add_expected_answers` adds."""

    attentive: Floats  # (people,): answers given attentively
    answers: Floats  # (people,): all answers
    guesses: Floats  # (people, labels, 2): answers given otherwise, no and yes
    heard: Floats  # (columns,): attentive answers that heard the sound
    listened: Floats  # (columns,): attentive answers
    mistakes: Floats  # (labels,): attentive answers that ticked by mistake
    attended: Floats  # (windows, labels): attentive answers
    caused: Floats  # (windows, labels): attentive yeses, each divided by its probability


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_log_likelihoods(answers: AnswerRows, model: TickModel, totals: Floats) -> None:
    """Add the answers' log-likelihoods to `totals` (windows, labels, columns), by column."""
    for k in range(len(answers.window)):
        window, person = answers.window[k], answers.person[k]
        attention = model.attention[person]
        for label in range(answers.yes.shape[1]):
            guess = (1 - attention) * model.guesses[person, label]
            quiet = model.quiet[window, label]
            for column in range(totals.shape[2]):
                says_yes = attention * (1 - quiet * model.silent[column]) + guess
                probability = says_yes if answers.yes[k, label] else 1 - says_yes
                totals[window, label, column] += np.log(probability)


@njit(cache=True)  # type: ignore[untyped-decorator]
def predicted_log_likelihoods(answers: AnswerRows, model: TickModel, columns: Floats) -> Floats:
    """Return the log-probability of each answer when only its window's columns are known.

    `columns` (windows, labels, columns) is how probable they are without that answer.
    """
    logs = np.zeros(len(answers.window))
    for k in range(len(answers.window)):
        window, person = answers.window[k], answers.person[k]
        attention = model.attention[person]
        for label in range(answers.yes.shape[1]):
            says_yes = (1 - attention) * model.guesses[person, label]
            for column in range(columns.shape[2]):
                ticks = 1 - model.quiet[window, label] * model.silent[column]
                says_yes += columns[window, label, column] * attention * ticks
            logs[k] += np.log(says_yes if answers.yes[k, label] else 1 - says_yes)
    return logs


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_expected_answers(
    answers: AnswerRows, model: TickModel, columns: Floats, false_yes: Floats, tallies: Tallies
) -> None:
    """Add what is expected of the answers to the arrays of `tallies`.

    `columns` (windows, labels, columns) is how probable a window's columns are, `false_yes`
    (labels,) the probability of a mistake. Given an attentive yes, a cause of probability x was at
    work with probability x / P(yes); given a no, none was.
    """
    for k in range(len(answers.window)):
        window, person = answers.window[k], answers.person[k]
        attention = model.attention[person]
        for label in range(answers.yes.shape[1]):
            guess = model.guesses[person, label]
            yes = answers.yes[k, label]
            for column in range(columns.shape[2]):
                weight = columns[window, label, column]
                if weight < NEGLIGIBLE:
                    continue
                ticks = 1 - model.quiet[window, label] * model.silent[column]
                listening = attention * (ticks if yes else 1 - ticks)
                guessing = (1 - attention) * (guess if yes else 1 - guess)
                attentive = weight * listening / (listening + guessing)
                tallies.attentive[person] += attentive
                tallies.answers[person] += weight
                tallies.guesses[person, label, 1 if yes else 0] += weight - attentive
                tallies.listened[column] += attentive
                tallies.attended[window, label] += attentive
                if yes:
                    tallies.heard[column] += attentive * (1 - model.silent[column]) / ticks
                    tallies.mistakes[label] += attentive * false_yes[label] / ticks
                    tallies.caused[window, label] += attentive / ticks
