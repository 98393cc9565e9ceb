"""How well do metrics agree with people? The protocol of FENSE, with intervals that hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from earmark.score.metric import Metric
from earmark.stats.draw import stream
from earmark.stats.rates import proportion
from earmark.task.progress import track
from earmark.tasks.captions.audit.agreement import cells, differences, weigh
from earmark.tasks.captions.audit.benchmark import Contest, leave_one_out, read_benchmark
from earmark.tasks.captions.values import KINDS, Captions
from earmark.values import checks
from earmark.values.errors import InputError

Floats = NDArray[np.float64]
RUNS_OF_WORDS = frozenset(
    "cider cider_d bleu_1 bleu_2 bleu_3 bleu_4 rouge_l meteor spice spider".split()
)
THRESHOLD, FACTOR = 0.9, 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """A metric's scores of both captions of each contest, and whether it agrees with people."""

    scores: Floats
    right: NDArray[np.bool_]


def audit_metrics(  # noqa: PLR0913
    benchmark: Path,
    metrics: tuple[str, ...],
    *,
    seed: int = 0,
    fluency: Literal["none", "builtin"] = "none",
    fluency_from: tuple[Path, ...] = (),
    attacks: int = 0,
    resamples: int = 1000,
) -> dict[str, Any]:
    """Share of people's preferences that each metric shares, by kind of pair and in total.

    Parameters
    ----------
    fluency
        Divide the scores of captions that a detector finds broken by ten: `builtin` uses the
        detector that Earmark ships. `fense` and `earshot` look at fluency by themselves.
    fluency_from
        Two .npy files of error probabilities made elsewhere, for the first and for the second
        captions, in the order HC, HI, HM, MM; the last column counts.
    attacks
        Pad this many of the captions in a dozen ways, and say how often a score rises.
    resamples
        Resamples of the sounds for the intervals.
    """
    contests = read_benchmark(benchmark)
    builders = _builders()
    for name in metrics:
        checks.one_of(name, builders, what="metric")
    broken = _broken(contests, fluency, fluency_from)
    built = {name: _built(builders[name], name, given=bool(fluency_from)) for name in metrics}
    verdicts = {
        name: judge(contests, built[name], _penalty(built[name], broken))
        for name in track(metrics, label="audit")
    }
    right = {name: found.right for name, found in verdicts.items()}
    weights = weigh(contests, resamples, seed)
    return {
        "metrics": {name: cells(contests, hits, weights) for name, hits in right.items()},
        "details": {
            "benchmark": benchmark.name,
            "pairs": {kind: sum(c.kind == kind for c in contests) for kind in KINDS},
            "fluency": "given" if fluency_from else fluency,
            "intervals": "low, high: bootstrap over sounds; wilson: Wilson, pairs taken as apart",
            "differences": differences(
                contests, {n: v.right for n, v in verdicts.items()}, weights
            ),
            "one_judge_against_the_rest": one_against_the_rest(contests),
            "slot_flips": _flips(contests, built, verdicts, broken, seed),
            "attacks": attack(contests, metrics, captions=attacks, seed=seed),
        },
    }


def _builders() -> Mapping[str, Any]:
    from earmark.tasks.captions.score.metrics import METRICS

    return METRICS


def judge(contests: Sequence[Contest], metric: Metric, broken: Any = None) -> Verdicts:
    """Score both sides of each contest by itself, and compare with people."""
    scores = np.zeros((len(contests), 2))
    for side in (0, 1):
        for machines in (False, True):
            chosen = [at for at, c in enumerate(contests) if (c.kind == "MM") == machines]
            scores[chosen, side] = _call([contests[at] for at in chosen], metric, side)
    if broken is not None:
        scores = np.maximum(scores, 0) * np.where(broken, 1 - FACTOR, 1.0)
    preferred = np.array([contest.preferred for contest in contests])
    return Verdicts(scores, (scores[:, 0] - scores[:, 1]) * preferred > 0)


def _call(contests: Sequence[Contest], metric: Metric, side: int) -> list[float]:
    """One call: a corpus of its own, as the weights of CIDEr depend on it."""
    references: dict[str, Captions] = {}
    outputs: dict[str, Captions] = {}
    rows: list[list[str]] = []
    split = metric.name in RUNS_OF_WORDS
    for at, contest in enumerate(contests):
        given = contest.references[side]
        choices = leave_one_out(given) if split and contest.kind == "MM" else (given,)
        rows.append([f"{at:06d}.{choice}" for choice in range(len(choices))])
        for name, choice in zip(rows[-1], choices, strict=True):
            references[name] = Captions(choice)
            outputs[name] = Captions((contest.captions[side],))
    if not references:
        return []
    counts = (
        metric.count_all(references, outputs)
        if metric.count_all
        else {name: metric.count(references[name], outputs[name]) for name in references}
    )
    return [float(np.mean([metric.rate(counts[name]) for name in names])) for names in rows]


def one_against_the_rest(contests: Sequence[Contest]) -> list[float]:
    """For each judge: how often they agree with the sum of the others, own ties counting as wrong.

    A point of reference, not a ceiling: a metric may well be steadier than one person.
    """
    judges = min(len(contest.votes) for contest in contests)
    values = []
    for judge_at in range(judges):
        rest = [(c.votes[judge_at], c.preferred - c.votes[judge_at]) for c in contests]
        decided = [(own, others) for own, others in rest if others]
        values.append(proportion(sum(own * others > 0 for own, others in decided), of=len(decided)))
    return values


def _broken(
    contests: Sequence[Contest], fluency: str, files: tuple[Path, ...]
) -> NDArray[np.bool_] | None:
    if files:
        return np.stack([_given(path, len(contests)) for path in _two(files)], axis=1) > THRESHOLD
    if fluency == "none":
        return None
    from earmark.tasks.captions.score.fluency.detector import detector

    return (
        np.stack(
            [detector().errors([c.captions[side] for c in contests]) for side in (0, 1)], axis=1
        )
        > THRESHOLD
    )


def _two(files: tuple[Path, ...]) -> tuple[Path, ...]:
    if len(files) != 2:
        raise InputError(
            "probabilities come as two files",
            got=f"{len(files)}",
            want="--fluency-from FIRST.npy --fluency-from SECOND.npy",
        )
    return files


def _given(path: Path, size: int) -> Floats:
    try:
        rows = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError("probabilities are a .npy file", at=path, got=str(error)) from error
    if rows.ndim not in {1, 2} or len(rows) != size:
        raise InputError(
            "there must be a row of probabilities for each pair",
            at=path,
            got=f"{rows.shape}",
            want=f"{size} rows",
        )
    return np.asarray(rows if rows.ndim == 1 else rows[:, -1], dtype=float)


def _built(builder: Any, name: str, *, given: bool) -> Metric:
    """The metric; FENSE without its own detector when probabilities are given."""
    metric: Metric = builder(fluency="none") if given and name == "fense" else builder()
    if metric.check_installed:
        metric.check_installed()
    return metric


def _penalty(metric: Metric, broken: Any) -> Any:
    """What is broken, unless the metric looks after that itself."""
    own = metric.name == "earshot" or metric.options.get("fluency", "none") != "none"
    return None if own else broken


def _flips(
    contests: Sequence[Contest],
    built: Mapping[str, Metric],
    verdicts: Mapping[str, Verdicts],
    broken: Any,
    seed: int,
) -> dict[str, object]:
    """How many verdicts change when the two captions of random contests change places.

    None, except that CIDEr takes the references of a side for its corpus, and in HC pairs these
    differ by side.
    """
    turned = stream(seed, "slot flips").random(len(contests)) < 0.5
    flipped = [flip(c) if turn else c for c, turn in zip(contests, turned, strict=True)]
    other = None if broken is None else np.where(turned[:, None], broken[:, ::-1], broken)
    decided = np.array([contest.preferred != 0 for contest in contests])
    changed = {}
    for name, metric in built.items():
        again = judge(flipped, metric, _penalty(metric, other))
        changed[name] = int((again.right != verdicts[name].right)[decided].sum())
    return {"flipped": int(turned.sum()), "verdicts_changed": changed}


def attack(
    contests: Sequence[Contest], metrics: tuple[str, ...], *, captions: int, seed: int
) -> dict[str, dict[str, float]]:
    """Share of captions whose score rises when they are padded, by attack and metric.

    Contests are taken at even steps through the benchmark, first and second captions in turn.
    """
    from earmark.tasks.captions.audit.attacks import rises

    step = max(1, len(contests) // captions) if captions else len(contests) + 1
    chosen = {f"{at:06d}": (c, at % 2) for at, c in enumerate(contests[step - 1 :: step])}
    return rises(
        {name: contest.captions[side] for name, (contest, side) in chosen.items()},
        {name: Captions(contest.references[side]) for name, (contest, side) in chosen.items()},
        metrics=metrics,
        seed=seed,
    )


def flip(contest: Contest) -> Contest:
    """The same contest with its captions the other way round."""
    from dataclasses import replace

    return replace(
        contest,
        captions=contest.captions[::-1],
        references=contest.references[::-1],
        votes=tuple(-vote for vote in contest.votes),
    )
