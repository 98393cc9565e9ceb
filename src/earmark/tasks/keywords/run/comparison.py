"""How a clip compares with a speaker's enrolment: the words in it, and the voice.

The enrolled keyword is searched in the clip by segmental dynamic time warping, twice: by MFCC, each
template brought to the clip's level and put in its background, and by Google's speech embedding
("sound"), with templates of every recording and of its disturbed copies. A search gives a cost, the
mean cosine distance along the best path; the cost of several templates is the log of their mean.

What says how much a cost means without any other speaker, language or corpus: the same recordings
played backwards. They have the keyword's voice, length, level and channel, and not its words.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats
from earmark.audio.features import Frames
from earmark.stats.warping import MatchCurve, cosine_distances, segmental, segmental_path
from earmark.tasks.keywords.run.utterance import Spectrum, Utterance

# Mel frames per second.
FRAME_RATE = 100
# A template is looked at in parts: a near miss fits well in two of three parts.
PARTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledTake:
    """One enrolment recording as templates.

    `sounds` are the speech embeddings of the recording and of its disturbed copies; the ones that
    are played backwards have the same voice and other words.
    """

    spectrum: Spectrum
    backwards: Spectrum
    sounds: tuple[Frames, ...]
    backward_sounds: Frames

    @property
    def seconds(self) -> float:
        """Duration of the speech in seconds."""
        span = self.spectrum.span
        return float(span.stop - span.start) / FRAME_RATE


@dataclass(frozen=True, slots=True, eq=False)
class Voices:
    """A speaker's embeddings by two networks, of unit length; `second` may be missing."""

    first: NDArray[np.float32]  # (192,)
    second: NDArray[np.float32] | None = None  # (256,)


@dataclass(frozen=True, slots=True)
class ClipComparison:
    """What was measured of one clip against one enrolment.

    Costs are logs of mean distances: of the keyword, of the keyword backwards, and of that third of
    the template that fits worst. Cosines are of speaker embeddings; `second_cosine` is nan without
    the second network. `contrast` is the level of speech above the background (log energy),
    `stretch` how much longer or shorter than the template the match is (absolute log ratio).
    """

    mfcc_cost: float
    mfcc_backwards_cost: float
    mfcc_worst_cost: float
    sound_cost: float
    sound_backwards_cost: float
    sound_worst_cost: float
    first_cosine: float
    second_cosine: float
    contrast: float
    stretch: float

    def row(self) -> list[float]:
        """Return the numbers in the order of MEASURES."""
        return [getattr(self, name) for name in MEASURES]


MEASURES = tuple(field.name for field in fields(ClipComparison))


def compare_clip(clip: Utterance, takes: Sequence[EnrolledTake], voices: Voices) -> ClipComparison:
    """Compare a clip with enrolled recordings, and with the voice that they share."""
    return with_voice(compare_words(clip, takes), clip, voices)


def with_voice(words: ClipComparison, clip: Utterance, voices: Voices) -> ClipComparison:
    """Return what `compare_words` measured together with the cosines of the clip's voice."""
    second = math.nan if voices.second is None else float(clip.second_voice @ voices.second)
    return replace(words, first_cosine=float(clip.voice @ voices.first), second_cosine=second)


def compare_words(clip: Utterance, takes: Sequence[EnrolledTake]) -> ClipComparison:
    """Compare a clip's words with enrolled recordings; the cosines of the voice are nan."""
    spectrum = clip.spectrum
    templates = [take.spectrum.template_in(spectrum) for take in takes]
    mfcc = [cosine_distances(template, spectrum.shape) for template in templates]
    matches = [segmental(distances) for distances in mfcc]
    backwards = [_search(take.backwards.template_in(spectrum), spectrum.shape) for take in takes]
    sounds = [[cosine_distances(one, clip.sounds) for one in take.sounds] for take in takes]
    sound_matches = [[segmental(distances) for distances in take] for take in sounds]
    ratios = [_length(m) / len(t) for m, t in zip(matches, templates, strict=True)]
    return ClipComparison(
        mfcc_cost=_log_cost(matches),
        mfcc_backwards_cost=_log_cost(backwards),
        mfcc_worst_cost=_worst_cost(mfcc),
        sound_cost=_log_cost([match for take in sound_matches for match in take]),
        sound_backwards_cost=_log_cost([_search(t.backward_sounds, clip.sounds) for t in takes]),
        sound_worst_cost=_worst_cost([take[0] for take in sounds]),
        first_cosine=math.nan,
        second_cosine=math.nan,
        contrast=spectrum.contrast,
        stretch=abs(float(np.log(max(float(np.median(ratios)), 0.1)))),
    )


def _search(template: Frames, clip: Frames) -> MatchCurve:
    return segmental(cosine_distances(template, clip))


def _length(match: MatchCurve) -> int:
    """Return the length of the best match in rows of the clip."""
    return match.end - int(match.start[match.end]) + 1


def _log_cost(matches: Sequence[MatchCurve]) -> float:
    return _log(float(np.mean([match.best for match in matches])))


def _log(cost: float) -> float:
    return float(np.log(max(cost, 1e-6)))


def _worst_cost(distances: Sequence[Frames]) -> float:
    """Return the log cost of the part of the templates that fits worst, averaged over templates."""
    parts = np.mean([_part_costs(matrix) for matrix in distances], axis=0)
    return _log(float(parts.max()))


def _part_costs(distances: Frames) -> Floats:
    """Return the mean distance along the best path in each part of the template, (PARTS,)."""
    path = np.array(segmental_path(distances))
    cells = distances[path[:, 0], path[:, 1]].astype(float)
    part = np.minimum(path[:, 0] * PARTS // len(distances), PARTS - 1)
    # a template of fewer rows than parts has parts without cells
    return np.array(
        [cells[part == k].mean() if (part == k).any() else cells.mean() for k in range(PARTS)]
    )
