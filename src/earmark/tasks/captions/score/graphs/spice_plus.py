"""SPICE+ and SPICE+emb: graphs of captions, compared tuple by tuple (Gontier et al. 2023)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.score.metric import Metric, mean
from earmark.task.extras import needs
from earmark.task.options import changed, option
from earmark.tasks.captions.score.fluency.penalty import FluencyOptions, penalised
from earmark.tasks.captions.score.graphs.comparison import (
    GraphMatcher,
    by_vectors,
    by_words,
    parsed_captions,
)
from earmark.tasks.captions.score.graphs.synonyms import synonym_source
from earmark.tasks.captions.score.graphs.term_weights import weigher, weights_name
from earmark.tasks.captions.values import Captions
from earmark.text.embed import DEFAULT_ENCODER, encoder_packages
from earmark.text.parse import PACKAGES as PARSER
from earmark.text.shipped_models import model_name
from earmark.values.counts import Mean


@dataclass(frozen=True, slots=True, kw_only=True)
class SpicePlusOptions(FluencyOptions):
    """How SPICE+ counts tuples."""

    beta: float = option(
        1.0,
        "Weight of recall relative to precision. Above 1, padded captions gain: see the README.",
    )
    weights: str = option(
        "none",
        "`none`; `consensus`: the share of references that hold a tuple; or the path of a JSON "
        "file, lemma to weight (1 for those not named).",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SpicePlusEmbOptions(SpicePlusOptions):
    """How SPICE+emb compares tuples."""

    threshold: float | None = option(
        None, "Count a similarity at or above it as 1 and one below it as 0."
    )
    encoder: str = option(DEFAULT_ENCODER, "A sentence-transformers model by name or path.")


def spice_plus(options: SpicePlusOptions = SpicePlusOptions(), **changes: Any) -> Metric:
    """Build SPICE+: the F of tuples that are equal, or synonyms if WordNet is on this machine.

    Definition
    ----------
    Tuples (node), (node, attribute), (node, relation, node) of all captions of a side form one
    set. P = share of the candidate's that match, R = share of the references' that are matched;
    (1 + beta^2) P R / (beta^2 P + R).

    Undefined
    ---------
    Never; a side without any tuple scores 0.

    Notes
    -----
    Gontier et al. 2023. Higher is better; 0 to 1. Most values are low, and many are 0: use
    `spice_plus_emb` to rank. The signature says whether synonyms were used.
    """
    chosen = changed(options, changes)
    matcher = GraphMatcher(prepare=by_words, beta=chosen.beta, weigh=weigher(chosen.weights))
    signed = {
        "beta": chosen.beta,
        "weights": weights_name(chosen.weights),
        "match": synonym_source(),
        "parser": model_name("parser"),
    }
    check = needs("text", *PARSER)
    return penalised(_metric("spice_plus", matcher, signed, check), chosen)


def spice_plus_emb(options: SpicePlusEmbOptions = SpicePlusEmbOptions(), **changes: Any) -> Metric:
    """Build SPICE+emb: the pseudo-F of the nearest tuples by sentence vectors.

    Definition
    ----------
    S[i, j] = cosine of the vectors of candidate tuple i and reference tuple j, lemmas joined by
    blanks. P = mean over i of max over j, R = mean over j of max over i;
    (1 + beta^2) P R / (beta^2 P + R).

    Undefined
    ---------
    Never; a side without any tuple scores 0.

    Notes
    -----
    Gontier et al. 2023, equation 1. Higher is better; 0 to 1. It ignores grammar; combine with
    `fluency`.
    """
    chosen = changed(options, changes)
    matcher = GraphMatcher(
        prepare=by_vectors(chosen.encoder),
        beta=chosen.beta,
        threshold=chosen.threshold,
        weigh=weigher(chosen.weights),
    )
    signed = {
        "beta": chosen.beta,
        "threshold": chosen.threshold,
        "weights": weights_name(chosen.weights),
        "encoder": chosen.encoder,
        "parser": model_name("parser"),
    }
    check = needs("text", *PARSER, *encoder_packages(chosen.encoder))
    return penalised(_metric("spice_plus_emb", matcher, signed, check), chosen)


def _metric(
    name: str, matcher: GraphMatcher, signed: Mapping[str, object], check: Callable[[], None]
) -> Metric:
    trees = parsed_captions()

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        comparisons = matcher.compare_all(references, outputs, trees)
        return {item: Mean.of(comparison.value) for item, comparison in comparisons}

    return Metric(
        task="captions",
        name=name,
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        options=signed,
        average="macro",
        check_installed=check,
    )
