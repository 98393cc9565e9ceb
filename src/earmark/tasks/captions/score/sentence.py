"""Sentence similarity, alone and with the penalty for broken captions (FENSE)."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from earmark.score.metric import Metric, mean
from earmark.tasks.captions.score.fluency.detector import penalised
from earmark.tasks.captions.score.ngrams.blocks import only
from earmark.tasks.captions.values import Captions
from earmark.text.embed import DEFAULT_ENCODER, encoder, hold_little
from earmark.values.counts import Mean

BLOCK = 2000


def sentence(
    *, encoder: str = DEFAULT_ENCODER, fluency: Literal["none", "builtin"] = "none"
) -> Metric:
    """Mean cosine of the candidate's sentence vector with the references'.

    Parameters
    ----------
    encoder
        A sentence-transformers model by name or path.
    fluency
        `builtin` gives a tenth to captions that the shipped detector finds broken.

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
    return penalised(_similarity("sentence", encoder), fluency=fluency)


def fense(
    *, encoder: str = DEFAULT_ENCODER, fluency: Literal["builtin", "none"] = "builtin"
) -> Metric:
    """FENSE: sentence similarity, a tenth of it for captions that are probably broken.

    Parameters
    ----------
    encoder
        A sentence-transformers model by name or path.
    fluency
        `none` leaves the penalty out, which gives `sentence`.

    Definition
    ----------
    `sentence`, times .1 when the detector gives the caption more than .9.

    Undefined
    ---------
    Never.

    Notes
    -----
    Zhou et al. 2022: probability of an error above .9 costs .9 of the score. The encoder and the
    detector are Earmark's own unless named, so values differ from those of the authors' weights.
    """
    return penalised(_similarity("fense", encoder), fluency=fluency)


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
    )


def similarities(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions], *, model: str
) -> dict[str, Mean]:
    """The score of each item, read in blocks so that memory stays bounded."""
    items = list(references)
    hold_little(len(items))
    found: dict[str, Mean] = {}
    for start in range(0, len(items), BLOCK):
        some = items[start : start + BLOCK]
        texts = {only(outputs[item], item) for item in some}
        texts.update(text for item in some for text in references[item].texts)
        order = sorted(texts)
        rows = dict(zip(order, encoder(model).sentences(order), strict=True))
        for item in some:
            own = rows[only(outputs[item], item)]
            cosines = [float(own @ rows[text]) for text in references[item].texts]
            found[item] = Mean.of(float(np.mean(cosines)))
    return found
