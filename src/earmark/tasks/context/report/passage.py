"""A passage with true and false positives and false negatives, and earlier mentions of swaps."""

from collections.abc import Mapping
from dataclasses import dataclass

from earmark.report.figure import Figure
from earmark.report.render import render
from earmark.task.view import View
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.values import Flags, Passage, Scores, Swap, Swaps

MOST_WORDS = 260  # about a screen
WINDOW_STEP = 20  # words between the windows that are tried on a longer passage
# the system whose reading is shown, the best of the tour's first
SYSTEMS = ("discourse", "classifier", "local", "language-model", "ngrams")
TRUE_POSITIVE, FALSE_POSITIVE = "true positive", "false positive"
FALSE_NEGATIVE, MENTION = "false negative", "mention"
_BOX = "border-radius:4px;padding:0 3px"
MARKS = {
    TRUE_POSITIVE: f"background:color-mix(in srgb,var(--good) 28%,transparent);{_BOX}",
    FALSE_NEGATIVE: f"border:2px solid var(--bad);{_BOX}",
    FALSE_POSITIVE: f"background:color-mix(in srgb,var(--doubt) 30%,transparent);{_BOX}",
    MENTION: "border-bottom:2px dotted var(--accent)",
}


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """A word, the text between it and the one before, and its mark if it has one."""

    gap: str
    token: str
    kind: str = ""
    hint: str = ""
    original: str = ""


def draw_passage(view: View) -> Figure | None:
    """Return the passage in which a good system has most true and fewest false positives."""
    truth, outputs = view.truth(), view.outputs()
    system = next((name for name in SYSTEMS if name in outputs), next(iter(outputs), None))
    if truth is None or system is None:
        return None
    values = {item: output.value for item, output in outputs[system].items()}
    threshold = threshold_of(values, truth.values)
    verdicts = {
        item: _verdicts(truth.values[item.id], values[item.id], threshold)
        for item in view.items()
        if item.id in values and item.id in truth.values
    }
    if not verdicts:
        return None
    item = max(verdicts, key=lambda item: (*_clarity(verdicts[item]), item.id))
    swaps = {swap.at: swap for swap in getattr(truth.values[item.id], "swaps", ())}
    passage = Passage.of(item)
    low, high = _window(len(passage.tokens), verdicts[item])
    words = _words(passage, verdicts[item], swaps, values[item.id])
    body = render(
        "earmark.tasks.context.report/passage.html",
        item=item.id,
        marks=MARKS,
        words=words[low:high],
        cut_before=low > 0,
        cut_after=high < len(words),
    )
    caption = (
        f"{item.id}, {_reading(system, values)}. Hover over a word for its score; "
        "a swapped word also shows the original, whose earlier mentions are dotted."
    )
    return Figure("A passage, marked", body, caption, wide=True)


def _reading(system: str, values: Mapping[str, Scores | Flags]) -> str:
    """Return how a system's scores were cut; what it did not bring is not called its own."""
    first = next(iter(values.values()))
    if isinstance(first, Flags):
        return f"as marked by {system}"
    if first.threshold is not None:
        return f"as read by {system} at its threshold"
    return f"as read by {system}, which brings no threshold: at the cut of its best F here"


def threshold_of(values: Mapping[str, Scores | Flags], truth: Mapping[str, Swaps | Flags]) -> float:
    """Return the threshold that came with the outputs, or the best one on the truth."""
    first = next(iter(values.values()))
    if isinstance(first, Flags):
        return 0.5
    if first.threshold is not None:
        return float(first.threshold)
    shared = [item for item in values if item in truth]
    scores = [score for item in shared for score in _scores(values[item])]
    labels = [label for item in shared for label in truth[item].labels]
    return best_threshold(scores, labels)


def _verdicts(truth: Swaps | Flags, value: Scores | Flags, threshold: float) -> dict[int, str]:
    """Return the index of each word that was swapped or flagged, and which of the three it is."""
    flagged = {index for index, score in enumerate(_scores(value)) if score >= threshold}
    return {
        **dict.fromkeys(sorted(truth.at & flagged), TRUE_POSITIVE),
        **dict.fromkeys(sorted(truth.at - flagged), FALSE_NEGATIVE),
        **dict.fromkeys(sorted(flagged - truth.at), FALSE_POSITIVE),
    }


def _scores(value: Scores | Flags) -> tuple[float, ...]:
    return value.scores if isinstance(value, Scores) else tuple(value.labels)


def _clarity(verdicts: Mapping[int, str]) -> tuple[int, int]:
    """Return a key that is largest with many true positives, then with few false positives."""
    kinds = list(verdicts.values())
    return min(kinds.count(TRUE_POSITIVE), 6), -kinds.count(FALSE_POSITIVE)


def _words(
    passage: Passage,
    verdicts: Mapping[int, str],
    swaps: Mapping[int, Swap],
    value: Scores | Flags,
) -> list[MarkedWord]:
    mentions = {
        index
        for swap in swaps.values()
        for index, token in enumerate(passage.tokens[: swap.at])
        if token == swap.was and index >= swap.previous
    }
    scores, end = _scores(value), 0
    words = []
    for index, token in enumerate(passage.tokens):
        start = passage.offsets[index][0]
        kind = verdicts.get(index, MENTION if index in mentions else "")
        gap, end = passage.text[end:start], passage.offsets[index][1]
        words.append(_marked(gap, token, kind, scores[index], swaps.get(index)))
    return words


def _marked(gap: str, token: str, kind: str, score: float, swap: Swap | None) -> MarkedWord:
    if not kind:
        return MarkedWord(gap, token)
    hint = f"score {score:.3g}" if kind != MENTION else "an earlier mention of a swapped noun"
    if swap is None:
        return MarkedWord(gap, token, kind, hint)
    hint += f"; was {swap.was}, last mentioned {swap.nouns_back} nouns before"
    return MarkedWord(gap, token, kind, hint, swap.was)


def _window(length: int, verdicts: Mapping[int, str]) -> tuple[int, int]:
    """Return the first word and the end of the part of a long passage with most true positives."""
    if length <= MOST_WORDS:
        return 0, length

    def hits(low: int) -> int:
        return sum(
            low <= place < low + MOST_WORDS and kind == TRUE_POSITIVE
            for place, kind in verdicts.items()
        )

    starts = range(0, length - MOST_WORDS + 1, WINDOW_STEP)
    low = max(starts, key=lambda low: (hits(low), -low))
    return low, low + MOST_WORDS
