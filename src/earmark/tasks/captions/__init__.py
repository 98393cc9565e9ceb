"""Captions: how well a sentence describes a sound.

SPICE+ and SPICE+emb with graphs that can be read, the n-gram metrics without Java, a fluency
detector, `earshot`, and the FENSE protocol to ask how well a metric agrees with people.
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
from earmark.tasks.captions.report.graph import draw_graph, draw_heat_map
from earmark.tasks.captions.report.scores import (
    draw_attacks,
    draw_candidates,
    draw_distributions,
)
from earmark.tasks.captions.score.metrics import METRICS
from earmark.tasks.captions.tour import TOUR
from earmark.tasks.captions.train.trainers import train_fluency, train_listener, train_parser
from earmark.tasks.captions.values import Captions, Graph, Pair, Preference
from earmark.values.paper import Paper

__all__ = ["TASK", "Captions", "Graph", "Pair", "Preference", "bradley_terry", "explain_one"]

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
    train={"parser": train_parser, "fluency": train_fluency, "listener": train_listener},
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
)
