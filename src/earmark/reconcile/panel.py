"""Another panel of people: those who answered, drawn again with replacement."""

from collections.abc import Sequence

from earmark.stats.draw import stream


def drawn_people(people: Sequence[str], *, seed: int) -> tuple[str, ...]:
    """Return as many people as there are, drawn with replacement and sorted.

    The draw depends on the seed and on who these people are: whatever the same people answered is
    drawn together, so that a person's habits do not cancel out between items.

    Examples
    --------
    >>> drawn_people(["bob", "ann", "eve"], seed=1) == drawn_people(["ann", "bob", "eve"], seed=1)
    True
    """
    names = sorted(people)
    if len(names) < 2:
        return tuple(names)
    rng = stream(seed, "panel", *names)
    return tuple(sorted(names[k] for k in rng.integers(len(names), size=len(names)).tolist()))
