"""Curves of the systems, and how good the corruption itself is."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from markupsafe import Markup

from earmark.report.charts import curve_chart
from earmark.report.figure import Figure
from earmark.report.metric_names import readable
from earmark.report.svg import COLUMN, Scale, axes, colour, drawing, element, legend, text
from earmark.report.tables import table
from earmark.stats.rates import proportion
from earmark.task.view import View
from earmark.tasks.context.make.summary import CorruptionSummary, summarise
from earmark.tasks.context.run.vocabulary_ranks import quarter_shares, vocabulary_ranks
from earmark.tasks.context.values import Swaps

QUARTERS = ("worst quarter", "third", "second", "best quarter")
FEW = 100  # swaps, below which shares are too uncertain to compare with anybody's


def draw_curves(view: View) -> Figure | None:
    """Return precision against recall of every system at every threshold."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in view.scores():
        curve = row["details"].get("best_f", {}).get("curve")
        if row["reference"] == "truth" and curve:
            lines[row["system"]] = [(recall, precision) for recall, precision in curve]
    if not lines:
        return None
    body = curve_chart(
        lines,
        x_title="recall",
        y_title="precision",
        label="Precision against recall",
        x_range=(0, 1),
        y_range=(0, 1),
    )
    return Figure(
        "Precision and recall",
        body,
        "Every threshold between distinct scores, over all words of all passages.",
    )


def draw_quartiles(view: View) -> Figure | None:
    """Return where originals and substitutes are in a language model's ranking of all words."""
    truth = view.truth()
    if truth is None or not any(isinstance(v, Swaps) and v.swaps for v in truth.values.values()):
        return None
    ranks = vocabulary_ranks(view.items(), truth.values, view.outputs())
    if not ranks.originals:
        return None
    shares = [quarter_shares(ranks.originals), quarter_shares(ranks.substitutes)]
    body = _bars(shares) + legend(["originals", "substitutes"])
    caption = (
        f"At {len(ranks.originals)} swapped places where it knows both words, the {ranks.model} "
        "ranks its whole vocabulary: "
        f"{100 * shares[0][3]:.0f} % of originals and {100 * shares[1][3]:.0f} % of substitutes "
        f"fall in the best quarter. {_direction(shares[0][3], shares[1][3])} "
        f"{_beside_the_paper(len(ranks.originals))}"
    )
    return Figure("How well substitutes fit their place", body, caption)


def _direction(originals: float, substitutes: float) -> str:
    """Return which of the two fit better, and why it can be the substitutes."""
    if substitutes <= originals:
        return "Originals fit better, as they should: the gap is what a model may find swaps by."
    return (
        "Substitutes fit better here, the other way round than in the paper: an original is "
        "repeated in its own passage, which this model has not read, and a substitute as frequent "
        "is spread over many. A model that has read the passage up to the place (a system on a "
        "study made with --reveal) turns it round."
    )


def _beside_the_paper(places: int) -> str:
    """Return the paper's figures and why these need not equal them; with few places, how few."""
    few = f"With {places} places, one word is {100 / places:.0f} %. " if places < FEW else ""
    return (
        f"{few}Huber et al. 2018 (figure 1) have 93 % and 85 %, on a far larger corpus and with "
        "a model trained on it: their figures are no target for another corpus and model."
    )


# Why a candidate stayed as it was, where the name of the reason is no phrase.
REASONS = {
    "few_sound_alikes": "with too few sound-alikes",
    "gives_evidence": "that betray another swap",
    "no_sound_alike": "without a sound-alike",
    "no_substitute": "without a substitute",
}


def draw_quality(view: View) -> Figure | None:
    """Return the corruption in numbers: how many swaps, of which kind, how visible they are."""
    truth = view.truth()
    if truth is None or not all(isinstance(v, Swaps) for v in truth.values.values()):
        return None
    rows = [*corpus_rows(summarise(list(truth.values.values()))), *_gap(view)]
    return Figure(
        "Quality of the corruption", table([], rows), "Ratios and distances are over all swaps."
    )


def corpus_rows(corpus: CorruptionSummary) -> list[tuple[str, str]]:
    """Return a row per property of the corrupted corpus: its name and its value as text."""
    reasons = ", ".join(
        f"{n} {REASONS.get(why) or readable(why)}" for why, n in sorted(corpus.left_out.items())
    )
    rows = [
        ("passages", f"{corpus.passages:,}"),
        ("words", f"{corpus.words:,}"),
        ("candidates per passage", f"{corpus.candidates_per_passage:.1f}"),
        ("swaps per passage", f"{corpus.swaps_per_passage:.1f}"),
        ("words swapped", f"{100 * corpus.share_swapped:.2f} %"),
        ("frame of the substitute", _shares(_frame_names(corpus.frames))),
        ("tags", _shares(corpus.tags)),
        ("frequency, new over old (5, 50, 95 %)", _quantiles(corpus.frequency_ratios)),
        ("nouns since the last mention (5, 50, 95 %)", _quantiles(corpus.nouns_back)),
        ("swaps that share both words with another", f"{100 * corpus.repeated_pairs:.1f} %"),
        ("substitutes placed again in a passage", f"{100 * corpus.reused:.1f} %"),
        ("not swapped, and why", reasons or "-"),
    ]
    for grade, distances in corpus.distances.items():
        if distances:
            rows.append((f"{grade} distance (5, 50, 95 %)", _quantiles(distances)))
    return rows


def _gap(view: View) -> Iterable[tuple[str, str]]:
    """Yield best F with neighbouring words alone, with the discourse, and the difference."""
    best = {
        row["system"]: row["scores"]["best_f"]["value"]
        for row in view.scores()
        if row["reference"] == "truth" and "best_f" in row["scores"]
    }
    near, far = best.get("local"), best.get("discourse")
    if near is not None and far is not None:
        yield "best F ↑, neighbouring words alone", f"{near:.3f}"
        yield "best F ↑, with the discourse", f"{far:.3f}"
        yield "gap: what only context reveals", f"{far - near:.3f}"


def _bars(shares: Sequence[Sequence[float]]) -> Markup:
    """Return a group of bars per quarter; `shares` is (kinds of words, quarters)."""
    x, y = Scale((0, 4), (46, COLUMN - 12)), Scale((0, 1), (230, 32))
    parts = [
        axes(
            x,
            y,
            x_title="place in the model's ranking of all words",
            y_title="share of words",
            x_ticks=[],
        )
    ]
    width = x(0.3) - x(0)
    for kind, row in enumerate(shares):
        for quarter, value in enumerate(row):
            left, top = x(quarter + 0.18 + 0.32 * kind), y(value)
            size = {"width": width, "height": y(0) - top}
            parts.append(element("rect", x=left, y=top, **size, fill=colour(kind), rx=2))
            number = f"{100 * value:.0f}"
            middle = left + width / 2
            parts.append(text(number, middle, top - 5, class_="tick", text_anchor="middle"))
    for quarter, name in enumerate(QUARTERS):
        parts.append(text(name, x(quarter + 0.5), 248, class_="tick", text_anchor="middle"))
    return drawing(*parts, width=COLUMN, height=280, label="Quarters of the ranking")


def _quantiles(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return ", ".join(f"{q:.2f}" for q in np.quantile(values, [0.05, 0.5, 0.95]))


def _frame_names(frames: Counter[str]) -> Counter[str]:
    """Return the counts by what a frame is: a number of ranks around the original, or sound."""
    return Counter(
        {
            f"within {frame} ranks" if frame.isdigit() else "sounds alike": count
            for frame, count in frames.items()
        }
    )


def _shares(counts: Counter[str]) -> str:
    shares = {name: proportion(n, of=counts.total()) for name, n in counts.most_common(6)}
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
