"""A passage with what was found, missed and made up, and the mentions that give a swap away."""

from collections.abc import Mapping
from html import escape
from typing import Any

from earmark.report.figure import Figure
from earmark.task.view import View
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.values import Flags, Passage, Scores, Swap, Swaps
from earmark.values.item import Item

SHOWN = 260
PREFERRED = ("discourse", "classifier", "local", "language-model", "ngrams")
BOX = "border-radius:4px;padding:0 3px"
STYLES = {
    "found": f"background:color-mix(in srgb,var(--good) 28%,transparent);{BOX}",
    "missed": f"border:2px solid var(--bad);{BOX}",
    "made up": f"background:color-mix(in srgb,var(--doubt) 30%,transparent);{BOX}",
    "mention": "border-bottom:2px dotted var(--accent)",
}


def marked(view: View) -> Figure | None:
    """The passage that the best system reads most tellingly."""
    truth, outputs = view.truth(), view.outputs()
    system = next((name for name in PREFERRED if name in outputs), next(iter(outputs), None))
    if truth is None or system is None:
        return None
    rows = {item: output.value for item, output in outputs[system].items()}
    threshold = cut_of(rows, truth.values)
    told = [
        (item, _verdicts(truth.values[item.id], rows[item.id], threshold))
        for item in view.items()
        if item.id in rows and item.id in truth.values
    ]
    if not told:
        return None
    item, verdicts = max(told, key=lambda one: (_telling(one[1]), one[0].id))
    swaps = {swap.at: swap for swap in getattr(truth.values[item.id], "swaps", ())}
    body = f"{_legend()}<p style='line-height:2'>{_body(item, verdicts, swaps, rows[item.id])}</p>"
    caption = (
        f"{item.id}, as read by {system} at its threshold. Hover over a word for its score; "
        "a swapped word also tells what stood there, and earlier mentions of that are dotted."
    )
    return Figure("A passage, marked", body, caption, wide=True)


def cut_of(rows: Mapping[str, Any], truth: Mapping[str, Any]) -> float:
    """The threshold that came with the outputs, or the best one."""
    first = next(iter(rows.values()))
    if isinstance(first, Flags):
        return 0.5
    if first.threshold is not None:
        return float(first.threshold)
    scores = [s for item in rows if item in truth for s in rows[item].scores]
    labels = [label for item in rows if item in truth for label in truth[item].labels]
    return best_threshold(scores, labels)


def _verdicts(truth: Swaps | Flags, value: Scores | Flags, threshold: float) -> dict[int, str]:
    scores = value.scores if isinstance(value, Scores) else value.labels
    flagged = {index for index, score in enumerate(scores) if score >= threshold}
    found = dict.fromkeys(sorted(truth.at & flagged), "found")
    found.update(dict.fromkeys(sorted(truth.at - flagged), "missed"))
    found.update(dict.fromkeys(sorted(flagged - truth.at), "made up"))
    return found


def _telling(verdicts: Mapping[int, str]) -> tuple[int, int]:
    """Passages with hits first, then those with few false alarms."""
    kinds = list(verdicts.values())
    return min(kinds.count("found"), 6), -kinds.count("made up")


def _body(
    item: Item, verdicts: Mapping[int, str], swaps: Mapping[int, Swap], value: Scores | Flags
) -> str:
    passage = Passage.of(item)
    low, high = _window(len(passage.tokens), verdicts)
    mentions = {
        index
        for swap in swaps.values()
        for index, token in enumerate(passage.tokens[: swap.at])
        if token == swap.was and index >= swap.previous
    }
    scores = value.scores if isinstance(value, Scores) else value.labels
    pieces, done = ["… " if low else ""], passage.offsets[low][0]
    for index in range(low, high):
        start, end = passage.offsets[index]
        pieces.append(escape(passage.text[done:start]))
        kind = verdicts.get(index, "mention" if index in mentions else "")
        pieces.append(_word(passage.tokens[index], kind, scores[index], swaps.get(index)))
        done = end
    return "".join([*pieces, " …" if high < len(passage.tokens) else ""])


def _window(length: int, verdicts: Mapping[int, str]) -> tuple[int, int]:
    """Where the most is to be seen, when the passage is long."""
    if length <= SHOWN:
        return 0, length
    starts = range(0, length - SHOWN + 1, 20)
    best = max(starts, key=lambda low: (_seen(verdicts, low), -low))
    return best, best + SHOWN


def _seen(verdicts: Mapping[int, str], low: int) -> int:
    return sum(low <= place < low + SHOWN and kind == "found" for place, kind in verdicts.items())


def _word(token: str, kind: str, score: float, swap: Swap | None) -> str:
    if not kind:
        return escape(token)
    told = f"score {score:.3g}" if kind != "mention" else "an earlier mention of a swapped noun"
    if swap is not None:
        told += f"; was {swap.was}, last said {swap.nouns_back} nouns before"
    was = f"<s class='soft'>{escape(swap.was)}</s> " if swap is not None else ""
    return f'{was}<span style="{STYLES[kind]}" title="{escape(told)}">{escape(token)}</span>'


def _legend() -> str:
    cells = [f'<span style="{style}">{escape(kind)}</span>' for kind, style in STYLES.items()]
    return "<p class='soft'>" + " &nbsp; ".join(cells) + " &nbsp; <s>what stood there</s></p>"
