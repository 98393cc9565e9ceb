"""The details of `measure` and `audit` as lines for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from earmark.report.tables import with_interval

SMALLEST = 1e-4  # p is printed with four digits


def describe(details: Mapping[str, Any]) -> Iterator[str]:
    """Yield explained captions, then metrics compared in pairs, with one judge, under attack."""
    for item, explanation in details.get("explain", {}).items():
        yield from _explained(item, explanation)
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


def _explained(item: str, explanation: Mapping[str, Any]) -> Iterator[str]:
    """Yield a caption, the parts of its scores, and the matches of its tuples."""
    yield f"\n{item}: {' / '.join(explanation['candidate'])}"
    for name in ("earshot", "spice_plus_emb"):
        parts = dict(explanation[name])
        value = parts.pop("value")
        yield f"  {name} {value:.3f}: " + ", ".join(f"{k} {v:.2f}" for k, v in parts.items())
    for match in explanation["matches"]:
        mine, theirs = (", ".join(match[side]) for side in ("tuple", "nearest"))
        yield f"    {match['similarity']:.2f}  ({mine})  nearest ({theirs})"
    matched = {tuple(match["nearest"]) for match in explanation["matches"]}
    unmatched = [row for row in explanation["reference_tuples"] if tuple(row) not in matched]
    if unmatched:
        yield "    not matched: " + ", ".join(f"({', '.join(row)})" for row in unmatched)


def _difference(difference: Mapping[str, Any]) -> str:
    one, other = difference["metrics"]
    mcnemar_p = difference["mcnemar_p"]
    p = f"p {mcnemar_p:.4f}" if mcnemar_p >= SMALLEST else f"p < {SMALLEST:.4f}"
    value = with_interval({**difference, "value": difference["difference"]})
    return f"{one} - {other}   {value}   {p}"
