"""Captions: how well a sentence describes a sound.

SPICE+ and SPICE+emb with graphs that can be read, the n-gram metrics without Java, a fluency
detector, `earshot`, and the FENSE protocol that measures how well a metric agrees with people.
"""

from earmark.task.task import Task
from earmark.tasks.captions.ask import QUESTION
from earmark.tasks.captions.audit.protocol import audit_metrics
from earmark.tasks.captions.describe import describe
from earmark.tasks.captions.explain import explain_one
from earmark.tasks.captions.files import measure, read_outputs
from earmark.tasks.captions.make import make_captions
from earmark.tasks.captions.papers import rebuild
from earmark.tasks.captions.reconcile import bradley_terry, by_preference
from earmark.tasks.captions.report import (
    draw_attacks,
    draw_candidates,
    draw_distributions,
    draw_graph,
    draw_heat_map,
)
from earmark.tasks.captions.score.earshot.metric import earshot
from earmark.tasks.captions.score.graphs.spice_plus import spice_plus, spice_plus_emb
from earmark.tasks.captions.score.java.meteor import meteor
from earmark.tasks.captions.score.java.spice import spice, spider
from earmark.tasks.captions.score.metrics import METRICS
from earmark.tasks.captions.score.ngrams.bleu import bleu_1, bleu_2, bleu_3, bleu_4
from earmark.tasks.captions.score.ngrams.cider import cider, cider_d
from earmark.tasks.captions.score.ngrams.rouge import rouge_l
from earmark.tasks.captions.score.sentence import fense, sentence
from earmark.tasks.captions.tour import TOUR
from earmark.tasks.captions.train.trainers import train_earshot, train_fluency, train_parser
from earmark.tasks.captions.values import Captions, Graph, Pair, Preference
from earmark.values.paper import Paper

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
    "rouge_l",
    "sentence",
    "spice",
    "spice_plus",
    "spice_plus_emb",
    "spider",
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

TASK = Task(
    name="captions",
    title="Captions of sounds",
    asks="Does this sentence describe the sound?",
    paper=PAPER,
    kinds=(Captions, Pair, Preference, Graph),
    make={"captions": make_captions},
    ask=QUESTION,
    reconcile={"preference": by_preference},
    train={"parser": train_parser, "fluency": train_fluency, "listener": train_earshot},
    score=METRICS,
    report={
        "graph": draw_graph,
        "heat-map": draw_heat_map,
        "distributions": draw_distributions,
        "candidates": draw_candidates,
        "attacks": draw_attacks,
    },
    measure=measure,
    describe=describe,
    audit=audit_metrics,
    papers=rebuild,
    outputs=read_outputs,
    cites={"fense": FENSE, "sentence": FENSE, "cider": CIDER, "cider_d": CIDER},
    tour=TOUR,
    examples={
        "make": "earmark make captions sounds --captions references.csv",
        "measure": "earmark measure captions --reference references.csv --output mine.csv "
        "--metric cider_d",
        "audit": "earmark audit captions --benchmark pairs.json --metric rouge_l",
        "train": "earmark train captions fluency --text captions.csv --out model",
    },
)
