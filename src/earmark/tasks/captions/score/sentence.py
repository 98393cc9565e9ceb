"""Sentence similarity, alone and with the penalty for disfluent captions (FENSE)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from earmark.score.metric import Metric, mean
from earmark.task.extras import needs
from earmark.task.options import changed, option
from earmark.tasks.captions.score.fluency.penalty import FluencyOptions, penalised
from earmark.tasks.captions.values import Captions, single_caption
from earmark.text.embed import DEFAULT_ENCODER, encoder, encoder_packages
from earmark.values.counts import Mean

BLOCK = 2000  # items per block: with five references each, 12,000 vectors take 18 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceOptions(FluencyOptions):
    """How sentences are compared."""

    encoder: str = option(DEFAULT_ENCODER, "A sentence-transformers model by name or path.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FenseOptions(SentenceOptions):
    """How FENSE compares sentences; the penalty is on."""

    fluency: Literal["none", "builtin"] = option(
        "builtin", "`none` leaves the penalty out, which gives `sentence`."
    )


def sentence(options: SentenceOptions = SentenceOptions(), **changes: Any) -> Metric:
    """Build the mean cosine of the candidate's sentence vector with the references'.

    Definition
    ----------
    The mean over the references of the cosine of two unit vectors.

    Undefined
    ---------
    Never.

    Notes
    -----
    Reimers and Gurevych 2019; as used by Zhou et al. 2022. Higher is better; about 0 to 1 (a
    cosine may be a little below 0).
    """
    chosen = changed(options, changes)
    return penalised(_similarity("sentence", chosen.encoder), chosen)


def fense(options: FenseOptions = FenseOptions(), **changes: Any) -> Metric:
    """Build FENSE: sentence similarity, a tenth of it for captions that are probably disfluent.

    Definition
    ----------
    `sentence`, times .1 when the detector gives the caption a probability above .9.

    Undefined
    ---------
    Never.

    Notes
    -----
    Zhou et al. 2022: probability of an error above .9 costs .9 of the score. The encoder and the
    detector are Earmark's own unless named, so values differ from those of the authors' weights.
    """
    chosen = changed(options, changes)
    return penalised(_similarity("fense", chosen.encoder), chosen)


def _similarity(name: str, model: str) -> Metric:
    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        return similarities(references, outputs, model=model)

    return Metric(
        task="captions",
        name=name,
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        options={"encoder": model},
        average="macro",
        check_installed=needs("text", *encoder_packages(model)),
    )


def similarities(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions], *, model: str
) -> dict[str, Mean]:
    """Return the score of each item, read in blocks so that memory stays bounded."""
    items = list(references)
    scores: dict[str, Mean] = {}
    for start in range(0, len(items), BLOCK):
        block = items[start : start + BLOCK]
        candidates = {item: single_caption(outputs[item], item) for item in block}
        texts = {*candidates.values(), *(text for i in block for text in references[i].texts)}
        order = sorted(texts)
        vectors = dict(zip(order, encoder(model).sentences(order), strict=True))
        for item in block:
            own = vectors[candidates[item]]
            cosines = [float(own @ vectors[text]) for text in references[item].texts]
            scores[item] = Mean.of(float(np.mean(cosines)))
    return scores
