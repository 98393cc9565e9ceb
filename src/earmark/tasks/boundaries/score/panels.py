"""How far a panel agrees with itself."""

import math
from itertools import combinations

import numpy as np

from earmark.stats.rates import proportion
from earmark.tasks.boundaries.score.arrays import Ints, general, positions
from earmark.tasks.boundaries.score.edits import count_edits
from earmark.tasks.boundaries.values import Boundaries, Panel


def agreement_parts(panel: Panel, *, final: bool) -> tuple[int, int]:
    """Votes on words marked by two people or more, and the most there could be (eq. 6 and 7)."""
    where, votes = general(panel, final)
    return int(votes[votes >= 2].sum()), len(panel.references) * len(where)


def kappa_parts(panel: Panel, *, final: bool) -> tuple[float, float, int]:
    """Sum of the words' agreements, votes, and words: what Fleiss' kappa is made of."""
    _, votes = general(panel, final)
    return _agreement(votes, len(panel.references), panel.length), int(votes.sum()), panel.length


def kappa(agreement: float, votes: float, words: float, *, people: int) -> float:
    """Fleiss' kappa of two categories, boundary and none.

    Nan with one person, or when everybody marked everything or nobody anything.

    Examples
    --------
    >>> round(kappa(8.0, 6, 10, people=2), 6)
    0.52381
    """
    marked = proportion(votes, of=words * people)
    chance = marked * marked + (1 - marked) * (1 - marked)
    return proportion(proportion(agreement, of=words) - chance, of=1 - chance)


def kappa_on_borders(panel: Panel, *, final: bool) -> float:
    """Fleiss' kappa over the words that anybody marked: the authors' tool prints it."""
    _, votes = general(panel, final)
    people = len(panel.references)
    return kappa(_agreement(votes, people, len(votes)), int(votes.sum()), len(votes), people=people)


def _agreement(votes: Ints, people: int, words: int) -> float:
    """The sum over words of the share of pairs of people that agree; unmarked words agree."""
    if people < 2:
        return math.nan
    pairs = votes * votes + (people - votes) ** 2 - people
    return float(pairs.sum()) / (people * (people - 1)) + (words - len(votes))


def boundary_agreement(panels: tuple[Panel, ...], *, offset: int = 1) -> dict[str, float]:
    """Agreement corrected for chance in the manner of Fournier 2013, over texts with one panel.

    `observed` pools Boundary Similarity over pairs of people; `pi` corrects it by how often
    people mark at all, `kappa` by how often each person does; `bias` is the difference of the
    two corrections.
    """
    observed = [
        count_edits(
            positions(left, final=False), positions(right, final=False), offset=offset
        ).similarity_parts()
        for left, right in _pairs(panels)
    ]
    rates = _mark_rates(panels)
    by_person = [rate for rate, _ in rates.values()]
    level = proportion(
        math.fsum(part for part, _ in observed), of=sum(whole for _, whole in observed)
    )
    pooled = [one for _, ones in rates.values() for one in ones]
    chance_pi = (math.fsum(pooled) / len(pooled)) ** 2
    products = [left * right for left, right in combinations(by_person, 2)]
    chance_kappa = math.fsum(products) / len(products)
    return {
        "observed": level,
        "pi": proportion(level - chance_pi, of=1 - chance_pi),
        "kappa": proportion(level - chance_kappa, of=1 - chance_kappa),
        "bias": chance_pi - chance_kappa,
    }


def _pairs(panels: tuple[Panel, ...]) -> list[tuple[Boundaries, Boundaries]]:
    return [pair for panel in panels for pair in combinations(panel.references, 2)]


def _mark_rates(panels: tuple[Panel, ...]) -> dict[str, tuple[float, list[float]]]:
    """Each person's share of possible boundaries: over all texts, and in each."""
    rates = {}
    for person in panels[0].people:
        own = [panel.references[panel.people.index(person)] for panel in panels]
        marked = [len(positions(one, final=False)) for one in own]
        possible = [one.length - 1 for one in own]
        each = [proportion(m, of=p) for m, p in zip(marked, possible, strict=True)]
        rates[person] = (proportion(sum(marked), of=sum(possible)), each)
    return rates


def pearson(left: list[float], right: list[float]) -> float:
    """Pearson's correlation; nan when a side does not vary."""
    if len(left) < 2 or len(set(left)) < 2 or len(set(right)) < 2:
        return math.nan
    return float(np.corrcoef(left, right)[0, 1])
