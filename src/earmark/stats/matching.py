"""Best one-to-one pairing: as many pairs as possible among those that are allowed."""

from collections.abc import Sequence


def pair(allowed: Sequence[Sequence[bool]]) -> tuple[tuple[int, int], ...]:
    """The most (row, column) pairs that use every row and column once at most (Kuhn 1955).

    A greedy pairing depends on order and can miss pairs; this one cannot.

    Examples
    --------
    >>> pair([[True, True], [True, False]])
    ((0, 1), (1, 0))
    """
    owner: dict[int, int] = {}

    def find(row: int, seen: set[int]) -> bool:
        for column, fits in enumerate(allowed[row]):
            if fits and column not in seen:
                seen.add(column)
                if column not in owner or find(owner[column], seen):
                    owner[column] = row
                    return True
        return False

    for row in range(len(allowed)):
        find(row, set())
    return tuple(sorted((row, column) for column, row in owner.items()))
