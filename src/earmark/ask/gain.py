"""Expected information gain of one more answer, where the parts of a question stand alone.

A part (a word that ends a sentence or not, the better of two captions) has a true label; people
give it with a probability that all share, `accuracy`, and any other label equally often. What
neighbours share is the business of a task with a model of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from earmark.arrays import Floats
from earmark.stats.information import entropy
from earmark.values.answer import Ballots

# Where an estimate would say that people are never or always right, they are nearly so.
LEAST, MOST = 0.55, 0.98
# One vote for every label before anybody has answered, shared by all parts of a study.
PRIOR_VOTES = 1.0
BITS = 1 / np.log(2)


def rank_by_gain(
    ballots: Ballots[Any], votes: Callable[[Sequence[Any]], Floats]
) -> Iterator[tuple[str, float]]:
    """Yield units by expected information gain of one more answer, in bits, the highest first.

    `votes` counts the answers to one unit: (parts, labels).
    """
    by_unit: dict[str, list[Any]] = {unit.id: [] for unit in ballots.items}
    for answer in ballots.answers:
        by_unit[answer.item].append(answer.value)
    tables = {unit: votes(values) for unit, values in by_unit.items() if values}
    if not tables:
        return
    all_votes = np.concatenate(list(tables.values()))
    right = accuracy(all_votes)
    prior = all_votes.sum(axis=0) + PRIOR_VOTES
    gains = {u: float(gain(v, right, prior / prior.sum()).sum()) for u, v in tables.items()}
    unknown = max(gains.values())  # a unit that nobody answered tells at least as much
    ranked = {unit: gains.get(unit, unknown) for unit in by_unit}
    yield from sorted(ranked.items(), key=lambda pair: -pair[1])


def accuracy(votes: Floats) -> float:
    """Return how often people are right, from how often two of them agree.

    With K labels and accuracy a, two people agree with probability a^2 + (1 - a)^2 / (K - 1).

    Examples
    --------
    >>> round(accuracy(np.array([[4.0, 1.0], [5.0, 0.0], [0.0, 5.0], [5.0, 0.0]])), 3)
    0.947
    """
    labels = votes.shape[1]
    total = votes.sum(axis=1)
    pairs = (total * (total - 1)).sum()
    if pairs == 0:
        return (LEAST + MOST) / 2
    agree = float((votes * (votes - 1)).sum() / pairs)
    # a^2 K/(K-1) - 2a/(K-1) + 1/(K-1) - agree = 0
    a, b, c = labels / (labels - 1), -2 / (labels - 1), 1 / (labels - 1) - agree
    root = max(b * b - 4 * a * c, 0.0) ** 0.5
    return float(np.clip((-b + root) / (2 * a), LEAST, MOST))


def gain(votes: Floats, right: float, prior: Floats) -> Floats:
    """Return the mutual information of the next answer and the truth of each part, in bits.

    Examples
    --------
    >>> split, clear = np.array([[2.0, 2.0]]), np.array([[4.0, 0.0]])
    >>> even = np.array([0.5, 0.5])
    >>> bool(gain(split, 0.8, even)[0] > 10 * gain(clear, 0.8, even)[0])
    True
    """
    labels = votes.shape[1]
    wrong = (1 - right) / (labels - 1)
    log_posterior = np.log(prior) + votes * (np.log(right) - np.log(wrong))
    posterior = np.exp(log_posterior - log_posterior.max(axis=1, keepdims=True))
    posterior /= posterior.sum(axis=1, keepdims=True)
    predicted = posterior * right + (1 - posterior) * wrong
    known = entropy(np.array([right, *[wrong] * (labels - 1)]))
    return np.asarray(np.maximum(entropy(predicted) - known, 0.0) * BITS)


def yes_no_votes(answers: Sequence[tuple[frozenset[int], int]]) -> Floats:
    """Return the votes about each of the places of a text: (places, no and yes).

    An answer is the places that it marks, and how many there are.

    Examples
    --------
    >>> yes_no_votes([(frozenset({1}), 2), (frozenset(), 2)]).tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    votes = np.zeros((answers[0][1], 2))
    votes[:, 0] = len(answers)
    for marked, _ in answers:
        for place in marked:
            votes[place] += (-1, 1)
    return votes
