"""Material for the laws of every metric: panels that agree and panels that do not."""

from hypothesis import strategies as st

from earmark.tasks.boundaries.values import Boundaries, Panel

NO_BEST = {
    "wisebe": "F times agreement, which is undefined for one person",
    "matched_f1": "a window takes one boundary, and a reference may have two in it",
    "soft_f1": "as matched_f1",
    "agreement_ratio": "about the panel, whatever the output",
    "fleiss_kappa": "about the panel, whatever the output",
    "tool_soft": "F times agreement, as wisebe",
}


@st.composite
def sure(draw):
    """References of one person, whom an output can follow to the word."""
    length = draw(st.integers(2, 24))
    return Boundaries(length, draw(marks(length)))


def marks(length):
    return st.frozensets(st.integers(0, length - 1), max_size=length)


@st.composite
def pairs(draw):
    length = draw(st.integers(1, 24))
    people = draw(st.integers(1, 4))
    references = [Boundaries(length, draw(marks(length))) for _ in range(people)]
    reference = Panel(tuple(references)) if draw(st.booleans()) else references[0]
    return reference, Boundaries(length, draw(marks(length)))


def perfect(reference):
    return reference
