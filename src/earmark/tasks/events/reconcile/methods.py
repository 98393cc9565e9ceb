"""Seven methods from tags of overlapping windows to events; `sequence_methods` has two more.

All but the window HMM decide how many opinions, or which tags, say yes in each window, and then
stack the windows that cover a second: it is active when at least `share` of them say yes.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from earmark.tasks.events.reconcile.options import (
    Inference,
    StackedOpinionsOptions,
    StackedTagsOptions,
    TrustedOptions,
    WindowHmmOptions,
    WindowMaceOptions,
)
from earmark.tasks.events.reconcile.posteriors import (
    OpinionPosterior,
    Path,
    PathPosterior,
    TagPosterior,
    Vote,
    voted,
)
from earmark.tasks.events.values import Tags, Timeline
from earmark.values.answer import Ballots
from earmark.values.reference import Reference

if TYPE_CHECKING:
    from earmark.arrays import Bools, Floats
    from earmark.reconcile.fit import FittedLabels
    from earmark.tasks.events.reconcile.window_answers import WindowAnswers

# Joint draws of the window HMM that a reference keeps for each recording and label: a draw of the
# reference picks one of them, label by label. The mean of 100 is off by a tenth of their spread.
PATHS = 100

# Digits of a probability that a reference keeps.
DIGITS = 4

# Steps of the MACE fit that decides whom `trusted` trusts: the authors' default.
TRUST_ITERATIONS = 50


def by_mace(
    ballots: Ballots[Tags], options: WindowMaceOptions = WindowMaceOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Decide every (window, label) pair by MACE, and stack the tags of overlapping windows."""
    answers = _arrays(ballots)
    fit = mace_fit(
        answers,
        inference=options.inference,
        restarts=options.restarts,
        iterations=options.iterations,
        seed=seed,
    )
    certain = fit.lowest_entropy(options.sure).reshape(answers.windows, -1)
    tags = tags_of(fit, answers) & certain
    made_by = _made_by("mace", options)
    reference = _stacked(answers, tags, certain, made_by, fit.competence)
    return _with_tags(reference, answers, fit, certain)


def by_majority(
    ballots: Ballots[Tags], options: StackedTagsOptions = StackedTagsOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Tag each window with what more than half of its listeners ticked; stack the windows."""
    return _by_vote(_arrays(ballots), "majority", options)


def by_union(
    ballots: Ballots[Tags], options: StackedTagsOptions = StackedTagsOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Tag each window with what anybody ticked; stack the windows."""
    return _by_vote(_arrays(ballots), "union", options)


def by_share(
    ballots: Ballots[Tags],
    options: StackedOpinionsOptions = StackedOpinionsOptions(),
    *,
    seed: int = 0,
) -> Reference[Timeline]:
    """Stack all opinions about a second, everybody's weighing the same (the paper's mode 1)."""
    return _by_vote(_arrays(ballots), "share", options)


def by_trusted(
    ballots: Ballots[Tags], options: TrustedOptions = TrustedOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Stack the opinions of people whose competence exceeds `trust` (the paper's mode 2)."""
    from earmark.reconcile.competence import trusted

    answers = _arrays(ballots)
    fit = mace_fit(
        answers,
        inference=options.inference,
        restarts=options.restarts,
        iterations=TRUST_ITERATIONS,
        seed=seed,
    )
    answers = answers.answered_by(trusted(fit.competence, options.trust))
    return _by_vote(answers, "trusted", options, fit.competence)


def by_dawid_skene(
    ballots: Ballots[Tags], options: StackedTagsOptions = StackedTagsOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Decide every (window, label) pair by Dawid and Skene's model; stack the windows."""
    from earmark.reconcile.dawid_skene import dawid_skene

    answers = _arrays(ballots)
    fit = dawid_skene(answers.pairs())
    tags = tags_of(fit, answers)
    made_by = _made_by("dawid-skene", options)
    reference = _stacked(answers, tags, tags | True, made_by, fit.competence)
    return _with_tags(reference, answers, fit, tags | True)


def by_window_hmm(
    ballots: Ballots[Tags], options: WindowHmmOptions = WindowHmmOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Smooth the hidden activity of each second by the window HMM; doubt is per second."""
    from earmark.tasks.events.reconcile.hmm import window_hmm
    from earmark.tasks.events.reconcile.hmm_fit import sampled_paths

    answers = _arrays(ballots, gaps=options.gaps)
    smoothed = window_hmm(answers, options, seed=seed)
    active = smoothed.active >= options.chance
    made_by = _made_by("window-hmm", options)
    competence = smoothed.hearing.competence()
    reference = reference_of(answers, active, smoothed.active, made_by, competence)
    drawn = sampled_paths(answers, smoothed, draws=PATHS, seed=seed)
    return with_paths(reference, answers, drawn)


def with_paths(
    reference: Reference[Timeline],
    answers: "WindowAnswers",
    drawn: "Mapping[str, Mapping[str, Bools]]",
) -> Reference[Timeline]:
    """Return the reference with joint draws of its cells, by recording and label."""
    return replace(
        reference,
        posterior={
            recording: PathPosterior(
                answers.hop, tuple((label, _counted(paths)) for label, paths in by_label.items())
            )
            for recording, by_label in drawn.items()
        },
    )


def _counted(paths: "Bools") -> tuple[tuple[int, Path], ...]:
    """Return each different path (draws, cells) with how often it was drawn, in a fixed order."""
    from earmark.tasks.events.reconcile.window_answers import runs_of

    counts = Counter(runs_of(path) for path in paths)
    return tuple((times, path) for path, times in sorted(counts.items()))


def _by_vote(
    answers: "WindowAnswers", by: Vote, options: Any, competence: "Floats | None" = None
) -> Reference[Timeline]:
    """Stack what a vote says of each window; another panel of the same people could say else."""
    ticked, asked = voted(by, *answers.votes())
    reference = _stacked(answers, ticked, asked, _made_by(by, options), competence)
    return replace(
        reference,
        posterior={
            recording: OpinionPosterior(
                by=by,
                hop=answers.hop,
                cells=answers.cells,
                share=options.share,
                labels=answers.labels,
                people=people,
                answers=rows,
            )
            for recording, people, rows in answers.by_window()
        },
    )


def _with_tags(
    reference: Reference[Timeline],
    answers: "WindowAnswers",
    fit: "FittedLabels",
    certain: "Bools",
) -> Reference[Timeline]:
    """Return the reference with the probabilities of its tags; `certain` is (windows, labels)."""
    from earmark.tasks.events.reconcile.window_answers import YES

    yes = fit.posterior[:, YES].round(DIGITS).reshape(answers.windows, -1)
    share = float(str(reference.made_by["share"]))
    posterior = {}
    for r, recording in enumerate(answers.recordings):
        windows = slice(answers.starts[r], answers.starts[r + 1])
        rows = [
            (label, tuple(p if sure else None for p, sure in zip(own, known, strict=True)))
            for label, own, known in zip(
                answers.labels, yes[windows].T.tolist(), certain[windows].T.tolist(), strict=True
            )
        ]
        posterior[recording] = TagPosterior(answers.hop, answers.cells, share, tuple(rows))
    return replace(reference, posterior=posterior)


def mace_fit(
    answers: "WindowAnswers", *, inference: Inference, restarts: int, iterations: int, seed: int
) -> "FittedLabels":
    """FittedLabels MACE to the yes/no answers to every (window, label) pair."""
    from earmark.reconcile.mace import MaceOptions, mace

    options = MaceOptions(inference=inference, restarts=restarts, iterations=iterations)
    return mace(answers.pairs(), options, seed=seed)


def tags_of(fit: "FittedLabels", answers: "WindowAnswers") -> "Bools":
    """Return which labels a model of (window, label) pairs says each window holds.

    Shape (windows, labels).
    """
    from earmark.tasks.events.reconcile.window_answers import YES

    tags: Bools = (fit.chosen() == YES).reshape(answers.windows, -1)
    return tags


def _arrays(ballots: Ballots[Tags], *, gaps: bool = False) -> "WindowAnswers":
    from earmark.tasks.events.reconcile.window_answers import window_answers

    return window_answers(ballots, gaps=gaps)


def _made_by(method: str, options: Any) -> dict[str, object]:
    return {"by": method, **asdict(options)}


def _stacked(
    answers: "WindowAnswers",
    ticked: "Floats | Bools",
    asked: "Floats | Bools",
    made_by: Mapping[str, object],
    competence: "Floats | None" = None,
) -> Reference[Timeline]:
    """Lay the opinions of overlapping windows over one another, and threshold their shares.

    `ticked` and `asked` are as in `window_answers.activity`. A cell without opinions is inactive
    and as uncertain as can be.
    """
    import numpy as np

    from earmark.tasks.events.reconcile.window_answers import active, activity

    shares = activity(answers, ticked.astype(float), asked.astype(float))
    soft = np.where(np.isnan(shares), 0.5, shares)
    threshold = float(str(made_by["share"]))
    return reference_of(answers, active(shares, threshold), soft, made_by, competence)


def reference_of(
    answers: "WindowAnswers",
    active: "Bools",
    soft: "Floats",
    made_by: Mapping[str, object],
    competence: "Floats | None",
) -> Reference[Timeline]:
    """Return the reference; `active` and the soft labels are (all cells, labels)."""
    from earmark.stats.information import binary_entropy

    doubt = binary_entropy(soft)
    lines = answers.timelines(active, doubt, soft)
    starts = answers.cell_starts()
    mean = {
        name: float(doubt[starts[r] : starts[r + 1]].mean())
        for r, name in enumerate(answers.recordings)
    }
    trust = () if competence is None else zip(answers.people, competence.tolist(), strict=True)
    people = {person: round(value, 6) for person, value in trust}
    return Reference(str(made_by["by"]), lines, mean, people, dict(made_by))
