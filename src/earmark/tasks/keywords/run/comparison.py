"""How a clip compares with a speaker's enrolment, and with a cohort of other people's keywords.

The enrolled keyword is searched in the clip twice by segmental dynamic time warping: by MFCC,
and by Google's speech embedding ("sound"). A search gives a cost, the mean cosine distance along
the best path; the cost of several templates is the log of their mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.audio.features import Frames
from earmark.stats.warping import MatchCurve, cosine_distances, segmental
from earmark.tasks.keywords.run.utterance import SOUND_STEP, Spectrum, Utterance

# Seconds; a keyword that ends farther than this from the end of speech is simply elsewhere.
# Chosen by hand on the development speakers.
FARTHEST = 0.6
# Mel frames per second.
FRAME_RATE = 100


@dataclass(frozen=True)
class Cohort:
    """Templates of other people's keywords, grouped by person.

    How well *any* keyword matches a clip says how much a good match with the enrolled one means
    (T-normalisation in speaker verification).
    """

    spectra: tuple[tuple[Spectrum, ...], ...] = ()
    sounds: tuple[tuple[Frames, ...], ...] = ()


@dataclass(frozen=True)
class ClipComparison:
    """What was measured of one clip against one enrolment and one cohort.

    `contrast` is the level of speech above the background (log energy), `tail` how far from the end
    of speech the match ends (seconds), `stretch` how much longer or shorter than the template the
    match is (absolute log ratio). Cohort costs have one entry per member of the cohort.
    """

    mfcc_cost: float
    sound_cost: float
    voice_cosine: float
    contrast: float
    tail: float
    stretch: float
    mfcc_cohort_costs: tuple[float, ...] = ()
    sound_cohort_costs: tuple[float, ...] = ()


def compare_clip(
    clip: Utterance, enrolled: Sequence[Utterance], voice: NDArray[np.float32], cohort: Cohort
) -> ClipComparison:
    """Compare a clip with enrolled recordings and the speaker embedding that they share."""
    spectrum = clip.spectrum
    templates = [one.spectrum.template_in(spectrum) for one in enrolled]
    mfcc_matches = [_search(template, spectrum.shape) for template in templates]
    sound_matches = [_search(one.sound_template, clip.sounds) for one in enrolled]
    ratios = [
        _matched_rows(match) / len(template)
        for match, template in zip(mfcc_matches, templates, strict=True)
    ]
    end = float(np.median([match.end for match in sound_matches])) * SOUND_STEP
    return ClipComparison(
        mfcc_cost=_log_cost(mfcc_matches),
        sound_cost=_log_cost(sound_matches),
        voice_cosine=float(clip.voice @ voice),
        contrast=spectrum.contrast,
        tail=min(abs(spectrum.span.stop - end) / FRAME_RATE, FARTHEST),
        stretch=abs(float(np.log(max(float(np.median(ratios)), 0.1)))),
        mfcc_cohort_costs=tuple(_cohort_mfcc_cost(member, spectrum) for member in cohort.spectra),
        sound_cohort_costs=tuple(
            _log_cost([_search(template, clip.sounds) for template in member])
            for member in cohort.sounds
        ),
    )


def _cohort_mfcc_cost(member: Sequence[Spectrum], spectrum: Spectrum) -> float:
    return _log_cost([_search(one.template_in(spectrum), spectrum.shape) for one in member])


def _search(template: Frames, clip: Frames) -> MatchCurve:
    return segmental(cosine_distances(template, clip))


def _matched_rows(match: MatchCurve) -> int:
    """Return the length of the best match in rows of the clip."""
    return match.end - int(match.start[match.end]) + 1


def _log_cost(matches: Sequence[MatchCurve]) -> float:
    return float(np.log(max(float(np.mean([match.best for match in matches])), 1e-6)))
