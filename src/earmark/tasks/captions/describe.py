"""What `measure` and `audit` found, in lines for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from earmark.report.tables import with_interval

SMALLEST = 1e-4


def describe(details: Mapping[str, Any]) -> Iterator[str]:
    """Explained captions; metrics compared in pairs, with one judge, and under attack."""
    for item, told in details.get("explain", {}).items():
        yield from _explained(item, told)
    for found in details.get("differences", ()):
        yield _difference(found)
    judges = details.get("one_judge_against_the_rest")
    if judges:
        yield f"one judge against the rest: {min(judges):.3f} to {max(judges):.3f}"
    if details.get("attacks"):
        yield "share of captions whose score rises when padded"
    for name, shares in details.get("attacks", {}).items():
        told_by = "   ".join(f"{metric} {share:.2f}" for metric, share in shares.items())
        yield f"  {name:<24} {told_by}"


def _explained(item: str, told: Mapping[str, Any]) -> Iterator[str]:
    """A caption, the parts of its scores, and what its tuples meet."""
    yield f"\n{item}: {' / '.join(told['candidate'])}"
    for name in ("earshot", "spice_plus_emb"):
        parts = dict(told[name])
        value = parts.pop("value")
        yield f"  {name} {value:.3f}: " + ", ".join(f"{k} {v:.2f}" for k, v in parts.items())
    for match in told["matches"]:
        mine, theirs = (", ".join(match[side]) for side in ("tuple", "nearest"))
        yield f"    {match['similarity']:.2f}  ({mine})  nearest ({theirs})"
    met = {tuple(match["nearest"]) for match in told["matches"]}
    left = [row for row in told["reference_tuples"] if tuple(row) not in met]
    if left:
        yield "    not met: " + ", ".join(f"({', '.join(row)})" for row in left)


def _difference(found: Mapping[str, Any]) -> str:
    one, other = found["metrics"]
    chance = found["mcnemar_p"]
    p = f"p {chance:.4f}" if chance >= SMALLEST else f"p < {SMALLEST:.4f}"
    return f"{one} - {other}   {with_interval({**found, 'value': found['difference']})}   {p}"
