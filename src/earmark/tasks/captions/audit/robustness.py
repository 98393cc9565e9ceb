"""How a metric fares when captions of a benchmark are padded, or one word of them is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any

from earmark.score.metric import Metric
from earmark.tasks.captions.audit.attacks import rises
from earmark.tasks.captions.audit.benchmark import Contest
from earmark.tasks.captions.audit.hallucinations import noun_swaps, share_lowered
from earmark.tasks.captions.values import Captions


def attack(
    contests: Sequence[Contest], metrics: tuple[str, ...], *, captions: int, seed: int
) -> dict[str, dict[str, float]]:
    """Return the share of captions whose score rises when padded, by attack and metric.

    Contests are taken at even steps through the benchmark, first and second captions in turn.
    """
    step = max(1, len(contests) // captions) if captions else len(contests) + 1
    chosen = {f"{k:06d}": (c, k % 2) for k, c in enumerate(contests[step - 1 :: step])}
    return rises(
        {name: contest.captions[side] for name, (contest, side) in chosen.items()},
        {name: Captions(contest.references[side]) for name, (contest, side) in chosen.items()},
        metrics=metrics,
        seed=seed,
    )


def swapped(
    contests: Sequence[Contest], built: Mapping[str, Metric], *, captions: int, seed: int
) -> dict[str, Any]:
    """Return how many right captions had one noun replaced, and the share whose score fell.

    The captions are people's, each against the others of its sound; the sounds are taken at even
    steps through the benchmark.
    """
    if not captions:
        return {}
    texts: dict[str, tuple[str, ...]] = {}
    for contest in contests:
        known = texts.get(contest.sound, ())
        texts[contest.sound] = tuple(dict.fromkeys((*known, *contest.references[0])))
    step = max(1, len(texts) // captions)
    chosen = {sound: Captions(texts[sound]) for sound in sorted(texts)[::step]}
    swaps = noun_swaps(chosen, seed=seed)
    lowered = {name: share_lowered(swaps, metric) for name, metric in built.items()}
    return {"captions": len(swaps), "lowered": lowered}
