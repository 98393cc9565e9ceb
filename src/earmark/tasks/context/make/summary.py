"""A corrupted corpus in numbers: how many swaps, how they were found, what was left out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from earmark.stats.rates import mean_defined, proportion
from earmark.tasks.context.make.grades import GRADES
from earmark.tasks.context.values import Swap, Swaps


@dataclass(frozen=True, slots=True)
class CorruptionSummary:
    """What a corrupted corpus is like.

    `frames` counts swaps by the frame of ranks in which the substitute was drawn (`sound` for
    sound-alikes), `tags` by the tag of the noun, `left_out` the candidates that were not swapped,
    by reason. `frequency_ratios` are count of the substitute over count of the original.
    `distances` holds, by the name of a grade, what was noted of it. `repeated_pairs` is the share
    of swaps that have both words in common with another, `reused` that of substitutes that were
    placed before in the same passage.
    """

    passages: int
    words: int
    candidates_per_passage: float
    swaps_per_passage: float
    share_swapped: float
    frames: Counter[str]
    tags: Counter[str]
    frequency_ratios: list[float]
    nouns_back: list[int]
    left_out: Counter[str]
    distances: dict[str, list[float]]
    repeated_pairs: float
    reused: float


def summarise(passages: Sequence[Swaps]) -> CorruptionSummary:
    """Return the numbers of a corrupted corpus."""
    swaps = [swap for passage in passages for swap in passage.swaps]
    words = sum(passage.length for passage in passages)
    left_out: Counter[str] = Counter()
    for passage in passages:
        left_out.update(passage.left_out)
    return CorruptionSummary(
        passages=len(passages),
        words=words,
        candidates_per_passage=mean_defined(passage.candidates for passage in passages),
        swaps_per_passage=mean_defined(len(passage.swaps) for passage in passages),
        share_swapped=proportion(len(swaps), of=words),
        frames=Counter(str(swap.frame or "sound") for swap in swaps),
        tags=Counter(swap.tag for swap in swaps),
        frequency_ratios=_frequency_ratios(swaps),
        nouns_back=[swap.nouns_back for swap in swaps],
        left_out=left_out,
        distances={grade: _distances(swaps, grade) for grade in GRADES},
        repeated_pairs=_repeated_pairs(swaps),
        reused=proportion(sum(map(_reused, passages)), of=len(swaps)),
    )


def _repeated_pairs(swaps: Sequence[Swap]) -> float:
    pairs = Counter((swap.was.lower(), swap.now.lower()) for swap in swaps)
    return proportion(sum(times for times in pairs.values() if times > 1), of=len(swaps))


def _reused(passage: Swaps) -> int:
    return len(passage.swaps) - len({swap.now.lower() for swap in passage.swaps})


def _frequency_ratios(swaps: Sequence[Swap]) -> list[float]:
    return [proportion(s.count_now, of=s.count_was) for s in swaps if s.count_was]


def _distances(swaps: Sequence[Swap], grade: str) -> list[float]:
    values = (getattr(swap, grade) for swap in swaps)
    return [value for value in values if value is not None]
