"""The fluency penalty of FENSE, for any metric of captions."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from earmark.score.counting import Prepared, Sides
from earmark.score.metric import Metric
from earmark.task.options import option
from earmark.tasks.captions.score.fluency.detector import MODEL, detector
from earmark.text.shipped_models import BUILTIN, model_name
from earmark.values.counts import Mean
from earmark.values.errors import InputError

# Both from FENSE (Zhou et al. 2022): above a probability of .9, a tenth of the score is left.
THRESHOLD = 0.9
FACTOR = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class FluencyOptions:
    """Whether disfluent captions are penalised."""

    fluency: Literal["none", "builtin"] = option(
        "none",
        "`builtin` divides the score of captions that the shipped detector finds disfluent by ten.",
    )

    def __post_init__(self) -> None:
        if self.fluency not in {"none", BUILTIN}:
            raise InputError("fluency must be none or builtin", got=self.fluency)


def penalised(metric: Metric, options: FluencyOptions) -> Metric:
    """Return the metric, with a tenth of its value for disfluent captions if so chosen.

    The choice becomes the last of the metric's options.
    """
    name = model_name(MODEL) if options.fluency == BUILTIN else options.fluency
    signed = replace(metric, options={**metric.options, "fluency": name})
    if options.fluency == "none":
        return signed

    def count_all(references: Sides, outputs: Sides) -> dict[str, Mean]:
        items = tuple(references)
        counts = metric.counts(Prepared(references, outputs, items))
        probabilities = detector().probabilities([outputs[item].texts[0] for item in items])
        factors = np.where(probabilities > THRESHOLD, FACTOR, 1.0).tolist()
        return {
            item: Mean.of(max(0.0, metric.rate(counts[item])) * factor)
            for item, factor in zip(items, factors, strict=True)
        }

    return replace(
        signed,
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        prepare=None,
        count_prepared=None,
    )
