"""Captions: how well a sentence describes a sound.

SPICE+ and SPICE+emb with graphs that can be read, the n-gram metrics without Java, a fluency
detector, `earshot`, and the FENSE protocol that measures how well a metric agrees with people.
"""

from typing import TYPE_CHECKING

from earmark.task.slot import Late, Slot, attributes
from earmark.task.task import Task, each_by_itself
from earmark.tasks.captions.ask import PEOPLE, QUESTION
from earmark.tasks.captions.audit.protocol import audit_metrics
from earmark.tasks.captions.describe import describe
from earmark.tasks.captions.explain import explain_all
from earmark.tasks.captions.files import measure, read_outputs
from earmark.tasks.captions.given import given
from earmark.tasks.captions.papers import rebuild
from earmark.tasks.captions.tour import TOUR
from earmark.tasks.captions.values import (
    Captions,
    ContestPosterior,
    Graph,
    JudgedCaption,
    Pair,
    Preference,
)
from earmark.values.paper import Paper

if TYPE_CHECKING:
    from earmark.tasks.captions.explain import explain_one
    from earmark.tasks.captions.files import read_captions
    from earmark.tasks.captions.reconcile import bradley_terry
    from earmark.tasks.captions.score.earshot.metric import earshot
    from earmark.tasks.captions.score.graphs.spice_plus import spice_plus, spice_plus_emb
    from earmark.tasks.captions.score.java.spice import spice
    from earmark.tasks.captions.score.meteor.metric import meteor
    from earmark.tasks.captions.score.ngrams.bleu import bleu_1, bleu_2, bleu_3, bleu_4
    from earmark.tasks.captions.score.ngrams.cider import cider, cider_d
    from earmark.tasks.captions.score.ngrams.rouge import rouge_l
    from earmark.tasks.captions.score.sentence import fense, sentence
    from earmark.tasks.captions.score.spider import spider, spider_plus

__all__ = [
    "TASK",
    "Captions",
    "Graph",
    "Pair",
    "Preference",
    "bleu_1",
    "bleu_2",
    "bleu_3",
    "bleu_4",
    "bradley_terry",
    "cider",
    "cider_d",
    "earshot",
    "explain_one",
    "fense",
    "meteor",
    "read_captions",
    "rouge_l",
    "sentence",
    "spice",
    "spice_plus",
    "spice_plus_emb",
    "spider",
    "spider_plus",
]

PAPER = Paper(
    key="gontier2023spice",
    authors="Félix Gontier and Romain Serizel and Christophe Cerisara",
    title="SPICE+: Evaluation of automatic audio captioning systems with pre-trained "
    "language models",
    venue="IEEE International Conference on Acoustics, Speech and Signal Processing (ICASSP)",
    year=2023,
)
FENSE = Paper(
    key="zhou2022fense",
    authors="Zelin Zhou and Zhiling Zhang and Xuenan Xu and Zeyu Xie and Mengyue Wu and "
    "Kenny Q. Zhu",
    title="Can audio captions be evaluated with image caption metrics?",
    venue="IEEE International Conference on Acoustics, Speech and Signal Processing (ICASSP)",
    year=2022,
)
CIDER = Paper(
    key="vedantam2015cider",
    authors="Ramakrishna Vedantam and C. Lawrence Zitnick and Devi Parikh",
    title="CIDEr: Consensus-based image description evaluation",
    venue="IEEE Conference on Computer Vision and Pattern Recognition (CVPR)",
    year=2015,
)

MAKERS = Slot(
    __name__,
    {
        "captions": "make.make_captions",
    },
)
METHODS = Slot(
    __name__,
    {
        "preference": "reconcile.by_preference",
    },
)
TRAINERS = Slot(
    __name__,
    {
        "parser": "train.trainers.train_parser",
        "fluency": "train.trainers.train_fluency",
        "listener": "train.trainers.train_earshot",
    },
)
METRICS = Slot(
    __name__,
    {
        "earshot": "score.earshot.metric.earshot",
        "spice_plus_emb": "score.graphs.spice_plus.spice_plus_emb",
        "spice_plus": "score.graphs.spice_plus.spice_plus",
        "sentence": "score.sentence.sentence",
        "fense": "score.sentence.fense",
        "cider": "score.ngrams.cider.cider",
        "cider_d": "score.ngrams.cider.cider_d",
        "bleu_1": "score.ngrams.bleu.bleu_1",
        "bleu_2": "score.ngrams.bleu.bleu_2",
        "bleu_3": "score.ngrams.bleu.bleu_3",
        "bleu_4": "score.ngrams.bleu.bleu_4",
        "rouge_l": "score.ngrams.rouge.rouge_l",
        "meteor": "score.meteor.metric.meteor",
        "spice": "score.java.spice.spice",
        "spider_plus": "score.spider.spider_plus",
        "spider": "score.spider.spider",
    },
)
PICTURES = Slot(
    __name__,
    {
        "graph": "report.graph.draw_graph",
        "heat-map": "report.graph.draw_heat_map",
        "distributions": "report.scores.draw_distributions",
        "candidates": "report.scores.draw_candidates",
        "attacks": "report.scores.draw_attacks",
    },
)
EXPORTERS = Slot(
    __name__,
    {
        "clotho": "formats.export.CLOTHO",
        "dcase": "formats.export.DCASE",
        "mturk": "formats.export.MTURK",
        "prolific": "formats.export.PROLIFIC",
        "label-studio": "formats.export.LABEL_STUDIO",
    },
)
ROWS = Slot(
    __name__,
    {
        "references": "formats.export.caption_rows",
        "outputs": "formats.export.caption_rows",
        "answers": "formats.export.answer_rows",
        "questions": "formats.export.question_rows",
    },
)

# SPICE weighs precision and recall alike, other metrics recall more; rouge_l's 1.2 is COCO's habit.
CHOICES: dict[str, dict[str, tuple[object, ...]]] = {
    "spice_plus": {"beta": (0.5, 1.0, 2.0, 3.0), "weights": ("none", "consensus")},
    "spice_plus_emb": {"beta": (0.5, 1.0, 2.0, 3.0), "threshold": (None, 0.6, 0.7, 0.8)},
    "fense": {"fluency": ("builtin", "none")},
    "rouge_l": {"rouge_beta": (1.0, 1.2, 2.0)},
}

TITLES = {
    "spice_plus_emb": "SPICE+emb",
    "spice_plus": "SPICE+",
    "sentence": "Sentence similarity",
    "fense": "FENSE",
    "cider": "CIDEr",
    "cider_d": "CIDEr-D",
    "bleu_1": "BLEU-1",
    "bleu_2": "BLEU-2",
    "bleu_3": "BLEU-3",
    "bleu_4": "BLEU-4",
    "rouge_l": "ROUGE-L",
    "meteor": "METEOR",
    "spice": "SPICE",
    "spider_plus": "SPIDEr+",
    "spider": "SPIDEr",
}

TASK = Task(
    name="captions",
    title="Captions of sounds",
    asks="Does this sentence describe the sound?",
    paper=PAPER,
    kinds=(Captions, Pair, Preference, Graph),
    posteriors=(ContestPosterior, JudgedCaption),
    make=MAKERS,
    ask=QUESTION,
    reconcile=METHODS,
    train=TRAINERS,
    score=METRICS,
    titles=TITLES,
    report=PICTURES,
    export=EXPORTERS,
    rows=ROWS,
    measure=measure,
    given=given,
    describe=describe,
    explain=explain_all,
    audit=audit_metrics,
    papers=rebuild,
    outputs=read_outputs,
    people=PEOPLE,
    cites={"fense": FENSE, "sentence": FENSE, "cider": CIDER, "cider_d": CIDER},
    choices=CHOICES,
    submission=Late(__name__, "formats.contract.contract"),
    tour=TOUR,
    groups={"sound": each_by_itself},
    parent="sound",
    examples={
        "make": "earmark make captions sounds --captions references.csv",
        "measure": "earmark measure captions --reference references.csv --output mine.csv "
        "--metric cider_d",
        "audit": "earmark audit captions --benchmark pairs.json --metric rouge_l",
        "train": "earmark train captions fluency --captions captions.csv --out model",
    },
)

__getattr__ = attributes(
    __name__,
    METRICS,
    explain_one="explain.explain_one",
    bradley_terry="reconcile.bradley_terry",
    read_captions="files.read_captions",
)


def __dir__() -> list[str]:
    """Return the public names, for tab completion."""
    return sorted(__all__)
