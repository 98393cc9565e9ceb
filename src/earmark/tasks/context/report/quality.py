"""Curves of the systems, and how good the corruption itself is."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from earmark.report.figure import Figure
from earmark.report.svg import Scale, axes, curve_chart, drawing, element, text
from earmark.task.view import View
from earmark.tasks.context.run.choosing import rank_share
from earmark.tasks.context.run.discourse.corpus import word_key
from earmark.tasks.context.run.ngrams import Grams, before, count, word_counts
from earmark.tasks.context.train.examples import Lesson, lesson, part
from earmark.tasks.context.values import Passage, Swaps

QUARTERS = ("0-25 %", "25-50 %", "50-75 %", "75-100 %")
PLACES = 400


def curves(view: View) -> Figure | None:
    """Precision against recall of every system; people as points of their own."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in view.scores():
        told = row["details"].get("best_f", {})
        if row["reference"] == "truth" and not row["human"] and told.get("curve"):
            lines[row["system"]] = [(r, p) for r, p in told["curve"]]
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
        "Every cut between distinct scores, over all words of all passages.",
    )


def quartiles(view: View) -> Figure | None:
    """Where a language model's ranking of the vocabulary puts originals and substitutes."""
    truth = view.truth()
    if truth is None or not any(isinstance(v, Swaps) and v.swaps for v in truth.values.values()):
        return None
    named, ranks = _ranks(view, truth.values)
    if not ranks[0]:
        return None
    shares = [_quarters(one) for one in ranks]
    body = _bars(shares)
    caption = (
        f"At {len(ranks[0])} swapped places where it knows both words, the {named} ranks its "
        "whole vocabulary: "
        f"{100 * shares[0][3]:.1f} % of originals and {100 * shares[1][3]:.1f} % of substitutes "
        "fall in the best quarter (Huber et al. 2018, figure 1: 93.35 % and 84.6 %)."
    )
    return Figure("How well substitutes fit their place", body, caption)


def quality(view: View) -> Figure | None:
    """The corruption in numbers: how many, how found, how visible without context."""
    truth = view.truth()
    if truth is None or not all(isinstance(v, Swaps) for v in truth.values.values()):
        return None
    rows = [*corpus_rows(list(truth.values.values())), *_gap(view)]
    cells = "".join(f"<tr><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for a, b in rows)
    body = f'<div class="scroll"><table><tbody>{cells}</tbody></table></div>'
    return Figure("Quality of the corruption", body, "Ratios and distances are over all swaps.")


def corpus_rows(passages: Sequence[Swaps]) -> list[tuple[str, str]]:
    """What a corrupted corpus is like, as names and texts."""
    swaps = [swap for passage in passages for swap in passage.swaps]
    tokens = sum(passage.length for passage in passages)
    reasons: Counter[str] = Counter()
    for passage in passages:
        reasons.update(passage.left_out)
    ratio = [swap.count_now / swap.count_was for swap in swaps if swap.count_was]
    rows = [
        ("passages", f"{len(passages):,}"),
        ("words", f"{tokens:,}"),
        ("candidates a passage", _mean([p.candidates for p in passages])),
        ("swaps a passage", _mean([len(p.swaps) for p in passages])),
        ("words swapped", f"{100 * len(swaps) / max(tokens, 1):.2f} %"),
        ("frame of the substitute", _shares(Counter(f"{s.frame or 'sound'}" for s in swaps))),
        ("tags", _shares(Counter(s.tag for s in swaps))),
        ("frequency, new over old (5, 50, 95 %)", _quantiles(ratio)),
        ("nouns since the last mention (5, 50, 95 %)", _quantiles([s.nouns_back for s in swaps])),
        ("not swapped, and why", ", ".join(f"{n} {k}" for k, n in sorted(reasons.items())) or "-"),
    ]
    for name in ("phonetic", "embedding"):
        values = [v for s in swaps if (v := getattr(s, name)) is not None]
        if values:
            rows.append((f"{name} distance (5, 50, 95 %)", _quantiles(values)))
    return rows


def _gap(view: View) -> Iterable[tuple[str, str]]:
    """F with neighbouring words alone against F with the discourse."""
    best = {
        row["system"]: row["scores"]["best_f"]["value"]
        for row in view.scores()
        if row["reference"] == "truth" and "best_f" in row["scores"]
    }
    near, far = best.get("local"), best.get("discourse")
    if near is not None and far is not None:
        yield "best F, neighbouring words alone", f"{near:.3f}"
        yield "best F, with the discourse", f"{far:.3f}"
        yield "gap: what needs context to be seen", f"{far - near:.3f}"


def _ranks(view: View, truth: Mapping[str, Any]) -> tuple[str, tuple[list[float], list[float]]]:
    """Ranks from a system that compared both words, else from trigrams of the other passages."""
    for system, outputs in view.outputs().items():
        found: tuple[list[float], list[float]] = ([], [])
        for item, output in outputs.items():
            _take(found, getattr(output.value, "choices", ()), truth.get(item))
        if found[0]:
            return f"system {system}", found
    groups = {item.id: item.group for item in view.items()}
    ranks = _trigram_ranks(lesson(view.items(), truth), groups)
    return "trigram model of the other passages", ranks


def _take(found: tuple[list[float], list[float]], choices: Any, truth: Any) -> None:
    swaps = {swap.at: swap for swap in getattr(truth, "swaps", ())}
    for choice in choices:
        if choice.rank_first is None or choice.at not in swaps:
            continue
        swap = swaps[choice.at]
        ranks = (choice.rank_first, choice.rank_second)
        was, now = ranks if swap.was <= swap.now else ranks[::-1]
        found[0].append(was)
        found[1].append(now)


def _trigram_ranks(whole: Lesson, groups: Mapping[str, str]) -> tuple[list[float], list[float]]:
    """Both ranks at places whose words are known to the half of the documents that it is not in."""
    found: tuple[list[float], list[float]] = ([], [])
    order = {group: number for number, group in enumerate(sorted(set(groups.values())))}
    half = np.array([order[groups[p.id]] % 2 for p in whole.passages])
    for side in (0, 1):
        if (half != side).any() and (half == side).any():
            grams = count(part(whole, half != side).originals())
            own = part(whole, half == side)
            for passage, truth in zip(own.passages, own.truths, strict=True):
                if len(found[0]) < PLACES * (side + 1) / 2:
                    _rank_places(found, grams, passage, truth)
    return found


def _rank_places(
    found: tuple[list[float], list[float]], grams: Grams, passage: Passage, truth: Any
) -> None:
    keys = np.array([word_key(word) for word in grams.words], np.uint64)
    _, one, two = before(passage.tokens)
    for swap in getattr(truth, "swaps", ()):
        pair = (swap.was, swap.now)
        seen = word_counts(grams, pair)
        if not seen.all():
            continue
        at = (two[swap.at], one[swap.at])
        every = grams.probability(*at, keys, grams.counts)
        for place, word in enumerate(pair):
            own = float(grams.probability(*at, np.uint64(word_key(word)), seen[place]))
            found[place].append(rank_share(every, own))


def _quarters(ranks: Sequence[float]) -> list[float]:
    counts = np.bincount(np.minimum((np.array(ranks) * 4).astype(int), 3), minlength=4)
    return [float(one) / max(len(ranks), 1) for one in counts]


def _bars(shares: Sequence[Sequence[float]]) -> str:
    x, y = Scale((0, 4), (56, 620)), Scale((0, 1), (240, 28))
    parts = [axes(x, y, x_title="quarter of the model's ranking", y_title="share", x_ticks=[])]
    for kind, (row, colour) in enumerate(zip(shares, ("var(--c1)", "var(--c2)"), strict=True)):
        for quarter, value in enumerate(row):
            left = x(quarter + 0.18 + 0.32 * kind)
            parts.append(
                element(
                    "rect",
                    x=left,
                    y=y(value),
                    width=x(0.3) - x(0),
                    height=y(0) - y(value),
                    fill=colour,
                    rx=2,
                )
            )
            middle = left + (x(0.3) - x(0)) / 2
            label = f"{100 * value:.0f} %"
            parts.append(text(label, middle, y(value) - 5, class_="tick", text_anchor="middle"))
    for quarter, name in enumerate(QUARTERS):
        parts.append(text(name, x(quarter + 0.5), 258, class_="tick", text_anchor="middle"))
    for kind, name in enumerate(("originals", "substitutes")):
        fill = f"var(--c{kind + 1})"
        parts.append(element("rect", x=60 + 110 * kind, y=34, width=11, height=11, fill=fill))
        parts.append(text(name, 76 + 110 * kind, 44, class_="tick"))
    return drawing(*parts, width=640, height=286, label="Quarters of the ranking")


def _mean(values: Sequence[float]) -> str:
    return f"{math.fsum(values) / len(values):.1f}" if values else "-"


def _quantiles(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return ", ".join(f"{q:.2f}" for q in np.quantile(values, [0.05, 0.5, 0.95]))


def _shares(counts: Counter[str]) -> str:
    total = max(counts.total(), 1)
    return ", ".join(f"{name} {100 * n / total:.0f} %" for name, n in counts.most_common(6))
