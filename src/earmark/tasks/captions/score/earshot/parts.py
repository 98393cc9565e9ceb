"""The parts of `earshot`: similarity, coverage, padding, denial, disfluency; and their weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.files.json_text import read_json
from earmark.stats.rates import proportion
from earmark.task.progress import track
from earmark.tasks.captions.score.earshot.content_words import (
    GENERIC,
    MODEL,
    EncodedCaption,
    encoded_captions,
)
from earmark.tasks.captions.score.fluency.detector import MODEL as FLUENCY
from earmark.tasks.captions.score.fluency.detector import FluencyDetector, detector
from earmark.tasks.captions.score.recent import RecentTexts
from earmark.tasks.captions.values import Captions, single_caption
from earmark.text.shipped_models import model_file, own_folder
from earmark.values.errors import InputError

# Where the support of a word begins to count for coverage and against being unsupported, and how
# much further it counts fully; where coverage is enough; which share of the references must hold a
# generic word; how far log odds of disfluency count. All were compared by ten-fold cross-validation
# over sounds of AudioCaps-Eval, about a hundred configurations (README, "The search").
COVERED_FROM, SUPPORTED_FROM, RAMP = 0.45, 0.35, 0.3
ENOUGH = 1.2
SHARED = 0.4
# Unsupported words up to this share of a reference's words cost nothing: people's own captions have
# them, and a penalty from the first one on costs agreement with people on a second corpus (README).
TOLERATED = 0.5
# What the distance of words counts, and the cosine from which on a word is as near as can be. Not
# fitted: people's preferences do not ask for it, one swapped noun does. .03 to .15 were compared
# on both benchmarks.
DISTANCE, NEAR = 0.08, 0.7
# What vagueness counts; the rarity up to which the rarest word of a caption counts where nothing
# supports it (one caption in twenty has such a word), so that a far-fetched word is no way out; and
# the share of the rarest word of a reference that is enough. Not fitted either: it is there against
# one plain caption for every sound. Compared by cross-validation on AudioCaps-Eval alone (README).
VAGUENESS, PLAIN_RARITY, TELLING_ENOUGH = 0.05, 3.0, 0.5
LEAST_DISFLUENCY, MOST_DISFLUENCY = -1.0, 6.0
BLOCK = 400  # items per block: bounds the vectors that are held at once


@dataclass(frozen=True, slots=True)
class EarshotWeights:
    """What each part counts against one point of similarity.

    Fitted on AudioCaps-Eval by `earmark train captions listener`: a pairwise logistic regression
    whose weights may not be negative, with pairs "as it was" > "padded" added. `steepness` turns
    the sum into a value between 0 and 1 whose log odds differ by about the log odds of being
    preferred.
    """

    disfluency: float = 0.0561
    missing: float = 0.3682
    unsupported: float = 0.0444
    generic: float = 0.2878
    steepness: float = 7.031


def weights() -> EarshotWeights:
    """Return the weights above, or those that `earmark train captions listener` wrote."""
    path = model_file(MODEL, "weights.json")
    return _read_weights(path) if path.exists() else EarshotWeights()


@cache
def _read_weights(path: Path) -> EarshotWeights:
    try:
        card = read_json(path)
        own = {name: float(value) for name, value in card["weights"].items()}
        return EarshotWeights(
            disfluency=own["broken"],  # the file's name for it
            missing=own["missing"],
            unsupported=own["unsupported"],
            generic=own["generic"],
            steepness=float(card["steepness"]),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            "these are not the weights of `earshot`",
            at=path,
            got=repr(error),
            fix="earmark train captions listener --benchmark F.json --out FOLDER",
        ) from error


@dataclass(frozen=True, slots=True)
class EarshotParts:
    """What the score is made of.

    `similarity`: mean cosine of the sentence with the references. `coverage`: the rarity of the
    words that a reference supports, over the mean rarity of a reference. `unsupported`: words that
    nothing supports, and words said twice, over the mean number of words of a reference.
    `generic`: the same of words that fit any sound. `disfluency`: the log odds that the sentence is
    disfluent. `distance`: how far words that carry something are from the nearest word of a
    reference, summed, over the mean number of words of a reference. `contradicted`: the rarity of
    words that the references affirm and the caption denies, or the other way round, over the
    rarity of all its words. `vagueness`: by how much the rarest word of the caption is more common
    than half as rare as the rarest of a reference, in units of rarity.
    """

    similarity: float
    coverage: float
    unsupported: float
    disfluency: float
    generic: float = 0.0
    distance: float = 0.0
    contradicted: float = 0.0
    vagueness: float = 0.0

    @property
    def likeness(self) -> float:
        """Similarity of the sentences, less the distance of the words and vagueness."""
        return self.similarity - DISTANCE * self.distance - VAGUENESS * self.vagueness

    def total(self, by: EarshotWeights | None = None) -> float:
        """Return the weighted sum."""
        by = by or weights()
        return (
            self.likeness
            - by.disfluency * min(max(self.disfluency, LEAST_DISFLUENCY), MOST_DISFLUENCY)
            - by.missing * max(0.0, ENOUGH - self.coverage)
            - by.unsupported * max(0.0, self.unsupported - TOLERATED)
            - by.generic * self.generic
        )

    def value(self, by: EarshotWeights | None = None) -> float:
        """Return the score: the logistic function of the sum, less what is contradicted."""
        by = by or weights()
        likely = float(1 / (1 + np.exp(-by.steepness * self.total(by))))
        return likely * (1 - self.contradicted)


def all_parts(
    references: Mapping[str, Captions],
    outputs: Mapping[str, Captions],
    captions: RecentTexts[EncodedCaption] | None = None,
) -> dict[str, EarshotParts]:
    """Return the parts of each item's score; items are read in blocks to bound the memory."""
    captions = captions or encoded_captions()
    items = list(references)
    parts: dict[str, EarshotParts] = {}
    starts = range(0, len(items), BLOCK)
    for start in track(starts, label="listen", total=len(starts)):
        block = items[start : start + BLOCK]
        candidates = [single_caption(outputs[item], item) for item in block]
        own = [*candidates, *(text for item in block for text in references[item].texts)]
        encoded = captions.of(own)
        logits = disfluency_detector().logits(candidates).tolist()
        for item, candidate, logit in zip(block, candidates, logits, strict=True):
            texts = references[item].texts
            parts[item] = compare(encoded[candidate], [encoded[text] for text in texts], logit)
    return parts


def disfluency_detector() -> FluencyDetector:
    """Return the detector whose log odds count: the user's own, or one that knows captions alone.

    The shipped detector that flags captions has learned from other text too and takes fewer unusual
    captions for disfluent; but how usual a caption is among captions is what people's preferences
    follow, on both benchmarks (README).
    """
    return detector() if own_folder(FLUENCY) else detector(model_file(MODEL, FLUENCY))


def compare(
    candidate: EncodedCaption, references: Sequence[EncodedCaption], disfluency: float
) -> EarshotParts:
    """Return the parts of one candidate."""
    similarity = float(np.mean([candidate.sentence @ other.sentence for other in references]))
    support = _supports(candidate, references)
    first = first_mentions(candidate.lemmas)
    affirmed = ~candidate.denied
    covered = ramp(support.lenient, COVERED_FROM) * candidate.rarity * candidate.carries * first
    # what is denied is not claimed, so it needs no support
    extra = np.where(first, 1 - ramp(support.strict, SUPPORTED_FROM), 1.0) * affirmed
    far = np.clip(1 - support.lenient / NEAR, 0, 1) * candidate.carries
    generic = is_generic(candidate.lemmas) & first
    wanted = float(np.mean([_rarity_sum(other) for other in references]))
    words = float(np.mean([len(set(other.lemmas)) for other in references])) or 1.0
    return EarshotParts(
        similarity=similarity,
        coverage=proportion(float(covered.sum()), of=wanted) if wanted else 0.0,
        unsupported=proportion(float(extra[~generic].sum()), of=words),
        disfluency=max(disfluency, MOST_DISFLUENCY) if candidate.unfinished else disfluency,
        generic=proportion(float(extra[generic].sum()), of=words),
        distance=proportion(float(far[first & affirmed].sum()), of=words),
        contradicted=_contradicted(candidate, references),
        vagueness=_vagueness(candidate, covered, references),
    )


def _vagueness(
    candidate: EncodedCaption, covered: Floats, references: Sequence[EncodedCaption]
) -> float:
    """Return how much less telling a candidate is than the references: 0 for most.

    `covered` is the rarity of its words as far as they are supported, of shape (words,).
    """
    supported = float(covered.max(initial=0.0))
    telling = max(supported, min(_rarest(candidate), PLAIN_RARITY))
    wanted = float(np.mean([_rarest(other) for other in references]))
    return max(0.0, TELLING_ENOUGH * wanted - telling)


def _rarest(caption: EncodedCaption) -> float:
    return float((caption.rarity * caption.carries).max(initial=0.0))


def _contradicted(candidate: EncodedCaption, references: Sequence[EncodedCaption]) -> float:
    """Return how much of a candidate says the opposite of what the references say, 0 to 1.

    A word is contradicted as far as words of the other polarity support it better than words of
    its own.
    """
    if not candidate.denied.any() and not any(other.denied.any() for other in references):
        return 0.0
    same, opposite = (_nearest(candidate, references, same=same) for same in (True, False))
    gap = ramp(opposite, COVERED_FROM) - ramp(same, COVERED_FROM)
    weight = candidate.rarity * candidate.carries
    share = proportion(float((np.clip(gap, 0, 1) * weight).sum()), of=float(weight.sum()))
    return 0.0 if np.isnan(share) else share


@dataclass(frozen=True, slots=True, eq=False)
class _Support:
    """How near each content word of a candidate is to the nearest of any reference.

    Generic words count 1 or 0: `lenient`, where any reference holds them; `strict`, where two
    fifths of them do.
    """

    lenient: Floats  # (words,)
    strict: Floats  # (words,)


def _supports(candidate: EncodedCaption, references: Sequence[EncodedCaption]) -> _Support:
    nearest = _nearest(candidate, references)
    if not candidate.lemmas:
        return _Support(nearest, nearest)
    shares = [np.mean([w in other.lemmas for other in references]) for w in candidate.lemmas]
    share = np.array(shares)  # (words,): of references that hold the same lemma
    generic = is_generic(candidate.lemmas)
    return _Support(
        lenient=np.where(generic, share > 0, nearest),
        strict=np.where(generic, share >= SHARED, nearest),
    )


def _nearest(
    candidate: EncodedCaption, references: Sequence[EncodedCaption], *, same: bool = True
) -> Floats:
    """Return the similarity of each word to the nearest word of any reference, of shape (words,).

    The similarity of two words is the mean of two cosines: of the words in context, and of their
    lemmas alone. Generic words of the references support nothing. An affirmed word is supported by
    affirmed words and a denied one by denied ones; with `same=False` the other way round.
    """
    nearest = np.zeros(len(candidate.lemmas))
    for other in references:
        specific = ~is_generic(other.lemmas)
        if len(nearest) and specific.any():
            in_context = candidate.vectors @ other.vectors[specific].T
            cosines = in_context + candidate.types @ other.types[specific].T
            agrees = (candidate.denied[:, None] == other.denied[specific]) == same
            nearest = np.maximum(nearest, np.where(agrees, cosines, 0.0).max(axis=1) / 2)
    return nearest


def is_generic(lemmas: Sequence[str]) -> Bools:
    """Return which words fit any sound, of shape (words,)."""
    return np.array([lemma in GENERIC for lemma in lemmas], dtype=bool)


def ramp(support: Floats, start: float) -> Floats:
    """Return 0 up to `start`, 1 from `start` + .3 on, and a straight line between."""
    return np.clip((support - start) / RAMP, 0, 1)


def first_mentions(lemmas: Sequence[str]) -> Bools:
    """Return which words have not occurred before, of shape (words,)."""
    return np.array([lemma not in lemmas[:k] for k, lemma in enumerate(lemmas)], dtype=bool)


def _rarity_sum(caption: EncodedCaption) -> float:
    return float((caption.rarity * caption.carries * first_mentions(caption.lemmas)).sum())
