"""Material for the laws of every metric: a few tokens, some of them marked, all of them scored."""

from hypothesis import strategies as st

from earmark.tasks.context.values import Flags, Scores

NEEDS_A_MODEL = "needs a language model's probabilities, which made-up scores do not carry"
LEFT_OUT = {"perplexity": NEEDS_A_MODEL, "contrastive": NEEDS_A_MODEL}
OTHER = {("f_at_dev_threshold", "threshold"): 0.8}
TENTHS = st.integers(0, 10).map(lambda tenth: tenth / 10)


@st.composite
def pairs(draw):
    length = draw(st.integers(1, 10))
    marked = draw(st.frozensets(st.integers(0, length - 1), max_size=length))
    scores = draw(st.lists(TENTHS, min_size=length, max_size=length))
    return Flags(length, marked), Scores(tuple(scores), threshold=0.5)


def perfect(reference):
    """1 where something was marked, 0 elsewhere."""
    return Scores(tuple(float(label) for label in reference.labels), threshold=0.5)
