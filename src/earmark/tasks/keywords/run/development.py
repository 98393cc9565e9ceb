"""Development trials: what `auto` learns from.

A model of `auto` is no set of weights but this table: the measurements and labels of every
development trial, and the cohort of development keywords. The fusion is fitted to it when it is
needed, which takes milliseconds, so that a speaker under test can always be left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.tasks.keywords.run.comparison import ClipComparison, Cohort
from earmark.tasks.keywords.run.enrolment import Enrolment, SelfTrials

# In log energy. Recordings that were only copied or written again as 16-bit files differ by less
# in every band of their mean spectrum; the two most similar development speakers differ by 1.1.
SAME_RECORDINGS = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Measurements:
    """What was measured of trials, one row per trial.

    "Relative" is the difference from what the speaker's own self-trials reach. The columns of the
    cohort costs are the members of the cohort; a member's own trials have nan there.
    """

    mfcc_relative: Floats  # (trials,)
    sound_relative: Floats  # (trials,)
    voice_relative: Floats  # (trials,)
    contrast: Floats  # (trials,)
    tail: Floats  # (trials,)
    stretch: Floats  # (trials,)
    mfcc_cost: Floats  # (trials,)
    sound_cost: Floats  # (trials,)
    mfcc_cohort_costs: Floats  # (trials, cohort)
    sound_cohort_costs: Floats  # (trials, cohort)

    @classmethod
    def of(cls, trials: Sequence[tuple[ClipComparison, SelfTrials]]) -> "Measurements":
        """Collect comparisons, each with the self-trials of the speaker it was compared with."""
        return cls(
            mfcc_relative=np.array([c.mfcc_cost - own.mfcc_cost for c, own in trials]),
            sound_relative=np.array([c.sound_cost - own.sound_cost for c, own in trials]),
            voice_relative=np.array([c.voice_cosine - own.voice_cosine for c, own in trials]),
            contrast=np.array([c.contrast for c, _ in trials]),
            tail=np.array([c.tail for c, _ in trials]),
            stretch=np.array([c.stretch for c, _ in trials]),
            mfcc_cost=np.array([c.mfcc_cost for c, _ in trials]),
            sound_cost=np.array([c.sound_cost for c, _ in trials]),
            mfcc_cohort_costs=np.array([c.mfcc_cohort_costs for c, _ in trials]),
            sound_cohort_costs=np.array([c.sound_cohort_costs for c, _ in trials]),
        )

    def rows(self, chosen: Bools) -> "Measurements":
        """Return some of the trials; `chosen` has one entry per trial."""
        return Measurements(**{f.name: getattr(self, f.name)[chosen] for f in fields(self)})

    def joined(self, other: "Measurements") -> "Measurements":
        """Return these trials followed by the other ones."""
        return Measurements(
            **{
                f.name: np.concatenate([getattr(self, f.name), getattr(other, f.name)])
                for f in fields(self)
            }
        )


@dataclass(frozen=True, slots=True, eq=False)
class DevelopmentSet:
    """Labelled trials of development speakers, and the cohort that they form.

    `speakers` names the members of the cohort, in its order, and `mean_spectra` has a row for each;
    `owners` and `labels` have an entry per trial: whose device it was, and whether it must wake.
    """

    speakers: tuple[str, ...]
    mean_spectra: Floats  # (speakers, 40)
    cohort: Cohort
    owners: tuple[str, ...]
    labels: Bools  # (trials,)
    measurements: Measurements

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
        """Return this set with further trials, which were compared with the same cohort."""
        return replace(
            self,
            owners=(*self.owners, *other.owners),
            labels=np.concatenate([self.labels, other.labels]),
            measurements=self.measurements.joined(other.measurements),
        )
