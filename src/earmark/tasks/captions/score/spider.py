"""SPIDEr and SPIDEr+: the mean of CIDEr-D, which counts words, and of a metric of graphs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from earmark.score.counting import Prepared
from earmark.score.metric import Metric, mean
from earmark.task.options import changed, option
from earmark.tasks.captions.score.graphs.spice_plus import SpicePlusOptions, spice_plus
from earmark.tasks.captions.score.java.jars import JARS_HELP, NEEDS, SPICE_JAR, require_jar
from earmark.tasks.captions.score.java.spice import spice
from earmark.tasks.captions.score.ngrams.cider import SIGMA_HELP, CiderOptions, cider_d
from earmark.tasks.captions.values import Captions
from earmark.values.counts import Mean

TOP = 5.5  # the mean of CIDEr-D's 10 and SPICE's 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiderOptions(CiderOptions):
    """How CIDEr-D compares lengths, and where SPICE's jar is."""

    jars: Path | None = option(None, JARS_HELP)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiderPlusOptions(SpicePlusOptions):
    """How SPICE+ counts tuples, and how CIDEr-D compares lengths."""

    sigma: float = option(6.0, SIGMA_HELP)


def spider(options: SpiderOptions = SpiderOptions(), **changes: Any) -> Metric:
    """Build the mean of CIDEr-D and of the original SPICE.

    Definition
    ----------
    Liu et al. 2017: (CIDEr-D + SPICE) / 2.

    Undefined
    ---------
    Without Java or without SPICE's jar, and with fewer than two items.
    """
    chosen = changed(options, changes)
    both = mean_of("spider", cider_d(sigma=chosen.sigma), spice(jars=chosen.jars))
    return replace(
        both,
        undefined=NEEDS.format(jar=SPICE_JAR),
        check_installed=partial(require_jar, "spider", SPICE_JAR, chosen.jars),
    )


def spider_plus(options: SpiderPlusOptions = SpiderPlusOptions(), **changes: Any) -> Metric:
    """Build the mean of CIDEr-D and of SPICE+, which needs no Java.

    Definition
    ----------
    (CIDEr-D + SPICE+) / 2: SPIDEr (Liu et al. 2017) with SPICE+ (Gontier et al. 2023) for SPICE.

    Undefined
    ---------
    nan with fewer than two items.

    Notes
    -----
    Higher is better; 0 to 5.5. Its values are not those of SPIDEr: SPICE+ parses and matches in
    its own way.
    """
    chosen = changed(options, changes)
    graphs = spice_plus(beta=chosen.beta, weights=chosen.weights, fluency=chosen.fluency)
    return mean_of("spider_plus", cider_d(sigma=chosen.sigma), graphs)


def mean_of(name: str, words: Metric, graphs: Metric) -> Metric:
    """Return the metric that averages two others, item by item."""

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        prepared = Prepared(references, outputs, tuple(references))
        one, two = words.counts(prepared), graphs.counts(prepared)
        return {item: Mean.of((mean(one[item]) + mean(two[item])) / 2) for item in references}

    return Metric(
        task="captions",
        name=name,
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        options={**words.options, **graphs.options},
        average="macro",
        separable=False,
        high=TOP,
        undefined=words.undefined,
        check_installed=graphs.check_installed,
    )
