"""What a talk's pauses say about ends of sentences, learnt from the talk itself without labels.

How long people pause, and what a recogniser makes of it, differs between speakers and programs, so
no length is taken for an end. The words say how probable an end is after each of them; silences
after probable ends are compared with all others.
"""

from collections.abc import Sequence

import numpy as np

from earmark.arrays import Floats

# Seconds at which one class of silences ends and the next begins: finer where most silences are.
EDGES = np.array([0.02, 0.08, 0.15, 0.25, 0.4, 0.6, 0.9, 1.5])
# So many words' worth of the talk's own silences is added to both sides: in a talk of a few
# sentences a pause says little, and nothing where ends and other places have the same silences.
PRIOR_WORDS = 30.0
ROUNDS = 5  # what pauses say makes ends clearer, and those say more about pauses; it settles early


def pause_log_odds(silences: Sequence[float] | Floats, text_log_odds: Floats) -> Floats:
    """Return log P(silence | end) - log P(silence | no end) for every word, 0 for the last.

    `silences` are the seconds after every word but the last, `text_log_odds` (words,) are those of
    an end by the words alone. Words and silences are taken to be independent, given the end.

    Examples
    --------
    >>> text = np.array([-3.0, 3.0] * 100)
    >>> says = pause_log_odds([0.0, 0.7] * 99 + [0.0], text)
    >>> bool(says[0] < 0 < says[1]), float(says[-1])
    (True, 0.0)
    """
    classes = np.searchsorted(
        EDGES, np.asarray(silences, dtype=float), side="right"
    )  # (words - 1,)
    text = text_log_odds[: len(classes)]
    all_words = np.bincount(classes, minlength=len(EDGES) + 1)
    prior = PRIOR_WORDS * all_words / max(1, len(classes))
    says = np.zeros(len(classes))
    for _ in range(ROUNDS):
        ends = 1 / (1 + np.exp(-(text + says)))
        counts = np.bincount(classes, ends, minlength=len(EDGES) + 1)
        after_ends, inside = prior + counts, prior + all_words - counts
        with np.errstate(divide="ignore", invalid="ignore"):  # classes that no silence is in
            ratios = np.log(after_ends / after_ends.sum()) - np.log(inside / inside.sum())
        says = ratios[classes]
    return np.append(says, np.zeros(len(text_log_odds) - len(says)))
