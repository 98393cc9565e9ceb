"""Development trials: what `auto` learns from.

A model of `auto` is no set of weights but this table: the measurements and labels of every
development trial. The fusion is fitted to it when it is needed, which takes milliseconds, so that a
speaker under test, or a whole corpus, can always be left out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.tasks.keywords.run.comparison import ClipComparison
from earmark.tasks.keywords.run.enrolment import Enrolment, SelfTrials

# In log energy. Recordings that were only copied or written again as 16-bit files differ by less
# in every band of their mean spectrum; the two most similar development speakers differ by more
# than ten times as much.
SAME_RECORDINGS = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Measurements:
    """What was measured of trials, one row per trial, and of the self-trials of their speakers.

    The columns are comparison.MEASURES.
    """

    trials: Floats  # (trials, measures)
    expected: Floats  # (trials, measures): the mean of the speaker's self-trials
    spread: Floats  # (trials, measures): their standard deviation

    @classmethod
    def of(cls, trials: Sequence[tuple[ClipComparison, SelfTrials]]) -> "Measurements":
        """Collect comparisons, each with the self-trials of the speaker it was compared with."""
        return cls(
            np.array([comparison.row() for comparison, _ in trials]),
            np.array([own.mean for _, own in trials]),
            np.array([own.deviation for _, own in trials]),
        )

    def rows(self, chosen: Bools) -> "Measurements":
        """Return some of the trials; `chosen` has one entry per trial."""
        return Measurements(self.trials[chosen], self.expected[chosen], self.spread[chosen])

    def joined(self, other: "Measurements") -> "Measurements":
        """Return these trials followed by the other ones."""
        return Measurements(
            np.concatenate([self.trials, other.trials]),
            np.concatenate([self.expected, other.expected]),
            np.concatenate([self.spread, other.spread]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class DevelopmentSet:
    """Labelled trials of development speakers.

    `speakers` are those who can be recognised, and `mean_spectra` has a row for each; `owners` and
    `labels` have an entry per trial: whose device it was, and whether it must wake.
    """

    speakers: tuple[str, ...]
    mean_spectra: Floats  # (speakers, 40)
    owners: tuple[str, ...]
    labels: Bools  # (trials,)
    measurements: Measurements

    def corpora(self) -> tuple[str, ...]:
        """Return the corpora that the speakers belong to, in alphabetical order."""
        return tuple(sorted({corpus_of(owner) for owner in self.owners}))

    def speaker_of(self, enrolment: Enrolment) -> str | None:
        """Return the development speaker who made these recordings, or None.

        Whoever runs `auto` on the development recordings would otherwise score it on trials that
        it has learned from. Names cannot prevent that leak: a study gives speakers new ones. So a
        development speaker is recognised by the recordings themselves: the mean spectrum of the
        enrolment does not depend on the files' names, and no two speakers' are alike.
        """
        gaps = np.abs(self.mean_spectra - enrolment.mean_spectrum()).max(axis=1)
        nearest = int(np.argmin(gaps))
        return self.speakers[nearest] if gaps[nearest] < SAME_RECORDINGS else None

    def joined(self, other: "DevelopmentSet") -> "DevelopmentSet":
        """Return this set with further trials, and further speakers to recognise."""
        return DevelopmentSet(
            speakers=(*self.speakers, *other.speakers),
            mean_spectra=np.concatenate([self.mean_spectra, other.mean_spectra]),
            owners=(*self.owners, *other.owners),
            labels=np.concatenate([self.labels, other.labels]),
            measurements=self.measurements.joined(other.measurements),
        )


def corpus_of(speaker: str) -> str:
    """Return the corpus of a speaker: the letters with which the name begins.

    Examples
    --------
    >>> corpus_of("DA0003"), corpus_of("ESptbr01"), corpus_of("0007")
    ('DA', 'ESptbr', '')
    """
    return re.split(r"[^A-Za-z]", speaker, maxsplit=1)[0]
