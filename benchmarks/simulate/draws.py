"""How often is an order of systems claimed, rightly or wrongly, when the reference is in doubt?

A world has 400 items with two labels, 20 people of whom a few answer each item, and five systems
whose true shares of right labels lie 5 points apart. People know an item or guess; in a biased
crowd most guesses are the first label, as when "nothing heard" is the easy answer. Systems lean
towards one of the labels too, each in its own way, so that errors of the reference favour some.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from benchmarks.simulate.frame import Part, Row

from earmark.arrays import Ints
from earmark.reconcile.ballots import Coded, coded
from earmark.reconcile.mace import MaceOptions, mace
from earmark.reconcile.vote import majority
from earmark.score.draws import drawn_ranks, drawn_references, joint_samples, sampled_values
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.score.swapping import PairedCounts
from earmark.stats.draw import stream
from earmark.stats.paired import SIGNIFICANCE, holm
from earmark.values.counts import Mean

WORLDS, ITEMS, PEOPLE, DRAWS, RESAMPLES = 150, 400, 20, 200, 600
SKILLS = (0.8, 0.75, 0.7, 0.65, 0.6)
LEAN = 0.15  # at most: how much better a system is with one label than on average
# Share of reference errors: how often people know an item, and how many answer it.
CROWDS = {".5 %": (0.82, 5), "25 %": (0.38, 3), "35 %": (0.2, 3)}
PREFERENCE = {"any": 0.5, "one": 0.8}  # how often a guess is the first label
Draw = Callable[[np.random.Generator], Ints]


@dataclass(frozen=True)
class World:
    """What is true (items,), who answered what, and what systems said (systems, items)."""

    truth: Ints
    answers: Coded
    outputs: Ints


@dataclass(frozen=True)
class Outcome:
    """Shares of pairs of systems, over all worlds; `covered` is of systems' true values."""

    errors: float  # of the reference
    right: float
    wrong: float
    right_drawn: float
    wrong_drawn: float
    best_changes: float
    covered: float


def rows() -> Iterator[Row]:
    """Yield every row."""
    table = "Orders claimed against a reference in doubt, by its errors"
    for method, guesses in (("mace", "one"), ("majority", "any")):
        for name, part in (
            ("true orders, items only", "right"),
            ("true orders, with draws", "right_drawn"),
            ("wrong orders, items only", "wrong"),
        ):
            yield _row(table, f"{method}: {name}", part, method, guesses)
        name = f"{method}: wrong orders, with draws"
        yield _row(table, name, "wrong_drawn", method, guesses, high=0.01)
        yield _row(table, f"{method}: another system is best", "best_changes", method, guesses)
    table = "What draws do not cure, by the reference's errors"
    name = "the level (mace): true value within items and draws"
    yield _row(table, name, "covered", "mace", "one")
    name = "guesses that prefer one label (majority): wrong orders, with draws"
    yield _row(table, name, "wrong_drawn", "majority", "one")
    cells = {errors: partial(copier_first, errors) for errors in list(CROWDS)[1:]}
    yield Row(table, "a system with the reference's errors (mace) beats a better one", cells)


def _row(
    table: str, name: str, part: str, method: str, guesses: str, high: float | None = None
) -> Row:
    runs = {errors: partial(outcome, method, guesses, errors) for errors in CROWDS}
    return Row(table, name, {errors: Part(run, part) for errors, run in runs.items()}, high=high)


def outcome(method: str, guesses: str, errors: str) -> Outcome:
    """Return the mean over all worlds."""
    rows = [one_world(number, method, guesses, errors) for number in range(WORLDS)]
    return Outcome(*np.mean(rows, axis=0).tolist())


def one_world(number: int, method: str, guesses: str, errors: str) -> tuple[float, ...]:
    """Return the fields of an outcome in one world."""
    rng = stream(number, "world", guesses, errors)
    world = drawn_world(rng, guesses, errors, SKILLS)
    reference, draw = reconciled(world.answers, method, number)
    true = [(a, b) for a in range(len(SKILLS)) for b in range(a + 1, len(SKILLS))]
    ranked = rankings(world.outputs, reference, [draw(rng) for _ in range(DRAWS)], number)
    accuracy = (world.outputs == world.truth).mean(axis=1)
    covered = [low <= accuracy[k] <= high for k, (low, high) in enumerate(ranked.intervals)]
    shares = [
        np.mean([pair[::step] in orders for pair in true])
        for orders in (ranked.items_only, ranked.with_draws)
        for step in (1, -1)
    ]
    wrong = float(np.mean(reference != world.truth))
    return (wrong, *map(float, shares), 1 - ranked.same_best, float(np.mean(covered)))


def drawn_world(
    rng: np.random.Generator, guesses: str, errors: str, skills: Sequence[float]
) -> World:
    """Draw what is true, people with their answers, and systems."""
    know, opinions = CROWDS[errors]
    truth = rng.integers(2, size=ITEMS)
    knows = np.clip(rng.normal(know, 0.15, PEOPLE), 0.02, 0.98)
    first = rng.beta(10 * PREFERENCE[guesses], 10 * (1 - PREFERENCE[guesses]), PEOPLE)
    person = np.argsort(rng.random((ITEMS, PEOPLE)), axis=1)[:, :opinions]
    guessed = (rng.random(person.shape) >= first[person]).astype(int)
    label = np.where(rng.random(person.shape) < knows[person], truth[:, None], guessed)
    item = np.repeat(np.arange(ITEMS), opinions)
    names = (_names(ITEMS), _names(PEOPLE), ("0", "1"))
    answers = coded(item, person.ravel(), label.ravel(), names=names)
    lean = rng.uniform(-LEAN, LEAN, len(skills))
    right = np.array(skills)[:, None] + lean[:, None] * np.where(truth == 0, 1, -1)
    outputs = np.where(rng.random(right.shape) < right, truth, 1 - truth)
    return World(truth, answers, outputs)


def _names(size: int) -> tuple[str, ...]:
    return tuple(f"{k:03}" for k in range(size))


def reconciled(answers: Coded, method: str, seed: int) -> tuple[Ints, Draw]:
    """Return the reference, and how another is drawn: by posterior, or by drawing people anew."""
    if method == "mace":
        fit = mace(answers, MaceOptions(restarts=5), seed=seed)
        yes = fit.posterior[:, 1]
        return fit.chosen(), lambda rng: (rng.random(ITEMS) < yes).astype(int)
    votes = answers.votes()  # (items, labels)
    asked = votes.sum(axis=1).astype(int)
    share = votes[:, 1] / asked
    # as many people with replacement: the number of them who say yes is binomial; never a tie
    return majority(answers).chosen(), lambda rng: (2 * rng.binomial(asked, share) > asked) * 1


@dataclass(frozen=True)
class Rankings:
    """Orders (better, worse) claimed by items alone and with draws, of systems by number."""

    items_only: set[tuple[int, int]]
    with_draws: set[tuple[int, int]]
    same_best: float  # how often the best system of the reference is best in the samples
    intervals: list[tuple[float, float]]


def rankings(outputs: Ints, reference: Ints, draws: Sequence[Ints], seed: int) -> Rankings:
    """Return what Earmark's boards claim against one reference."""
    items = _names(ITEMS)
    metric = Metric("simulate", "right", _count, mean, average="macro")
    values = _side(items, reference)
    sides = {str(k): _side(items, row) for k, row in enumerate(outputs)}
    scores = {
        name: evaluate(metric, values, side, resamples=0, seed=seed) for name, side in sides.items()
    }
    drawn = drawn_references(values, [_side(items, draw) for draw in draws])
    samples = joint_samples(drawn, {}, resamples=RESAMPLES, seed=seed)
    sampled = {n: sampled_values({"": metric}, samples, side)[""] for n, side in sides.items()}
    ranks = drawn_ranks(sampled, higher_is_better=True)
    best = max(scores, key=lambda name: scores[name].value)
    intervals = [one.interval for one in ranks.systems.values()]
    orders = claimed(PairedCounts.of(metric, scores), seed)
    return Rankings(
        orders,
        orders & {(int(a), int(b)) for a, b in ranks.orders},  # as `board` does with `orders`
        ranks.systems[best].probability_best,
        [(one.low, one.high) for one in intervals if one],
    )


def _count(reference: int, output: int) -> Mean:
    return Mean.of(float(reference == output))


def _side(items: Sequence[str], labels: Ints) -> dict[str, int]:
    return dict(zip(items, labels.tolist(), strict=True))


def claimed(paired: PairedCounts, seed: int) -> set[tuple[int, int]]:
    """Return the pairs (better, worse) that differ significantly, as a board tests them."""
    order = sorted(paired.names, key=lambda name: -paired.values[name])
    pairs = [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
    corrected = holm(paired.p_values(pairs, least=1000, seed=seed))
    return {(int(a), int(b)) for (a, b), p in corrected.items() if p <= SIGNIFICANCE}


def copier_first(errors: str) -> float:
    """Return how often a system that repeats the reference is claimed to beat a better one.

    It says what the reference says of nine items in ten; the other system is right in 80 %, and
    the worlds are those in which that is truly more.
    """
    wins, worlds = 0, 0
    for number in range(WORLDS):
        rng = stream(number, "copier", errors)
        world = drawn_world(rng, "any", errors, (0.8,))
        reference, draw = reconciled(world.answers, "mace", number)
        copied = np.where(rng.random(ITEMS) < 0.9, reference, 1 - reference)
        outputs = np.stack([world.outputs[0], copied])
        right = (outputs == world.truth).mean(axis=1)
        if right[0] > right[1]:
            worlds += 1
            ranked = rankings(outputs, reference, [draw(rng) for _ in range(DRAWS)], number)
            wins += (1, 0) in ranked.with_draws
    return wins / worlds if worlds else float("nan")
