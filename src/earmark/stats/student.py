"""Student's t without scipy, whose import would double the time of a small command."""

import math
from functools import cache
from statistics import NormalDist

# From here on the expansion around the normal distribution is exact to eleven digits.
MANY = 200


@cache
def student_quantile(probability: float, *, degrees: int) -> float:
    """Return the value of Student's t below which `probability` lies, for probabilities above 1/2.

    Definition
    ----------
    Up to 200 degrees of freedom by halving an interval of the angle atan(t / sqrt(degrees)), whose
    probability is a finite sum (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4); beyond, by their
    expansion 26.7.5.

    Examples
    --------
    >>> round(student_quantile(0.975, degrees=4), 4), round(student_quantile(0.975, degrees=999), 4)
    (2.7764, 1.9623)
    """
    if degrees > MANY:
        return _expansion(NormalDist().inv_cdf(probability), degrees)
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if _share_between(middle, degrees) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(degrees)


def _share_between(angle: float, degrees: int) -> float:
    """Return the probability of values between -t and t, where t = tan(angle) sqrt(degrees)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    term = 1.0 if degrees % 2 == 0 else cosine
    total = 0.0 if degrees == 1 else term
    for k in range(2 if degrees % 2 else 1, degrees - 2, 2):
        term *= cosine * cosine * k / (k + 1)
        total += term
    return sine * total if degrees % 2 == 0 else 2 / math.pi * (angle + sine * total)


def _expansion(z: float, degrees: int) -> float:
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / degrees**power for power, term in enumerate(terms))
