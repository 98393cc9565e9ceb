"""Seven methods from tags of overlapping windows to events.

All but the window HMM decide how many opinions, or which tags, say yes in each window, and then
stack the windows that cover a second: it is active when at least `share` of them say yes.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from earmark.tasks.events.reconcile.options import (
    Inference,
    StackedOpinionsOptions,
    StackedTagsOptions,
    TrustedOptions,
    WindowHmmOptions,
    WindowMaceOptions,
)
from earmark.tasks.events.values import Tags, Timeline
from earmark.values.answer import Ballots
from earmark.values.reference import Reference

if TYPE_CHECKING:
    from earmark.arrays import Bools, Floats
    from earmark.reconcile.fit import FittedLabels
    from earmark.tasks.events.reconcile.window_answers import WindowAnswers

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
    return _stacked(answers, tags, certain, _made_by("mace", options), fit.competence)


def by_majority(
    ballots: Ballots[Tags], options: StackedTagsOptions = StackedTagsOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Tag each window with what more than half of its listeners ticked; stack the windows."""
    answers = _arrays(ballots)
    ticked, asked = answers.votes()
    tags = ticked * 2 > asked[:, None]
    return _stacked(answers, tags, asked > 0, _made_by("majority", options))


def by_union(
    ballots: Ballots[Tags], options: StackedTagsOptions = StackedTagsOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Tag each window with what anybody ticked; stack the windows."""
    answers = _arrays(ballots)
    ticked, asked = answers.votes()
    return _stacked(answers, ticked > 0, asked > 0, _made_by("union", options))


def by_share(
    ballots: Ballots[Tags],
    options: StackedOpinionsOptions = StackedOpinionsOptions(),
    *,
    seed: int = 0,
) -> Reference[Timeline]:
    """Stack all opinions about a second, everybody's weighing the same (the paper's mode 1)."""
    answers = _arrays(ballots)
    ticked, asked = answers.votes()
    return _stacked(answers, ticked, asked, _made_by("share", options))


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
    ticked, asked = answers.answered_by(trusted(fit.competence, options.trust)).votes()
    return _stacked(answers, ticked, asked, _made_by("trusted", options), fit.competence)


def by_dawid_skene(
    ballots: Ballots[Tags], options: StackedTagsOptions = StackedTagsOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Decide every (window, label) pair by Dawid and Skene's model; stack the windows."""
    from earmark.reconcile.dawid_skene import dawid_skene

    answers = _arrays(ballots)
    fit = dawid_skene(answers.pairs())
    tags = tags_of(fit, answers)
    return _stacked(answers, tags, tags | True, _made_by("dawid-skene", options), fit.competence)


def by_window_hmm(
    ballots: Ballots[Tags], options: WindowHmmOptions = WindowHmmOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Smooth the hidden activity of each second by the window HMM; doubt is per second."""
    from earmark.tasks.events.reconcile.hmm import window_hmm

    answers = _arrays(ballots)
    smoothed = window_hmm(answers, options)
    active = smoothed.active >= options.chance
    made_by = _made_by("window-hmm", options)
    return _reference(answers, active, smoothed.doubt(), made_by, smoothed.competence())


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


def _arrays(ballots: Ballots[Tags]) -> "WindowAnswers":
    from earmark.tasks.events.reconcile.window_answers import window_answers

    return window_answers(ballots)


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

    from earmark.stats.information import binary_entropy
    from earmark.tasks.events.reconcile.window_answers import active, activity

    shares = activity(answers, ticked.astype(float), asked.astype(float))
    doubt = binary_entropy(np.where(np.isnan(shares), 0.5, shares))
    threshold = float(str(made_by["share"]))
    return _reference(answers, active(shares, threshold), doubt, made_by, competence)


def _reference(
    answers: "WindowAnswers",
    active: "Bools",
    doubt: "Floats",
    made_by: Mapping[str, object],
    competence: "Floats | None",
) -> Reference[Timeline]:
    """Return the reference; `active` and `doubt` are (all cells, labels)."""
    lines = answers.timelines(active, doubt)
    starts = answers.cell_starts()
    mean = {
        name: float(doubt[starts[r] : starts[r + 1]].mean())
        for r, name in enumerate(answers.recordings)
    }
    trust = () if competence is None else zip(answers.people, competence.tolist(), strict=True)
    people = {person: round(value, 6) for person, value in trust}
    return Reference(str(made_by["by"]), lines, mean, people, dict(made_by))
