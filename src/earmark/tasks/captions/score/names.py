"""All metrics of this task by name."""

from collections.abc import Callable, Mapping

from earmark.score.metric import Metric
from earmark.tasks.captions.score.bleu import bleu_1, bleu_2, bleu_3, bleu_4
from earmark.tasks.captions.score.cider import cider, cider_d
from earmark.tasks.captions.score.rouge import rouge_l

METRICS: Mapping[str, Callable[..., Metric]] = {
    "cider": cider,
    "cider_d": cider_d,
    "bleu_1": bleu_1,
    "bleu_2": bleu_2,
    "bleu_3": bleu_3,
    "bleu_4": bleu_4,
    "rouge_l": rouge_l,
}
