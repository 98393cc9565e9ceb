"""Two sequence models of the field as ways of reconciling; `sequences` has the models."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from earmark.tasks.events.reconcile.methods import PATHS, reference_of, with_paths
from earmark.tasks.events.reconcile.options import SequenceOptions
from earmark.tasks.events.values import Tags, Timeline
from earmark.values.answer import Ballots
from earmark.values.reference import Reference

if TYPE_CHECKING:
    from earmark.tasks.events.reconcile.sequences import Sequence


def by_hmm_crowd(
    ballots: Ballots[Tags], options: SequenceOptions = SequenceOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Fit HMM-crowd to the seconds: a tick speaks for every second of its window."""
    from earmark.tasks.events.reconcile.sequences import hmm_crowd

    return _by_sequence(ballots, "hmm-crowd", hmm_crowd, options, seed)


def by_bsc(
    ballots: Ballots[Tags], options: SequenceOptions = SequenceOptions(), *, seed: int = 0
) -> Reference[Timeline]:
    """Fit Bayesian sequence combination to the seconds: a tick speaks for all of its window."""
    from earmark.tasks.events.reconcile.sequences import bsc

    return _by_sequence(ballots, "bsc", bsc, options, seed)


def _by_sequence(
    ballots: Ballots[Tags],
    name: str,
    fit: "Callable[..., Sequence]",
    options: SequenceOptions,
    seed: int,
) -> Reference[Timeline]:
    from earmark.tasks.events.reconcile.sequences import sampled_cells
    from earmark.tasks.events.reconcile.window_answers import window_answers

    answers = window_answers(ballots)
    sequence = fit(answers, iterations=options.iterations)
    active = sequence.active >= options.chance
    made_by = {"by": name, **asdict(options)}
    reference = reference_of(answers, active, sequence.active, made_by, sequence.competence())
    drawn = sampled_cells(answers, sequence, draws=PATHS, seed=seed)
    return with_paths(reference, answers, drawn)
