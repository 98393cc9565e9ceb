"""Material for the laws of every metric: panels that agree and panels that do not."""

from hypothesis import strategies as st

from earmark.tasks.boundaries.score.windows import find_windows
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of

DISAGREE = "a panel that disagrees with itself allows no perfect output"
NO_BEST = {
    name: DISAGREE
    for name in (
        "wisebe", "agreement_ratio", "fleiss_kappa", "mean_f1", "mean_precision", "mean_recall",
        "pk", "window_diff", "boundary_similarity", "segmentation_similarity", "slot_error_rate",
        "lenient_error_rate", "consensus_f1", "tool_soft",
    )
}  # fmt: skip


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
    """One boundary for each window of the paper's settings."""
    panel = panel_of(reference)
    first, _ = find_windows(panel, limit=2, final=False)
    return Boundaries(panel.length, frozenset(first.tolist()))
