"""How well do metrics agree with people? The protocol of FENSE, with intervals that hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.files.npz import read_array
from earmark.score.counting import Prepared
from earmark.score.metric import Metric
from earmark.stats.draw import stream
from earmark.stats.rates import proportion
from earmark.task.options import option, options_of
from earmark.task.progress import track
from earmark.tasks.captions.audit.agreement import cells, differences, resample_weights
from earmark.tasks.captions.audit.benchmark import Contest, leave_one_out, read_benchmark
from earmark.tasks.captions.audit.robustness import attack, swapped
from earmark.tasks.captions.score.fluency.penalty import FACTOR, THRESHOLD
from earmark.tasks.captions.values import KINDS, Captions
from earmark.values import checks
from earmark.values.errors import InputError

# In MM pairs FENSE averages these over all choices of references but one; others see all of them.
LEAVE_ONE_OUT = frozenset(
    "cider cider_d bleu_1 bleu_2 bleu_3 bleu_4 rouge_l meteor spice spider".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """A metric's scores of both captions of each contest, and whether it agrees with people."""

    scores: Floats  # (contests, 2)
    right: Bools  # (contests,)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """What is looked at beside the agreement with people, and how."""

    fluency: Literal["none", "builtin"] = option(
        "none",
        "`builtin` divides the scores of captions that the shipped detector finds disfluent by "
        "ten. `fense` and `earshot` look at fluency by themselves.",
    )
    fluency_from: tuple[Path, ...] = option(
        (),
        "Two .npy files of error probabilities made elsewhere, for the first and for the second "
        "captions, in the order HC, HI, HM, MM; the last column counts.",
    )
    attacks: int = option(
        0, "Pad this many of the captions in a dozen ways, and report how often a score rises."
    )
    resamples: int = option(1000, "Resamples of the sounds for the intervals.")
    encoder: str | None = option(
        None, "A sentence-transformers model by name or path, for the metrics that use one."
    )
    beta: float | None = option(None, "Weight of recall relative to precision, for SPICE+.")
    threshold: float | None = option(
        None, "Count a similarity at or above it as 1 and one below it as 0, for SPICE+emb."
    )
    weights: str | None = option(
        None, "How SPICE+ weighs tuples: `none`, `consensus`, or a JSON file of lemmas."
    )

    def changes(self) -> dict[str, Any]:
        """Return the options of metrics that were given."""
        given = {name: getattr(self, name) for name in ("encoder", "beta", "threshold", "weights")}
        return {name: value for name, value in given.items() if value is not None}

    def __post_init__(self) -> None:
        if len(self.fluency_from) not in {0, 2}:
            raise InputError(
                "probabilities come as two files",
                got=f"{len(self.fluency_from)}",
                want="--fluency-from FIRST.npy --fluency-from SECOND.npy",
            )


def audit_metrics(
    benchmark: Path,
    metrics: tuple[str, ...],
    options: AuditOptions = AuditOptions(),
    *,
    seed: int = 0,
) -> dict[str, Any]:
    """Return how often each metric agrees with people's preferences, by kind of pair and in total.

    The document has `metrics`, shares with intervals, and `details`: paired differences, one judge
    against the rest, verdicts that change when captions change places, and attacks.
    """
    contests = read_benchmark(benchmark)
    builders = _builders()
    for name in metrics:
        checks.one_of(name, builders, what="metric")
    disfluent = _disfluent(contests, options)
    _refuse_unused(options.changes(), {name: builders[name] for name in metrics})
    built = {name: build_for_audit(builders[name], name, options) for name in metrics}
    verdicts = {
        name: judge(contests, built[name], _penalised(built[name], disfluent))
        for name in track(metrics, label="audit")
    }
    right = {name: verdict.right for name, verdict in verdicts.items()}
    weights = resample_weights(contests, options.resamples, seed)
    return {
        "metrics": {name: cells(contests, hits, weights) for name, hits in right.items()},
        "details": {
            "benchmark": benchmark.name,
            "pairs": {kind: sum(c.kind == kind for c in contests) for kind in KINDS},
            "fluency": "given" if options.fluency_from else options.fluency,
            "intervals": "low, high: bootstrap over sounds; "
            "wilson: Wilson, treating pairs as independent",
            "differences": differences(contests, right, weights),
            "one_judge_against_the_rest": one_against_the_rest(contests),
            "slot_flips": _flips(contests, built, verdicts, disfluent, seed),
            "attacks": attack(contests, metrics, captions=options.attacks, seed=seed),
            "noun_swaps": swapped(contests, built, captions=options.attacks, seed=seed),
        },
    }


def _builders() -> Mapping[str, Any]:
    from earmark.tasks.captions import METRICS

    return METRICS


def judge(contests: Sequence[Contest], metric: Metric, disfluent: Bools | None = None) -> Verdicts:
    """Score both captions of each contest, and compare the difference with people's preference.

    `disfluent`, of shape (contests, 2), marks captions of which a tenth of the score is left.
    """
    scores = np.zeros((len(contests), 2))
    for side in (0, 1):
        for machines in (False, True):
            rows = [row for row, c in enumerate(contests) if (c.kind == "MM") == machines]
            scores[rows, side] = _scores([contests[row] for row in rows], metric, side)
    if disfluent is not None:
        scores = np.maximum(scores, 0) * np.where(disfluent, FACTOR, 1.0)
    preferred = np.array([contest.preferred for contest in contests])
    return Verdicts(scores, (scores[:, 0] - scores[:, 1]) * preferred > 0)


def _scores(contests: Sequence[Contest], metric: Metric, side: int) -> list[float]:
    """Return the scores of one side, in one call: a corpus of its own for the weights of CIDEr."""
    references: dict[str, Captions] = {}
    outputs: dict[str, Captions] = {}
    names_of: list[list[str]] = []
    for number, contest in enumerate(contests):
        texts = contest.references[side]
        leaves_out = metric.name in LEAVE_ONE_OUT and contest.kind == "MM"
        choices = leave_one_out(texts) if leaves_out else (texts,)
        names_of.append([f"{number:06d}.{choice}" for choice in range(len(choices))])
        for name, choice in zip(names_of[-1], choices, strict=True):
            references[name] = Captions(choice)
            outputs[name] = Captions((contest.captions[side],))
    if not references:
        return []
    counts = metric.counts(Prepared(references, outputs, tuple(references)))
    return [float(np.mean([metric.rate(counts[name]) for name in names])) for names in names_of]


def one_against_the_rest(contests: Sequence[Contest]) -> list[float]:
    """Return how often each judge agrees with the sum of the others; own ties count as wrong.

    A point of reference, not a ceiling: a metric may well be steadier than one person.
    """
    judges = min(len(contest.votes) for contest in contests)
    values = []
    for index in range(judges):
        rest = [(c.votes[index], c.preferred - c.votes[index]) for c in contests]
        decided = [(own, others) for own, others in rest if others]
        values.append(proportion(sum(own * others > 0 for own, others in decided), of=len(decided)))
    return values


def _disfluent(contests: Sequence[Contest], options: AuditOptions) -> Bools | None:
    """Return which captions are penalised, of shape (contests, 2); None when none is."""
    if options.fluency_from:
        sides = [_read_probabilities(path, len(contests)) for path in options.fluency_from]
    elif options.fluency == "none":
        return None
    else:
        from earmark.tasks.captions.score.fluency.detector import detector

        texts = [[contest.captions[side] for contest in contests] for side in (0, 1)]
        sides = [detector().probabilities(captions) for captions in texts]
    return np.stack(sides, axis=1) > THRESHOLD


def _read_probabilities(path: Path, size: int) -> Floats:
    rows = read_array(path, what="probabilities are a .npy file")
    if rows.ndim not in {1, 2} or len(rows) != size:
        raise InputError(
            "there must be a row of probabilities for each pair",
            at=path,
            got=f"{rows.shape}",
            want=f"{size} rows",
        )
    return np.asarray(rows if rows.ndim == 1 else rows[:, -1], dtype=float)


def build_for_audit(builder: Callable[..., Metric], name: str, options: AuditOptions) -> Metric:
    """Build a metric; FENSE without its own detector when probabilities come from files."""
    own = options_of(builder)
    changes = {key: value for key, value in options.changes().items() if key in own}
    if options.fluency_from and name == "fense":
        changes["fluency"] = "none"
    metric = builder(**changes)
    if metric.check_installed:
        metric.check_installed()
    return metric


def _refuse_unused(changes: Mapping[str, Any], builders: Mapping[str, Any]) -> None:
    """Raise InputError if an option changes none of the metrics."""
    for name in changes:
        if not any(name in options_of(builder) for builder in builders.values()):
            raise InputError(
                f"--{name} changes none of these metrics",
                got=", ".join(builders),
                want=", ".join(n for n, b in _builders().items() if name in options_of(b)),
            )


def _penalised(metric: Metric, disfluent: Bools | None) -> Bools | None:
    """Return what is disfluent, or None if the metric looks at fluency by itself."""
    own = metric.name == "earshot" or metric.options.get("fluency", "none") != "none"
    return None if own else disfluent


def _flips(
    contests: Sequence[Contest],
    built: Mapping[str, Metric],
    verdicts: Mapping[str, Verdicts],
    disfluent: Bools | None,
    seed: int,
) -> dict[str, object]:
    """Count verdicts that change when the two captions of random contests change places.

    None, except that CIDEr takes the references of a side for its corpus, and in HC pairs these
    differ by side.
    """
    turned = stream(seed, "slot flips").random(len(contests)) < 0.5
    flipped = [flip(c) if turn else c for c, turn in zip(contests, turned, strict=True)]
    other = None if disfluent is None else np.where(turned[:, None], disfluent[:, ::-1], disfluent)
    decided = np.array([contest.preferred != 0 for contest in contests])
    changed = {}
    for name, metric in built.items():
        again = judge(flipped, metric, _penalised(metric, other))
        changed[name] = int((again.right != verdicts[name].right)[decided].sum())
    return {"flipped": int(turned.sum()), "verdicts_changed": changed}


def flip(contest: Contest) -> Contest:
    """Return the same contest with its captions the other way round."""
    return replace(
        contest,
        captions=contest.captions[::-1],
        references=contest.references[::-1],
        votes=tuple(-vote for vote in contest.votes),
    )
