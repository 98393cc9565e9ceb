"""All metrics of this task by name."""

from collections.abc import Callable, Mapping

from earmark.score.metric import Metric
from earmark.tasks.captions.score.earshot.metric import earshot
from earmark.tasks.captions.score.graphs.spice_plus import spice_plus, spice_plus_emb
from earmark.tasks.captions.score.java.meteor import meteor
from earmark.tasks.captions.score.java.spice import spice, spider
from earmark.tasks.captions.score.ngrams.bleu import bleu_1, bleu_2, bleu_3, bleu_4
from earmark.tasks.captions.score.ngrams.cider import cider, cider_d
from earmark.tasks.captions.score.ngrams.rouge import rouge_l
from earmark.tasks.captions.score.sentence import fense, sentence

METRICS: Mapping[str, Callable[..., Metric]] = {
    "earshot": earshot,
    "spice_plus_emb": spice_plus_emb,
    "spice_plus": spice_plus,
    "sentence": sentence,
    "fense": fense,
    "cider": cider,
    "cider_d": cider_d,
    "bleu_1": bleu_1,
    "bleu_2": bleu_2,
    "bleu_3": bleu_3,
    "bleu_4": bleu_4,
    "rouge_l": rouge_l,
    "meteor": meteor,
    "spice": spice,
    "spider": spider,
}
