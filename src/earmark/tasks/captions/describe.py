"""The details of `measure` and `audit` as lines for a terminal."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from earmark.report.tables import with_interval

SMALLEST = 1e-4  # p is printed with four digits
MOST_EXPLAINED = 20  # some screens full


def describe(details: Mapping[str, Any]) -> Iterator[str]:
    """Yield explained captions, then metrics compared in pairs, with one judge, under attack."""
    explained = details.get("explain", {})
    for item, explanation in list(explained.items())[:MOST_EXPLAINED]:
        yield from _explained(item, explanation)
    if len(explained) > MOST_EXPLAINED:
        yield f"\n{len(explained)} items are explained, {MOST_EXPLAINED} shown; --json has all"
    for difference in details.get("differences", ()):
        yield _difference(difference)
    judges = details.get("one_judge_against_the_rest")
    if judges:
        yield f"one judge against the rest: {min(judges):.3f} to {max(judges):.3f}"
    if details.get("attacks"):
        yield "share of captions whose score rises when padded"
    for name, shares in details.get("attacks", {}).items():
        row = "   ".join(f"{metric} {share:.2f}" for metric, share in shares.items())
        yield f"  {name:<24} {row}"
    if swaps := details.get("noun_swaps"):
        yield f"share of {swaps['captions']} right captions that one swapped noun lowers"
        yield "  " + "   ".join(f"{name} {share:.2f}" for name, share in swaps["lowered"].items())


def _explained(item: str, explanation: Mapping[str, Any]) -> Iterator[str]:
    """Yield a caption, its scores, and what they are made of."""
    yield f"\n{item}: {' / '.join(explanation['candidate'])}"
    scores = explanation.get("scores", {})
    if scores:
        yield "  " + ", ".join(f"{name} {_digits(value)}" for name, value in scores.items())
    if "earshot" in explanation:
        yield _earshot(explanation["earshot"])
    yield from _graphs(explanation)
    if "sentence" in explanation:
        yield from _sentence(explanation)
    for name, words in explanation.get("words", {}).items():
        if words:
            yield f"  {WORDS[name]}: {' '.join(words)}"


WORDS = {
    "shared": "words shared with a reference",
    "in_no_reference": "words in no reference",
    "missing": "words of references only, most frequent first",
}


def _digits(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _earshot(parts: Mapping[str, Any]) -> str:
    """Return the parts of earshot; log odds are also given as the probability they stand for."""
    log_odds = parts["log_odds_of_disfluency"]
    probability = 1 / (1 + math.exp(-log_odds))
    return (
        f"  earshot {parts['value']:.3f}: similarity {parts['similarity']:.2f}, "
        f"coverage {parts['coverage']:.2f}, unsupported {parts['unsupported']:.2f}, "
        f"generic {parts['generic']:.2f}, distance of words {parts['distance']:.2f}, "
        f"contradicted {parts['contradicted']:.2f}, "
        f"probability of disfluency {probability:.2f} (log odds {log_odds:.2f})"
    )


def _graphs(explanation: Mapping[str, Any]) -> Iterator[str]:
    for name in ("spice_plus_emb", "spice_plus"):
        if name in explanation:
            parts = dict(explanation[name])
            value = parts.pop("value")
            yield f"  {name} {value:.3f}: " + ", ".join(f"{k} {v:.2f}" for k, v in parts.items())
    for match in explanation.get("matches", ()):
        mine, theirs = (", ".join(match[side]) for side in ("tuple", "nearest"))
        yield f"    {match['similarity']:.2f}  ({mine})  nearest ({theirs})"
    matched = {tuple(match["nearest"]) for match in explanation.get("matches", ())}
    rows = explanation.get("reference_tuples", ())
    unmatched = [row for row in rows if tuple(row) not in matched]
    if unmatched:
        yield "    not matched: " + ", ".join(f"({', '.join(row)})" for row in unmatched)


def _sentence(explanation: Mapping[str, Any]) -> Iterator[str]:
    section = explanation["sentence"]
    for cosine, text in zip(section["cosines"], explanation["references"], strict=True):
        yield f"    {cosine:.2f}  {text}"
    if "disfluent" in section:
        penalised = ", which leaves a tenth" if section["disfluent"]["penalised"] else ""
        yield f"  probability of disfluency {section['disfluent']['probability']:.2f}{penalised}"


def _difference(difference: Mapping[str, Any]) -> str:
    one, other = difference["metrics"]
    mcnemar_p = difference["mcnemar_p"]
    p = f"p {mcnemar_p:.4f}" if mcnemar_p >= SMALLEST else f"p < {SMALLEST:.4f}"
    value = with_interval({**difference, "value": difference["difference"]})
    return f"{one} - {other}   {value}   {p}"
